import { Context, Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { agentOnly } from "../../api/agent/access.ts"
import { Api } from "../../api/api.ts"
import type { WireError } from "../../api/errors/classes.ts"
import {
  bodyTooLarge,
  databaseAway,
  internal,
  invalidRequest,
  notAForm,
  rangeNotSatisfiable,
  rateLimited
} from "../../api/errors/common.ts"
import { examples } from "../../api/examples/index.ts"
import { mediaPathItem } from "../../api/media.ts"
import { PublicRead } from "../../api/middleware.ts"
import { Security, securitySchemes } from "../../api/security.ts"
import { ErrorPages, Revalidates, Surface } from "../../api/surface.ts"
import { wire } from "../../failures/failures.ts"
import { ShareGrantOtherMeeting, SignInRequired } from "../../services/accounts/access.ts"
import { ShareAlreadyRedeemed } from "../../services/accounts/shares.ts"
import { ClipTooLong } from "../../services/clips/user-clips.ts"
import { BodyUnsettled, placeNotFound, Removed, taskNotFound } from "../../services/failures.ts"
import { AgentTokenReadOnly, AgentTokenRequired } from "../../services/operators/agent-tokens.ts"
import { bodyLimit } from "../middleware/well-formed.ts"

type Json = Record<string, unknown>

/** An example of an error of each status. */
const problems: Readonly<Record<string, WireError>> = {
  400: invalidRequest(
    "page",
    "must be a whole number from 1 to 10000",
    "Correct page, then send the request again; /openapi.json describes it under browseMeetings."
  ),
  401: wire(new SignInRequired({ orGrant: true })),
  403: wire(new ShareGrantOtherMeeting()),
  404: wire(placeNotFound("atlantis")),
  409: wire(new ShareAlreadyRedeemed()),
  410: wire(new Removed({ ref: "3f2b8c1e", reason: "The recording was published by mistake." })),
  413: bodyTooLarge(bodyLimit),
  415: notAForm("text/plain"),
  416: rangeNotSatisfiable(1_482_113),
  422: wire(new ClipTooLong({ seconds: 412.5 })),
  429: rateLimited({ limit: 300, windowSeconds: 60 }, "address", 12, {}),
  500: internal("3b0f4f2e-8d7c-4a55-9f3e-0a6c1d2b4e70"),
  503: databaseAway()
}

/** The same for operators. */
const agentProblems = {
  ...problems,
  401: wire(new AgentTokenRequired()),
  403: wire(new AgentTokenReadOnly()),
  404: wire(taskNotFound("none")),
  409: wire(new BodyUnsettled({ source: "0199d3f0-0000-7000-8000-00000000000c", sourceBody: "Zoning Board" }))
}

const headers = {
  "X-Request-Id": [
    "Identifies this exchange; taken from the request if it has a valid one.",
    "3b0f4f2e-8d7c-4a55-9f3e-0a6c1d2b4e70"
  ],
  "Cache-Control": ["How caches may treat this response.", "public, max-age=60, stale-while-revalidate=300"],
  ETag: ["Send it as `If-None-Match` to get 304 as long as nothing has changed.", 'W/"kJ3q8QmVfYd0b3nH0m2t1u9XcPa"'],
  "Retry-After": ["How many seconds to wait before trying again.", "12"],
  RateLimit: ["What is left of the quota (draft-ietf-httpapi-ratelimit-headers-11).", '"public-read";r=299;t=1'],
  "RateLimit-Policy": ["The quota and its window in seconds.", '"public-read";q=300;w=60']
} as const
type HeaderName = keyof typeof headers

const refTo = (name: HeaderName) => [name, { $ref: `#/components/headers/${name}` }] as const

/**
 * The OpenAPI 3.1 document of this build. It adds to what the library generates from the contract: parameters have the
 * types that callers send (in a query string the library sees only text), with descriptions and examples, and responses
 * have examples and headers.
 */
export const openApiDocument = (build: string, baseUrl: string) => {
  const generated = OpenApi.fromApi(Api)
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
      const path = generated.paths[endpoint.path.replace(/:(\w+)/g, "{$1}")]
      const operation = path?.[endpoint.method.toLowerCase() as OpenApi.OpenAPISpecMethodName]
      if (operation === undefined) return
      const surface = Context.get(mergedAnnotations, Surface)
      const security = Context.get(mergedAnnotations, Security)
      const revalidates = Context.get(mergedAnnotations, Revalidates)
      const hasErrorPages = Context.get(mergedAnnotations, ErrorPages)
      const isTagged = surface === "public" || surface === "by_viewer" || revalidates !== "no"
      const responses: OpenApi.OpenAPISpecResponses = {
        ...operation.responses,
        ...(isTagged ? { 304: notModified } : {}),
        ...(revalidates === "ranges"
          ? { 206: { ...operation.responses[200], description: "The requested range." } }
          : {}),
        ...(operation.requestBody === undefined ? {} : { ...refusedBodies, ...operation.responses })
      }
      const isCounted = [...middleware].some(({ key }) => key === PublicRead.key)
      Object.assign(operation, {
        ...(security === undefined ? {} : { security }),
        parameters: operation.parameters.map((parameter) => documentedParameter(endpoint, parameter)),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [
            status,
            documentedResponse(
              status,
              hasErrorPages && Number(status) >= 400 ? alsoPage(response) : response,
              operation.operationId,
              security === agentOnly ? agentProblems : problems,
              [
                "X-Request-Id",
                "Cache-Control",
                ...(isCounted ? (["RateLimit", "RateLimit-Policy"] as const) : []),
                ...(status === "429" || status === "503" ? (["Retry-After"] as const) : []),
                ...(isTagged && Number(status) < 400 ? (["ETag"] as const) : [])
              ]
            )
          ])
        )
      })
    }
  })
  return {
    ...generated,
    info: { ...generated.info, version: build, contact: { name: "Civic Record", url: `${baseUrl}/developers` } },
    paths: Object.assign(generated.paths, mediaPathItem),
    tags: [...generated.tags, { name: "Media", description: "The bytes of recordings, clips, figures and agendas." }],
    servers: [{ url: baseUrl, description: "This service." }],
    components: {
      ...generated.components,
      securitySchemes,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, [description, example]]) => [
          name,
          { description, schema: { type: "string" }, example }
        ])
      )
    }
  }
}

