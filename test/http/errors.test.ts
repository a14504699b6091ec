import * as http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Health, NotMigrated } from "../../src/services/operators/health.ts"
import { type Answer, ask, askRaw, rawRequest } from "../support/asked.ts"
import { probeRoutes } from "../support/probe.ts"
import { fakeRecord, served } from "../support/served.ts"

const isProblem = (answer: Answer, status: number, error: string) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(answer.headers.get("content-type"), "application/json")
  assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  const body = answer.json()
  assert.deepStrictEqual(Object.keys(body), ["error", "message", "hint"])
  assert.strictEqual(body.error, error)
  assert.match(String(body.message), /^[A-Za-z].*\.$/)
  assert.match(String(body.hint), /^[A-Z].*\.$/)
  return { message: String(body.message), hint: String(body.hint) }
}

describe("an address that names nothing", () => {
  it.live("is 404, however it is spelled", () =>
    Effect.gen(function* () {
      const { base, port } = yield* served()
      const paths = [
        "/nowhere",
        "/api/nowhere",
        "/API/agencies",
        "/api/agencies/",
        "/api//agencies",
        "/api/agencies;x=1",
        "/api/meetings/none",
        "/api/meetings/%00",
        "/api/meetings/%ff",
        "/api/meetings/%zz",
        "/api/meetings/%",
        "/api/meetings/3f2b8c1e%2Fx/y",
        `/api/meetings/${"a".repeat(3000)}`,
        "/api/agencies/none",
        "/api/agencies/none/upcoming",
        "/api/in/springfield/none",
        "/api/places/none",
        "/api/search/geo/resolve?place_id=none",
        "/.well-known/oauth-protected-resource"
      ]
      for (const path of paths) isProblem(yield* askRaw(port, rawRequest(`GET ${path}`)), 404, "not_found")
      const { message, hint } = isProblem(yield* ask(`${base}/api/places/atlantis`), 404, "not_found")
      assert.strictEqual(message, 'No place has the slug "atlantis".')
      assert.include(hint, "/api/places")
    })
  )
})

describe("a parameter", () => {
  const refused: ReadonlyArray<readonly [path: string, message: string]> = [
    ["/api/meetings/browse?page=abc", "page must be a whole number from 1 to 10000."],
    ["/api/meetings/browse?page=0", "page must be a whole number from 1 to 10000."],
    ["/api/meetings/browse?page=10001", "page must be a whole number from 1 to 10000."],
    ["/api/meetings/browse?page=1.5", "page must be a whole number from 1 to 10000."],
    ["/api/meetings/browse?page=", "page must be a whole number from 1 to 10000."],
    ["/api/meetings/browse?page=1&page=2", "page must be sent only once."],
    ["/api/meetings/browse?page_size=101", "page_size must be a whole number from 1 to 100."],
    ["/api/meetings/browse?year=2026&year=never", "year must be a whole number from 1 to 9999."],
    ["/api/meetings/browse?state=illinois", "state must be the two capital letters of a state."],
    ["/api/meetings/browse?group_by=place", "group_by must be agency."],
    [
      "/api/meetings/browse?type=senate",
      "type must be one of city_council, school_board, planning_commission, county_board, committee, other."
    ],
    [`/api/meetings/browse?q=${"x".repeat(501)}`, "q must have at most 500 characters."],
    ["/api/meetings/browse?q=%00", "q must be UTF-8 text, percent-encoded, without the character U+0000."],
    ["/api/search/locations?q=a%ffb", "q must be UTF-8 text, percent-encoded, without the character U+0000."],
    ["/api/agencies?%00=1", "A query parameter must be UTF-8 text, percent-encoded, without the character U+0000."],
    ["/api/geo?city=Springfield", "region is required."],
    ["/api/search/geo", "q is required."],
    ["/api/search/geo/resolve", "place_id is required."],
    ["/api/upcoming?within_days=31", "within_days must be a whole number from 1 to 30."]
  ]

  it.live("that does not decode is named, with the reason", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      for (const [path, message] of refused) {
        assert.strictEqual(isProblem(yield* ask(base + path), 400, "invalid_request").message, message, path)
      }
    })
  )

  it.live("that is unknown is ignored, and one that may be repeated may be given once", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      assert.strictEqual((yield* ask(`${base}/api/meetings/browse?nonsense=1&year=2026&state=IL&state=WI`)).status, 200)
    })
  )
})

