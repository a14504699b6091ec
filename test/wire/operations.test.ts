import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiSchema, OpenApi } from "effect/http-api"
import { ErrorBody } from "../../schema/errors.ts"
import { Api } from "../../src/api/api.ts"
import { grantTo, keptBy, nobody, reader, readyClip, shareToken } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { operated } from "../support/operators.ts"
import { compiled } from "../support/program.ts"
import { serviceAddress, TestService } from "../support/service.ts"
import { callsOf, id, send } from "./calls.ts"

const answersBytes = ["getMedia", "downloadUserClip"]

const answers = new Map<string, Schema.Top>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, successes }) => {
    const [declared] = successes.get(200) ?? successes.get(201) ?? []
    const id = Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => "")
    if (declared === undefined || answersBytes.includes(id)) return
    answers.set(id, HttpApiSchema.isWithHeaders(declared) ? declared.schema : declared)
  }
})

const decodes = (schema: Schema.Top, value: unknown) =>
  Schema.decodeUnknownEffect(schema as Schema.Codec<unknown, unknown>, { onExcessProperty: "error" })(value)

const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).some(hasNull))

const run = promisify(execFile)
const root = path.join(import.meta.dirname, "../..")
const bin = (name: string) => path.join(root, "node_modules/.bin", name)

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "every operation of the served document",
  (it) => {
    it.effect("answers a good call by its own schema, and a bad one in the error shape", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { accountId, credentials } = yield* reader()
        const calls = callsOf(
          credentials,
          yield* grantTo(id),
          yield* keptBy(accountId),
          yield* readyClip(accountId, id),
          yield* operated
        )
        const document = (yield* ask(`${base}/openapi.json`)).json() as unknown as OpenApi.OpenAPISpec
        const ids = Object.values(document.paths).flatMap(({ get, put, post, patch, delete: remove }) =>
          [get, put, post, patch, remove].flatMap((operation) => operation?.operationId ?? [])
        )
        assert.deepStrictEqual(Object.keys(calls).sort(), ids.sort())
        for (const [name, { good, status: expected = 200, bad }] of Object.entries(calls)) {
          const answer = yield* send(good)
          assert.strictEqual(answer.status, expected, `${name}: ${answer.text}`)
          const schema = answers.get(name)
          if (schema !== undefined && expected === 200 && !good.streams) {
            const isText = /^text\/(html|calendar);/.test(answer.headers.get("content-type") ?? "")
            const body = isText ? answer.text : answer.json()
            yield* decodes(schema, body)
            assert.isFalse(hasNull(body), name)
          } else if (good.streams) {
            assert.strictEqual(answer.headers.get("content-type"), "text/event-stream", name)
            assert.strictEqual(answer.text, "retry: 3000\n\n", name)
          } else {
            assert.isTrue(expected !== 200 || answersBytes.includes(name), name)
          }
          const refusal = yield* send(bad)
          const [status, error] = bad.answer
          assert.strictEqual(refusal.status, status, `${name}: ${refusal.text}`)
          const body = yield* Schema.decodeUnknownEffect(ErrorBody, { onExcessProperty: "error" })(refusal.json())
          assert.strictEqual(body.error, error, name)
          assert.strictEqual(refusal.headers.get("cache-control"), "no-store", name)
        }
      })
    )

    it.effect("sends responses that are not encoded by their schema, but conform to it, to every caller", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const grant = shareToken(yield* grantTo(id))
        const schemaOf = (name: string) => answers.get(name) ?? Schema.Never
        for (const [name, path] of [
          ["getMeeting", `/api/meetings/${id}`],
          ["getMeeting", `/api/meetings/${meetingId("bare")}`],
          ["listAgencies", "/api/agencies"],
          ["listPlaces", "/api/places"],
          ["listUpcoming", "/api/upcoming?per_body=2"],
          ["searchLocations", "/api/search/locations"],
          ["searchLocations", "/api/search/locations?q=springfeild"],
          ["browseMeetings", "/api/meetings/browse"],
          ["browseMeetings", "/api/meetings/browse?q=sentence&group_by=agency"]
        ] as const) {
          for (const who of [nobody, credentials, grant]) {
            const answer = yield* send({ path, who })
            assert.strictEqual(answer.status, 200, path)
            yield* decodes(schemaOf(name), answer.json())
            assert.isFalse(hasNull(answer.json()), path)
          }
        }
      })
    )

    it.effect("returns the content of the record", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const teaser = (yield* ask(`${base}/api/meetings/${id}`)).json()
        assert.include(teaser, { gated: true, title: "Regular Meeting", state: "IL" })
        assert.notInclude(JSON.stringify(teaser), "Bonds")
        const slug = String(teaser.slug)
        for (const ref of [slug, slug.slice(0, 8), slug.slice(0, -3), slug.toUpperCase()]) {
          assert.strictEqual((yield* ask(`${base}/api/meetings/${ref}`)).json().id, teaser.id, ref)
        }
        assert.strictEqual((yield* ask(`${base}/api/meetings/${slug.slice(0, 7)}`)).status, 404)
        const found = yield* ask(`${base}/api/meetings/browse?q=sentence`)
        assert.notInclude(found.text, "Sentence number")
        const upcoming = (yield* ask(`${base}/api/upcoming`)).json() as {
          bodies: ReadonlyArray<{ meetings: ReadonlyArray<unknown> }>
        }
        assert.strictEqual(upcoming.bodies[0]?.meetings.length, 1)
      })
    )

    it.effect("pass the rules of redocly.yaml and .spectral.yaml", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { text } = yield* ask(`${base}/openapi.json`)
        yield* Effect.acquireUseRelease(
          Effect.sync(() => mkdtempSync(path.join(tmpdir(), "civic-record-openapi-"))),
          (folder) =>
            Effect.promise(async () => {
              const file = path.join(folder, "openapi.json")
              writeFileSync(file, text)
              const env = {
                ...process.env,
                ...compiled,
                REDOCLY_TELEMETRY: "off",
                REDOCLY_SUPPRESS_UPDATE_NOTICE: "true"
              }
              await run(bin("redocly"), ["lint", "--config", path.join(root, "redocly.yaml"), file], {
                env,
                cwd: folder
              })
              await run(bin("spectral"), ["lint", "--ruleset", path.join(root, ".spectral.yaml"), file], {
                env,
                cwd: folder
              })
            }),
          (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
        )
      })
    )
  }
)
