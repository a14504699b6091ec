import { Result, Schema, SchemaAST, SchemaIssue } from "effect"

/** What is first wrong with a record: the dotted path of the field, "" for the whole, and the demand it fails. */
export interface Fault {
  readonly field: string
  readonly message: string
}

const ownWords = (annotations: { readonly message?: unknown } | undefined): string | undefined =>
  typeof annotations?.message === "string" ? annotations.message : undefined

/** What a type asks for, never what was given: a value may be pages long. */
const demandOf = (ast: SchemaAST.AST): string => {
  const own = ast.checks?.map((check) => ownWords(check.annotations)).find((words) => words !== undefined)
  if (own !== undefined) return own
  if (SchemaAST.isLiteral(ast)) return `must be ${JSON.stringify(ast.literal)}`
  if (SchemaAST.isUnion(ast)) {
    const literals = ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))
    return literals.length > 0 ? `must be one of ${literals.join(", ")}` : "is not of a shape that is known here"
  }
  const expected = ast.checks?.map((check) => check.annotations?.expected).find((words) => typeof words === "string")
  if (expected !== undefined) return `must be ${expected}`
  if (SchemaAST.isNumber(ast)) return "must be a number"
  if (SchemaAST.isBoolean(ast)) return "must be true or false"
  if (SchemaAST.isString(ast)) return "must be a text"
  if (SchemaAST.isArrays(ast)) return "must be a list"
  return "must be an object"
}

const describe = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is missing"
    if (issue._tag === "UnexpectedKey") return "is not known here"
    if (SchemaIssue.hasInput(issue) && issue.input === null) return "is null; leave it out where there is no value"
    return "ast" in issue ? demandOf(SchemaAST.toType(issue.ast)) : SchemaIssue.defaultLeafHook(issue)
  },
  checkHook: (issue) => {
    const { annotations } = issue.filter
    const own = ownWords(annotations)
    if (own !== undefined) return own
    return typeof annotations?.expected === "string"
      ? `must be ${annotations.expected}`
      : SchemaIssue.defaultCheckHook(issue)
  }
})

const faultOf = (issue: SchemaIssue.Issue): Fault => {
  const [first] = describe(issue).issues
  const path = (first?.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))
  return { field: path.map(String).join("."), message: first?.message ?? "is not as asked for" }
}

/** A decoder of records that says what is first wrong with one. */
export const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  // The input is looked at only to tell null from other mistakes; it is never part of a message.
  const decode = Schema.decodeUnknownResult(schema, { reportInput: true })
  return (input: unknown): Result.Result<S["Type"], Fault> =>
    Result.mapError(decode(input), (error) => faultOf(error.issue))
}
