import { Result, Schema, SchemaAST, SchemaIssue } from "effect"

/** The first thing wrong with a record: the dotted path of the field ("" for the whole record) and what it must be. */
export interface Fault {
  readonly field: string
  readonly message: string
}

const ownWords = (annotations: { readonly message?: unknown } | undefined): string | undefined =>
  typeof annotations?.message === "string" ? annotations.message : undefined

/** The requirement of a type, never the value itself, which may be pages long. */
const demandOf = (ast: SchemaAST.AST): string => {
  const own = ast.checks?.map((check) => ownWords(check.annotations)).find((words) => words !== undefined)
  if (own !== undefined) return own
  if (SchemaAST.isLiteral(ast)) return `must be ${JSON.stringify(ast.literal)}`
  if (SchemaAST.isUnion(ast)) {
    const literals = ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))
    return literals.length > 0 ? `must be one of ${literals.join(", ")}` : "does not have a known shape"
  }
  const expected = ast.checks?.map((check) => check.annotations?.expected).find((words) => typeof words === "string")
  if (expected !== undefined) return `must be ${expected}`
  if (SchemaAST.isNumber(ast)) return "must be a number"
  if (SchemaAST.isBoolean(ast)) return "must be true or false"
  if (SchemaAST.isString(ast)) return "must be text"
  if (SchemaAST.isArrays(ast)) return "must be a list"
  return "must be an object"
}

const demandOfCheck = (issue: SchemaIssue.Filter): string | undefined => {
  const { annotations } = issue.filter
  const own = ownWords(annotations) ?? SchemaIssue.defaultCheckHook(issue)
  return own ?? (typeof annotations?.expected === "string" ? `must be ${annotations.expected}` : undefined)
}

const fault = (path: ReadonlyArray<PropertyKey>, message: string): Fault => ({
  field: path.map(String).join("."),
  message
})

const faultOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey> = []): Fault => {
  if (SchemaIssue.hasInput(issue) && issue.input === null) return fault(path, "is null; leave the field out instead")
  switch (issue._tag) {
    case "Pointer":
      return faultOf(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return faultOf(issue.issue, path)
    case "Filter": {
      const within = faultOf(issue.issue, path)
      return { ...within, message: demandOfCheck(issue) ?? within.message }
    }
    case "Composite":
      return faultOf(issue.issues[0], path)
    case "AnyOf": {
      const [first] = issue.issues
      return first === undefined ? fault(path, demandOf(SchemaAST.toType(issue.ast))) : faultOf(first, path)
    }
    case "MissingKey":
      return fault(path, "is missing")
    case "UnexpectedKey":
      return fault(path, "is not a known field")
    default:
      return fault(
        path,
        "ast" in issue ? demandOf(SchemaAST.toType(issue.ast)) : (ownWords(issue.annotations) ?? "is not valid")
      )
  }
}

/** A decoder that reports the first thing wrong with a record. */
export const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, options?: SchemaAST.ParseOptions) => {
  // The input only distinguishes null from other mistakes; it is never part of a message.
  const decode = Schema.decodeUnknownResult(schema, { ...options, reportInput: true })
  return (input: unknown): Result.Result<S["Type"], Fault> =>
    Result.mapError(decode(input), (error) => faultOf(error.issue))
}