describe("a body", () => {
  const post = (base: string, body: string, type = "application/json", headers: Record<string, string> = {}) =>
    ask(`${base}/probe/notes`, { method: "POST", body, headers: { "content-type": type, ...headers } })

  it.live("is read as JSON, and refused naming the field", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ routes: probeRoutes() })
      assert.deepStrictEqual((yield* post(base, '{"text":"x"}')).json(), { text: "x" })
      assert.strictEqual((yield* post(base, '{"text":"x"}', "application/json; charset=utf-8")).status, 200)
      const refused: ReadonlyArray<readonly [body: string, message: string]> = [
        ['{"text":', "The body is not a JSON object with the expected fields."],
        ["[]", "The body is not a JSON object with the expected fields."],
        ["", "The body is not a JSON object with the expected fields."],
        ["{}", "text is required."],
        ['{"text":1}', "text must be a string."],
        ['{"text":null}', "text must be a string."],
        ['{"text":"x","stars":6}', "stars must be a value between 1 and 5."],
        ['{"text":"x","tags":[{"name":"a"},{}]}', "tags.1.name is required."]
      ]
      for (const [body, message] of refused) {
        assert.strictEqual(isProblem(yield* post(base, body), 400, "invalid_request").message, message, body)
      }
    })
  )

  it.live("over 64 KB is 413, whether its length was declared or not", () =>
    Effect.gen(function* () {
      const { base, port } = yield* served({ routes: probeRoutes() })
      const note = (bytes: number) => JSON.stringify({ text: "x".repeat(bytes - 11) })
      assert.strictEqual((yield* post(base, note(64 * 1024))).status, 200)
      isProblem(yield* post(base, note(64 * 1024 + 1)), 413, "body_too_large")
      const chunk = note(70_000)
      const chunked = `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`
      isProblem(
        yield* askRaw(
          port,
          rawRequest("POST /probe/notes", ["Content-Type: application/json", "Transfer-Encoding: chunked"], chunked)
        ),
        413,
        "body_too_large"
      )
      isProblem(
        yield* askRaw(
          port,
          rawRequest("POST /probe/notes", ["Content-Type: application/json", "Content-Length: 99999999"])
        ),
        413,
        "body_too_large"
      )
    })
  )

  it.live("that is not JSON is 415, and so is one without a type", () =>
    Effect.gen(function* () {
      const { base, port } = yield* served({ routes: probeRoutes() })
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/problem+json"]) {
        isProblem(yield* post(base, '{"text":"x"}', type), 415, "unsupported_media_type")
      }
      isProblem(
        yield* askRaw(port, rawRequest("POST /probe/notes", ["Content-Length: 12"], '{"text":"x"}')),
        415,
        "unsupported_media_type"
      )
    })
  )
})

describe("an internal error", () => {
  it.live("is 500 with the request id, reveals nothing of the inside, and is in the log", () =>
    Effect.gen(function* () {
      const { base, lines } = yield* served({ routes: probeRoutes() })
      for (const path of ["/probe/defect", "/probe/syntax", "/probe/unencodable"]) {
        const answer = yield* ask(base + path, { headers: { "x-request-id": "trace-of-fault" } })
        assert.include(isProblem(answer, 500, "internal").hint, "trace-of-fault")
        assert.notMatch(answer.text + JSON.stringify([...answer.headers]), /select|password|\.ts|SqlError|Error:/)
      }
      const faults = lines.filter(({ level }) => level === "Error")
      assert.strictEqual(faults.length, 3)
      assert.strictEqual(faults[0]?.annotations.request_id, "trace-of-fault")
    })
  )

  it.live("is 503 with Retry-After where the database cannot be reached", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ routes: probeRoutes() })
      const answer = yield* ask(`${base}/probe/away`)
      isProblem(answer, 503, "unavailable")
      assert.strictEqual(answer.headers.get("retry-after"), "5")
    })
  )

  it.live("is 503 on readiness until migrations are done, while liveness answers", () =>
    Effect.gen(function* () {
      const migrating = Layer.mock(Health)({
        live: Effect.succeed({ status: "ok", database: "ok" }),
        ready: Effect.fail(new NotMigrated())
      })
      const { base } = yield* served({ record: Layer.merge(fakeRecord, migrating) })
      assert.strictEqual((yield* ask(`${base}/health`)).status, 200)
      const answer = yield* ask(`${base}/health/ready`)
      isProblem(answer, 503, "unavailable")
      assert.strictEqual(answer.headers.get("retry-after"), "5")
    })
  )
})

describe("malformed or unusual HTTP", () => {
  it.live("is answered in the error shape all the same", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      isProblem(yield* askRaw(port, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n"), 400, "invalid_request")
      isProblem(yield* askRaw(port, "what is this\r\n\r\n"), 400, "invalid_request")
      isProblem(yield* askRaw(port, "GET /health HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n"), 400, "invalid_request")
      isProblem(
        yield* askRaw(port, rawRequest("GET /health", [`X-Long: ${"x".repeat(20_000)}`])),
        431,
        "invalid_request"
      )
      isProblem(yield* askRaw(port, rawRequest("GET /health", ["Expect: the-unexpected"])), 417, "invalid_request")
      isProblem(yield* askRaw(port, rawRequest("BREW /api/agencies")), 400, "invalid_request")
      assert.strictEqual((yield* askRaw(port, rawRequest("GET http://elsewhere/health"))).status, 200)
    })
  )

  it.live("is served where it asks for an upgrade that is not offered", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      const answer = yield* askRaw(
        port,
        "GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
      )
      assert.strictEqual(answer.status, 200)
    })
  )

  it.live("leaves the service running after a caller has hung up", () =>
    Effect.gen(function* () {
      const { base, lines } = yield* served()
      yield* Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            const request = http.request(`${base}/api/agencies`, {
              method: "POST",
              headers: { "content-length": "10" }
            })
            request.on("error", () => resolve())
            request.write("x")
            request.on("response", () => request.destroy(new Error("gone")))
          })
      )
      assert.strictEqual((yield* ask(`${base}/health`)).status, 200)
      assert.deepStrictEqual(
        lines.filter(({ level }) => level === "Error"),
        []
      )
    })
  )
})
