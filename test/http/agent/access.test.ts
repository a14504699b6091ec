import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { agentOnly } from "../../../src/api/agent/access.ts"
import { Api } from "../../../src/api/api.ts"
import { Security } from "../../../src/api/security.ts"
import { reader } from "../../support/actors.ts"
import { meetingId } from "../../support/builders.ts"
import { call } from "../../support/call.ts"
import { fullRecord } from "../../support/full-record.ts"
import { operated } from "../../support/operators.ts"
import { TestService } from "../../support/service.ts"

/** Every operation for operators, with ids that name nothing. */
const operations: Array<{ readonly method: string; readonly path: string }> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations }) => {
    const path = endpoint.path.replaceAll(/:\w+/g, "nothing")
    if (Context.get(mergedAnnotations, Security) === agentOnly) operations.push({ method: endpoint.method, path })
  }
})

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "the operators' API",
  (it) => {
    it.effect("authenticates the caller before it looks at the request", () =>
      Effect.gen(function* () {
        assert.strictEqual(operations.length, 24)
        const { readOnly, revoked } = yield* operated
        const { credentials } = yield* reader()
        for (const { method, path } of operations) {
          const target = `${path}?page=nothing&limit=nothing&group=nothing&gap=nothing`
          const body = method === "GET" ? undefined : { nothing: 1 }
          const nobody = yield* call(method, target, credentials, body)
          assert.strictEqual(nobody.status, 401, path)
          assert.strictEqual(nobody.json().error, "agent_token_required", path)
          assert.strictEqual(nobody.headers.get("www-authenticate"), 'Bearer realm="agent"', path)
          assert.strictEqual(nobody.headers.get("cache-control"), "no-store", path)
          const former = yield* call(method, target, revoked, body)
          assert.strictEqual(former.json().error, "agent_token_invalid", path)
          if (method === "GET") continue
          const reading = yield* call(method, target, readOnly, body)
          assert.strictEqual(reading.status, 403, path)
          assert.match(reading.headers.get("www-authenticate") ?? "", /error="insufficient_scope"/, path)
        }
      })
    )

    it.effect("takes no token from an address, not even beside a good one", () =>
      Effect.gen(function* () {
        const { readOnly } = yield* operated
        const token = (readOnly.headers.authorization ?? "").replace("Bearer ", "")
        for (const query of [`access_token=${token}`, `token=${token}`, "access_token=x"]) {
          const answer = yield* call("GET", `/api/agent?${query}`, readOnly)
          assert.strictEqual(answer.status, 400, query)
          assert.strictEqual(answer.json().error, "invalid_request", query)
        }
      })
    )

    it.effect("requires the token in the header, even if it is in the address", () =>
      Effect.gen(function* () {
        const { readOnly } = yield* operated
        const token = (readOnly.headers.authorization ?? "").replace("Bearer ", "")
        const answer = yield* call("GET", `/api/agent?access_token=${token}`)
        assert.strictEqual(answer.status, 401)
        assert.strictEqual(answer.json().error, "agent_token_required")
      })
    )

    it.effect("reads the run of a path however the path is encoded", () =>
      Effect.gen(function* () {
        const { ofRun, run } = yield* operated
        const other = randomUUID()
        const encoded = (id: string) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`
        const retry = (id: string, completion = "completion") =>
          call("POST", `/api/agent/${completion}/${id}/tasks/nothing/retry`, ofRun)
        for (const id of [run, run.toUpperCase(), encoded(run)]) {
          assert.strictEqual((yield* retry(id)).status, 404, id)
          assert.strictEqual((yield* retry(id, "complet%69on")).status, 404, id)
        }
        for (const id of [other, encoded(other), `${run}%2f..%2f${other}`, `${other}%2f${run}`]) {
          assert.strictEqual((yield* retry(id)).json().error, "agent_token_read_only", id)
          assert.strictEqual((yield* retry(id, "complet%69on")).json().error, "agent_token_read_only", id)
        }
      })
    )

    it.effect("names the field whose text cannot be stored, once the token is valid", () =>
      Effect.gen(function* () {
        const { ofRun, readOnly, run, place } = yield* operated
        const path = `/api/agent/completion/${run}/places/${place}/candidates`
        for (const name of ["Zoning\u0000Board", "Zoning \ud800"]) {
          const body = { candidates: [{ name, kind: "other", url: "https://zoning.example.gov/" }] }
          const refused = yield* call("POST", path, ofRun, body)
          assert.strictEqual(refused.status, 400)
          assert.match(String(refused.json().message), /^candidates\.0\.name must be text/)
          assert.strictEqual((yield* call("POST", path, readOnly, body)).status, 403)
        }
        const { credentials } = yield* reader()
        const clip = { meeting_id: meetingId("full"), start: 100, end: 130, title: "Budget\u0000" }
        const cut = yield* call("POST", "/api/user-clips", credentials, clip)
        assert.strictEqual(cut.status, 400)
        assert.match(String(cut.json().message), /^title must be text/)
      })
    )

    it.effect("sends responses that no cache may store and no script of another origin may read", () =>
      Effect.gen(function* () {
        const { readOnly } = yield* operated
        const { status, headers } = yield* call("GET", "/api/agent/live", readOnly, undefined, {
          origin: "https://elsewhere.example"
        })
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("cache-control"), "private, no-store")
        assert.isNull(headers.get("access-control-allow-origin"))
        assert.strictEqual((yield* call("HEAD", "/api/agent/live", readOnly)).status, 200)
      })
    )

    it.effect(
      "links the neighbors of a page with every filter included, and joins repeated values in any spelling",
      () =>
        Effect.gen(function* () {
          const { readOnly } = yield* operated
          const page = yield* call("GET", "/api/agent/meetings?status[]=held&include_bare=1&page_size=1", readOnly)
          assert.match(
            page.headers.get("link") ?? "",
            /<http:\/\/record\.example\.gov\/api\/agent\/meetings\?[^>]*include_bare=1[^>]*page=2>; rel="next"/
          )
          for (const levels of ["levels=info,warn", "levels=info&levels=warn", "levels[]=info&levels[]=warn"]) {
            assert.strictEqual((yield* call("GET", `/api/agent/logs?${levels}`, readOnly)).status, 200, levels)
          }
          assert.strictEqual((yield* call("GET", "/api/agent/logs?levels=loud", readOnly)).status, 400)
        })
    )

    it.effect("moves a meeting whose old addresses still lead to it", () =>
      Effect.gen(function* () {
        const { ofRun, run } = yield* operated
        const id = meetingId("bare")
        const before = (yield* call("GET", `/api/meetings/${id}`)).json()
        const moved = yield* call("PUT", `/api/agent/completion/${run}/meetings/${id}/agency`, ofRun, {
          agency_slug: "parks-a"
        })
        assert.strictEqual(moved.status, 202)
        const after = (yield* call("GET", `/api/meetings/${before.slug}`)).json()
        assert.strictEqual(after.id, id)
        assert.include(after.body, { slug: "parks-a" })
        const page = yield* call("GET", String(before.path))
        assert.strictEqual(page.status, 200)
        assert.include(page.text, String(after.path))
      })
    )
  }
)
