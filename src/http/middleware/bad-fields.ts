import { Effect, type Layer, type Schema, SchemaAST, SchemaIssue } from "effect"
import * as Context from "effect/Context"
import { HttpServerRequest } from "effect/http"
import { type HttpApiError, HttpApiMiddleware, OpenApi } from "effect/http-api"
import { invalidRequest } from "../../api/errors/common.ts"
import { NamesBadFields } from "../../api/middleware.ts"

const describeIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "MissingKey"
      ? "is required"
      : issue._tag === "UnexpectedKey"
        ? "is not a known field"
        : SchemaIssue.defaultLeafHook(issue),
  checkHook: (issue) => ownWordsOf(issue.filter.annotations) ?? SchemaIssue.defaultCheckHook(issue)
})

type Annotations = Schema.Annotations.Annotations | undefined

/** A custom check's own words, completing a sentence. */
const ownWordsOf = (check: Annotations): string | undefined =>
  typeof check?.message === "string" ? check.message : undefined

/** The requirement of a library check, completing a sentence. */
const libraryWordsOf = (expected: unknown, of: "characters" | "entries"): string | undefined => {
  if (typeof expected !== "string") return undefined
  const [, bound, length] = /^a value with a length of at (most|least) (\d+)$/.exec(expected) ?? []
  if (length === undefined) return `must be ${expected}`
  return bound === "least" && length === "1" ? "must not be empty" : `must have at ${bound} ${length} ${of}`
}

interface Trouble {
  /** The path as the caller writes it: `page`, `bodies.0.agency_slug`; undefined if the whole is wrong. */
  readonly field: string | undefined
  readonly problem: string
}

/** The first problem with a request, from the schema that refused it. */
export const firstTrouble = (issue: SchemaIssue.Issue, sent: Readonly<Record<string, unknown>> = {}): Trouble => {
  const [first] = describeIssues(issue).issues
  const path = (first?.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment))
  const [name] = path
  if (name === undefined) return { field: undefined, problem: "is not a JSON object with the expected fields" }
  const ast = at(rootOf(issue), path)
  // A list where a single value is expected: the parameter was sent more than once.
  if (path.length === 1 && Array.isArray(sent[String(name)])) {
    return { field: String(name), problem: "must be sent only once" }
  }
  const stated = first?.message ?? ""
  // One value of a repeatable parameter is named as the parameter.
  const field = path.filter((segment, index) => !(index === 1 && path.length === 2 && typeof segment === "number"))
  return {
    field: field.map(String).join("."),
    problem: /^(?:must|is) /.test(stated)
      ? stated
      : ast === undefined
        ? "does not have the expected form"
        : demandOf(ast, stated)
  }
}

const rootOf = (issue: SchemaIssue.Issue): SchemaAST.AST | undefined =>
  "ast" in issue ? SchemaAST.toType(issue.ast) : "issue" in issue ? rootOf(issue.issue) : undefined

const at = (ast: SchemaAST.AST | undefined, path: ReadonlyArray<PropertyKey>): SchemaAST.AST | undefined => {
  const [key, ...rest] = path
  if (ast === undefined || key === undefined) return ast
  if (SchemaAST.isObjects(ast)) return at(ast.propertySignatures.find(({ name }) => name === key)?.type, rest)
  if (SchemaAST.isArrays(ast)) return at(ast.rest[0], rest)
  // One of several shapes: the first that has such a field.
  if (SchemaAST.isUnion(ast)) return ast.types.map((type) => at(type, path)).find((found) => found !== undefined)
  return undefined
}

/** The words for a value of the wrong type. */
const wrongTypes: Readonly<Record<string, string>> = {
  "Expected string": "must be a string",
  "Expected number": "must be a number",
  "Expected boolean": "must be true or false",
  "Expected array": "must be a list",
  "Expected object": "must be an object"
}

/**
 * A schema's requirement, completing a sentence: its type if the type is wrong, else the words of the check that
 * failed, else of any custom check, else of its type.
 */
const demandOf = (ast: SchemaAST.AST, stated: string): string => {
  const checks = ast.checks?.map(({ annotations }) => annotations) ?? []
  const of = SchemaAST.isArrays(ast) ? "entries" : "characters"
  const words =
    wrongTypes[stated] ??
    libraryWordsOf(/^Expected (a value .+)$/.exec(stated)?.[1], of) ??
    checks.map(ownWordsOf).find((own) => own !== undefined) ??
    libraryWordsOf(checks[0]?.expected, of)
  if (words !== undefined) return words
  if (SchemaAST.isLiteral(ast)) return `must be ${ast.literal}`
  if (SchemaAST.isUnion(ast)) {
    const literals = ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))
    return literals.length > 0 ? `must be one of ${literals.join(", ")}` : "does not have the expected form"
  }
  if (SchemaAST.isNumber(ast)) return "must be a number"
  if (SchemaAST.isBoolean(ast)) return "must be true or false"
  if (SchemaAST.isArrays(ast)) return "must be a list"
  if (SchemaAST.isObjects(ast)) return "must be an object"
  return "must be a string"
}

const wholes: Record<HttpApiError.HttpApiSchemaError["kind"], string> = {
  Params: "The path",
  Query: "The query",
  Headers: "A header",
  Payload: "The body",
  Body: "The response",
  ResponseHeaders: "The response"
}

/**
 * Names the field and what is wrong with it. A response that cannot be encoded is a defect of the service, not the
 * caller's mistake.
 */
export const NamesBadFieldsLive: Layer.Layer<NamesBadFields> = HttpApiMiddleware.layerSchemaErrorTransform(
  NamesBadFields,
  Effect.fnUntraced(function* (error, { endpoint }) {
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return yield* Effect.die(error)
    const sent = error.kind === "Query" ? yield* HttpServerRequest.ParsedSearchParams : {}
    const { field, problem } = firstTrouble(error.cause.issue, sent)
    const operation = Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => endpoint.identifier)
    return yield* Effect.fail(
      invalidRequest(
        field ?? wholes[error.kind],
        problem,
        `Correct ${field ?? "it"}, then send the request again; /openapi.json describes it under ${operation}.`
      )
    )
  })
)