const refusal = (description: string): OpenApi.OpenApiSpecResponse => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
})

/** An error that callers that prefer HTML to JSON get as a page. */
const alsoPage = (response: OpenApi.OpenApiSpecResponse): OpenApi.OpenApiSpecResponse => ({
  ...response,
  content: { ...response.content, "text/html": { schema: { type: "string" } } }
})

/** Errors about a body that come before the contract sees it. */
const refusedBodies = {
  413: refusal("The body is larger than 64 KB."),
  415: refusal("The operation does not accept a body of this type.")
}

const notModified: OpenApi.OpenApiSpecResponse = {
  description: "Not modified: the version named in `If-None-Match` is current."
}

const documentedParameter = (endpoint: HttpApiEndpoint.Top, parameter: OpenApi.OpenAPISpecParameter) => {
  const slot = parameter.in === "path" ? endpoint.params : parameter.in === "header" ? endpoint.headers : endpoint.query
  const type = slot === undefined ? undefined : fieldOf(SchemaAST.toType(slot.ast), parameter.name)
  if (type === undefined) return parameter
  const { description: ofType, examples: ofTypeExamples, ...schema } = jsonSchemaOf(type)
  const ofKey = type.context?.annotations ?? {}
  const description = ofKey.description ?? ofType
  const [example] = listOf(ofKey.examples ?? ofTypeExamples)
  return {
    ...parameter,
    schema,
    ...(typeof description === "string" ? { description } : {}),
    ...(example === undefined ? {} : { example })
  }
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const fieldOf = (ast: SchemaAST.AST, name: string): SchemaAST.AST | undefined =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.find((property) => property.name === name)?.type : undefined

/** Integers are 32 bits wide (spec 4.3), but for ids of log lines (spec 4.9). */
const jsonSchemaOf = (ast: SchemaAST.AST): Json => {
  const schema: Json = Schema.toJsonSchemaDocument(Schema.make(ast)).schema
  if (SchemaAST.isArrays(ast) && ast.rest[0] !== undefined) return { ...schema, items: jsonSchemaOf(ast.rest[0]) }
  if (schema.type !== "integer") return schema
  return { ...schema, format: Number(schema.maximum) > 2 ** 31 - 1 ? "int64" : "int32" }
}

const documentedResponse = (
  status: string,
  response: OpenApi.OpenApiSpecResponse,
  operationId: string,
  shownProblems: Readonly<Record<string, WireError>>,
  names: ReadonlyArray<HeaderName>
) => {
  const example = ["200", "201", "202"].includes(status)
    ? examples[operationId as keyof typeof examples]
    : shownProblems[status]
  const shown =
    example instanceof Error ? { error: example.error, message: example.message, hint: example.hint } : example
  return {
    ...response,
    ...(response.content === undefined && response.description.startsWith("<")
      ? { description: "The response has no content." }
      : {}),
    headers: {
      ...Object.fromEntries(
        Object.entries(response.headers ?? {}).map(([name, header]) => [canonical(name), documentedHeader(header)])
      ),
      ...Object.fromEntries(names.map(refTo))
    },
    ...(response.content === undefined || shown === undefined
      ? {}
      : {
          content: Object.fromEntries(
            Object.entries(response.content).map(([type, media]) => [
              type,
              // Only the JSON form has the schema's example; other formats bring their own.
              type === "application/json" ? { ...media, example: shown } : media
            ])
          )
        })
  }
}

const documentedHeader = (header: OpenApi.OpenAPISpecHeader) => {
  const { description, examples: shown, ...schema } = header.schema as Json
  const [example] = listOf(shown)
  return { ...header, description, schema, ...(example === undefined ? {} : { example }) }
}

const canonical = (name: string): string => name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase())
