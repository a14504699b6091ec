import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Api } from "../../src/api/api.ts"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { userClipKey } from "../../src/services/meetings/media-tier.ts"
import { reader, readyClip } from "../support/actors.ts"
import { askRaw, rawRequest } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { served } from "../support/served.ts"
import { TestService } from "../support/service.ts"

const document = openApiDocument("1.2.3", "https://record.example.gov")

describe("the specification", () => {
  it("says of every body that it may be too large or of another type", () => {
    const paths: OpenApi.OpenAPISpecPaths = OpenApi.fromApi(Api).paths
    const bodies = Object.entries(paths).flatMap(([path, { post, put, patch }]) =>
      Object.entries({ post, put, patch }).flatMap(([method, operation]) =>
        operation?.requestBody === undefined ? [] : [{ path, method: method as "post" | "put" | "patch" }]
      )
    )
    assert.isAbove(bodies.length, 8)
    for (const { path, method } of bodies) {
      const spec: OpenApi.OpenAPISpecPathItem = document.paths[path] ?? {}
      assert.includeMembers(Object.keys(spec[method]?.responses ?? {}), ["413", "415"], path)
    }
  })

  it("says which responses may be revalidated and which are sent in ranges", () => {
    const statuses = (path: string) => Object.keys(document.paths[path]?.get?.responses ?? {})
    assert.includeMembers(statuses("/api/user-clips/{id}/download"), ["200", "206", "304", "416"])
    assert.includeMembers(statuses("/api/meetings/{id}/transcript"), ["200", "304"])
    assert.notInclude(statuses("/api/me/account"), "304")
  })

  it("has the events of both streams as schemas", () => {
    const schemas: Record<string, unknown> = document.components.schemas
    const events = JSON.stringify([schemas.MeetingsEvent, schemas.MeetingEvent])
    for (const event of ["meeting.published", "meeting.removed", "transcript.ready", "figures.ready"]) {
      assert.include(events, event)
    }
  })
})

describe("a response", () => {
  it.live("is in the coding that the caller likes best", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      for (const [accepted, coding] of [
        ["gzip, br", "br"],
        ["gzip;q=1, br;q=0.5", "gzip"],
        ["br;q=0, gzip;q=0.1", "gzip"],
        ["identity, br;q=0.5", null],
        ["br;q=0, gzip;q=0", null],
        ["*", "br"],
        ["deflate", null]
      ] as const) {
        const answer = yield* askRaw(port, rawRequest("GET /openapi.json", [`Accept-Encoding: ${accepted}`]))
        assert.strictEqual(answer.headers.get("content-encoding"), coding, accepted)
        assert.strictEqual(answer.headers.get("vary"), "Accept-Encoding", accepted)
      }
    })
  )

  it.live("lets scripts of other origins request ranges and resume streams", () =>
    Effect.gen(function* () {
      const { base, port } = yield* served()
      const preflight = yield* askRaw(
        port,
        rawRequest("OPTIONS /api/meetings/stream", [
          "Origin: https://elsewhere.example",
          "Access-Control-Request-Method: GET"
        ])
      )
      const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").split(", ")
      assert.includeMembers(allowed, ["Range", "If-Range", "Last-Event-ID"])
      const { headers } = yield* Effect.promise(() => fetch(`${base}/api/agencies`))
      const exposed = (headers.get("access-control-expose-headers") ?? "").split(", ")
      assert.includeMembers(exposed, ["Content-Range", "Accept-Ranges"])
    })
  )
})

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "a request",
  (it) => {
    it.effect("without a session sets a new cookie, in a response that no cache stores", () =>
      Effect.gen(function* () {
        const answer = yield* call("GET", "/api/search/geo?q=spring")
        assert.isString(answer.json().session)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.isNull(answer.headers.get("etag"))
      })
    )

    it.effect("for an automatic clip of a meeting without a recording is refused with that reason", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const id = meetingId("full")
        yield* Effect.flatMap(Db, (db) => db`delete from media where meeting_id = ${id} and role = 'rendition'`)
        const answer = yield* call("POST", "/api/user-clips/auto", credentials, { meeting_id: id, start: 10 })
        assert.strictEqual(answer.status, 409)
        assert.include(answer.json(), {
          error: "recording_too_short",
          message: "This meeting has no recording to cut a clip from."
        })
      })
    )

    it.effect("for a shared clip is 404 once its media is gone", () =>
      Effect.gen(function* () {
        const { accountId } = yield* reader()
        const { id, slug } = yield* readyClip(accountId, meetingId("full"))
        const path = `/api/user-clips/shared/${slug}`
        assert.strictEqual((yield* call("GET", path)).status, 200)
        yield* ObjectStore.use((store) => store.delete(userClipKey(id)))
        assert.strictEqual((yield* call("GET", path)).status, 404)
        assert.strictEqual((yield* call("GET", `/clips/${slug}`)).status, 404)
      })
    )
  }
)
