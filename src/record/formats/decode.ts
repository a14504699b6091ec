import { Predicate, Result, Schema, SchemaAST, SchemaIssue } from "effect"

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

/** A record, and the faults of its optional parts, which are left out of it. */
export interface Tolerated<A> {
  readonly value: A
  readonly leftOut: ReadonlyArray<Fault>
}

type Path = ReadonlyArray<string>

/** The type of a list or an object, where it may also be null. */
const structureOf = (ast: SchemaAST.AST): SchemaAST.AST =>
  SchemaAST.isUnion(ast) ? (ast.types.find((type) => !SchemaAST.isNull(type)) ?? ast) : ast

/**
 * The innermost part on the way to a field that a record can do without: an optional field, or an entry of an optional
 * list.
 */
const dispensablePart = (ast: SchemaAST.AST, path: Path): Path | undefined => {
  let node = structureOf(ast)
  let length = 0
  for (const [at, key] of path.entries()) {
    const inner: SchemaAST.AST | undefined = SchemaAST.isObjects(node)
      ? node.propertySignatures.find(({ name }) => name === key)?.type
      : SchemaAST.isArrays(node)
        ? node.rest[0]
        : undefined
    if (inner === undefined) break
    if (SchemaAST.isOptional(inner) || (length > 0 && SchemaAST.isArrays(node))) length = at + 1
    node = structureOf(inner)
  }
  return length === 0 ? undefined : path.slice(0, length)
}

const without = (value: unknown, [key = "", ...rest]: Path): unknown => {
  if (Array.isArray(value)) {
    const at = Number(key)
    return rest.length === 0 ? value.toSpliced(at, 1) : value.with(at, without(value[at], rest))
  }
  if (!Predicate.isObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    rest.length === 0
      ? entries.filter(([name]) => name !== key)
      : entries.map(([name, field]) => [name, name === key ? without(field, rest) : field])
  )
}

/** The faults of a record, at most one for each of its fields or entries. */
const faultsOf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey> = []): ReadonlyArray<Fault> => {
  if (issue._tag === "Pointer") return faultsOf(issue.issue, [...path, ...issue.path])
  if (issue._tag === "Encoding") return faultsOf(issue.issue, path)
  if (issue._tag === "Composite") return issue.issues.flatMap((one) => faultsOf(one, path))
  // A list or an object that may also be null.
  if (issue._tag === "AnyOf" && issue.issues[0] !== undefined) return faultsOf(issue.issues[0], path)
  return [faultOf(issue, path)]
}

/**
 * A decoder for records of other people: an optional part of the wrong shape costs only that part. Fails with the first
 * fault that costs the whole record: in a required field, or in one of the `settling`, which tell which record it is.
 */
export const tolerantDecoder = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  settling: ReadonlyArray<string> = []
) => {
  const decode = decoder(schema)
  const decodeAll = Schema.decodeUnknownResult(schema, { errors: "all", reportInput: true })
  return (input: unknown): Result.Result<Tolerated<S["Type"]>, Fault> => {
    const decoded = decodeAll(input)
    if (Result.isSuccess(decoded)) return Result.succeed({ value: decoded.success, leftOut: [] })
    const faults = faultsOf(decoded.failure.issue)
    const parts = new Map<string, Path>()
    for (const fault of faults) {
      const part = dispensablePart(schema.ast, fault.field.split("."))
      if (part === undefined || settling.includes(part[0] ?? "")) return Result.fail(fault)
      parts.set(part.join("."), part)
    }
    // From the end, so that the entries of a list keep their places until they are left out.
    const rest = [...parts.values()].reverse().reduce(without, input)
    return Result.map(decode(rest), (value) => ({ value, leftOut: faults }))
  }
}
