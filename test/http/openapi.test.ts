import { assert, describe, expect, it } from "@effect/vitest"
import { Context, Effect, Result, Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { ErrorBody } from "../../schema/errors.ts"
import { Api } from "../../src/api/api.ts"
import { examples } from "../../src/api/examples/index.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { ask } from "../support/asked.ts"
import { served } from "../support/served.ts"

type Json = Record<string, unknown>
const document = openApiDocument("1.2.3", "https://record.example.gov")

interface Operation {
  readonly id: string
  readonly path: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly spec: OpenApi.OpenAPISpecOperation
  /** The schema of a 200, or of a 202 with a body; undefined where the operation answers otherwise. */
  readonly success: Schema.Top | undefined
}

const operations: Array<Operation> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, successes }) => {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
    const spec = document.paths[path]?.[endpoint.method.toLowerCase() as OpenApi.OpenAPISpecMethodName]
    const accepted = successes.get(202)?.filter(({ ast }) => !SchemaAST.isVoid(ast))
    const [declared] = successes.get(200) ?? accepted ?? []
    if (spec === undefined) throw new Error(`${path} is not in the document`)
    operations.push({
      id: Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => ""),
      path,
      endpoint,
      spec,
      success: declared !== undefined && HttpApiSchema.isWithHeaders(declared) ? declared.schema : declared
    })
  }
})

const walk = (value: unknown, visit: (node: Json) => void): void => {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) visit(value as Json)
  for (const child of Object.values(value)) walk(child, visit)
}

const decodes = (schema: Schema.Top, value: unknown) =>
  Result.isSuccess(
    Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, { onExcessProperty: "error" })(value)
  )

describe("the specification", () => {
  it("has every operation, under a name that does not change", () => {
    const named: Array<string> = []
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if ("operationId" in operation) named.push(`${operation.operationId}: ${method.toUpperCase()} ${path}`)
      }
    }
    expect(named.sort()).toMatchSnapshot()
  })

  it("has no dangling reference", () => {
    const missing: Array<string> = []
    walk(document, (node) => {
      const ref = node.$ref
      if (typeof ref !== "string") return
      const found = ref
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => (typeof at === "object" && at !== null ? (at as Json)[key] : undefined), document)
      if (found === undefined) missing.push(ref)
    })
    assert.deepStrictEqual(missing, [])
  })

  it("says of every operation what it is, with its parameters described and shown", () => {
    for (const { id, spec } of operations) {
      assert.isAbove((spec.summary ?? "").length, 5, id)
      assert.isAbove((spec.description ?? "").length, 20, id)
      for (const parameter of spec.parameters) {
        assert.isAbove((parameter.description ?? "").length, 10, `${id} ${parameter.name}`)
        assert.property(parameter, "example", `${id} ${parameter.name}`)
      }
    }
  })

  it("describes every component and every response in our own words", () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      assert.isAbove(String((schema as Json).description ?? "").length, 10, name)
    }
    for (const { id, spec } of operations) {
      for (const [status, { description }] of Object.entries(spec.responses)) {
        assert.match(description, /^[A-Z].* .*\.$/s, `${id} ${status}`)
      }
    }
  })

  it("gives each number its type and bounds, which a query string would make text", () => {
    const page = operations
      .find(({ id }) => id === "browseMeetings")
      ?.spec.parameters.find(({ name }) => name === "page")
    assert.deepStrictEqual(page?.schema, { type: "integer", minimum: 1, maximum: 10_000, format: "int32" } as never)
  })

  it("has one error component, and an example of every error that an operation may answer with", () => {
    for (const { id, spec } of operations) {
      for (const [status, response] of Object.entries(spec.responses)) {
        if (Number(status) < 400) continue
        const media = response.content?.["application/json"] as Json | undefined
        assert.deepStrictEqual(media?.schema, { $ref: "#/components/schemas/Error" }, `${id} ${status}`)
        assert.isTrue(decodes(ErrorBody, media?.example), `${id} ${status}`)
      }
    }
  })

  it("has the pages that browsers get in place of errors on their way to sign in", () => {
    const pages = operations.filter(({ spec }) =>
      Object.entries(spec.responses).some(([status, { content }]) => Number(status) >= 400 && content?.["text/html"])
    )
    assert.deepStrictEqual(pages.map(({ id }) => id).toSorted(), ["completeSignIn", "startSignIn"])
    for (const { spec } of pages) assert.hasAllKeys(spec.responses[404]?.content, ["application/json", "text/html"])
  })

  it("shows an answer of every operation that decodes by its own schema", () => {
    for (const { id, success } of operations) {
      // Events and bytes are not a single value of a schema.
      if (success === undefined || id.startsWith("stream") || id.startsWith("download")) continue
      assert.property(examples, id)
      assert.isTrue(decodes(success, examples[id as keyof typeof examples]), id)
    }
  })

  it("has the build as its version", () => {
    assert.strictEqual(document.info.version, "1.2.3")
    assert.deepStrictEqual(
      document.servers.map(({ url }) => url),
      ["https://record.example.gov"]
    )
  })
})

describe("the served specification", () => {
  it.live("is the same document", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const answer = yield* ask(`${base}/openapi.json`)
      assert.strictEqual(answer.headers.get("content-type"), "application/json")
      assert.deepStrictEqual(Object.keys(answer.json().paths as Json), Object.keys(document.paths))
    })
  )
})
