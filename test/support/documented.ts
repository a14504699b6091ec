import { Option, Schema } from "effect"
import { HttpApi, HttpApiSchema, type OpenApi } from "effect/http-api"
import { ErrorBody } from "../../schema/errors.ts"
import { Api } from "../../src/api/api.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"

interface Documented {
  readonly name: string
  readonly parts: ReadonlyArray<string>
  readonly responses: OpenApi.OpenAPISpecResponses
}

const isParameter = (part: string) => part.startsWith("{")

/** The operations of the document by method, the ones with the fewest parameters first, as a router prefers them. */
const documented = (): ReadonlyMap<string, ReadonlyArray<Documented>> => {
  const paths: Readonly<Record<string, OpenApi.OpenAPISpecPathItem>> = openApiDocument("", "https://a.example").paths
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    (["get", "put", "post", "patch", "delete"] as const).flatMap((method) => {
      const operation = item[method]
      const name = `${method.toUpperCase()} ${path}`
      return operation === undefined
        ? []
        : [{ method: method.toUpperCase(), name, parts: path.split("/"), responses: operation.responses }]
    })
  )
  const parameters = ({ parts }: Documented) => parts.filter(isParameter).length
  return Map.groupBy(
    operations.toSorted((a, b) => parameters(a) - parameters(b)),
    ({ method }) => method
  )
}

/** The schema of each successful response that has one, by operation and status. */
const schemas = (): ReadonlyMap<string, Schema.Codec<unknown, unknown>> => {
  const found = new Map<string, Schema.Codec<unknown, unknown>>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      for (const status of [200, 201, 202]) {
        const [declared] = successes.get(status) ?? []
        if (declared === undefined) continue
        const schema = HttpApiSchema.isWithHeaders(declared) ? declared.schema : declared
        found.set(
          `${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")} ${status}`,
          schema as Schema.Codec<unknown, unknown>
        )
      }
    }
  })
  return found
}

let operations: ReturnType<typeof documented> | undefined
let bodies: ReturnType<typeof schemas> | undefined
/** Responses that were compared already. Tests ask for the same ones thousands of times. */
const compared = new Set<string>()

const operationAt = (method: string, path: string): Documented | undefined => {
  operations ??= documented()
  const parts = path.split("/")
  return operations
    .get(method === "HEAD" ? "GET" : method)
    ?.find(
      (one) =>
        one.parts.length === parts.length && one.parts.every((part, at) => isParameter(part) || part === parts[at])
    )
}

/**
 * How a response differs from the OpenAPI document: its status, its media type or the form of its JSON; undefined if it
 * does not, or if no operation is at its address.
 */
export const undocumented = (
  method: string,
  path: string,
  status: number,
  type: string | null,
  text: string
): string | undefined => {
  const operation = operationAt(method, path)
  if (operation === undefined) return undefined
  const response = operation.responses[status]
  if (response === undefined) return `${operation.name} does not say that it answers ${status}: ${text.slice(0, 200)}`
  const media = type?.split(";", 1)[0]?.trim()
  if (method === "HEAD" || status === 304 || media === undefined || text === "") return undefined
  const types = Object.keys(response.content ?? {})
  if (!types.includes(media)) return `${operation.name} does not say that its ${status} is ${media}, only ${types}`
  if (media !== "application/json") return undefined
  const key = `${operation.name} ${status}`
  if (compared.has(key + text)) return undefined
  compared.add(key + text)
  bodies ??= schemas()
  const schema = status >= 400 ? ErrorBody : bodies.get(key)
  if (schema === undefined) return undefined
  const decoded = Schema.decodeUnknownOption(schema as Schema.Codec<unknown, unknown>, { onExcessProperty: "error" })(
    JSON.parse(text)
  )
  return Option.isNone(decoded) ? `${key} has not the form of its schema: ${text.slice(0, 400)}` : undefined
}
