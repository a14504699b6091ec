import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/api.ts"
import { Security } from "../../src/api/security.ts"
import { ask } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const id = meetingId("full")

interface Guarded {
  readonly method: string
  readonly path: string
  readonly takesGrant: boolean
}

/** The operations that need a session, or a session or a grant. */
const guarded: Array<Guarded> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations }) => {
    const requirement = Context.get(mergedAnnotations, Security) ?? []
    if (!requirement.some((one) => "session" in one) || requirement.some((one) => Object.keys(one).length === 0)) return
    const takesGrant = requirement.some((one) => "share_grant" in one)
    guarded.push({ method: endpoint.method, path: endpoint.path, takesGrant })
  }
})

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "an operation that needs a credential",
  (it) => {
    it.effect("refuses a caller without one before it looks at anything else", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        assert.isAbove(guarded.length, 25)
        for (const { method, path, takesGrant } of guarded) {
          const url = `${base}${path.replace(/:\w+/, takesGrant ? id : "nothing")}?meeting_id=nothing&since=nothing&format=nothing`
          const bodies = method === "GET" ? [undefined] : ["{", '{"nothing":1}']
          for (const body of bodies) {
            const answer = yield* ask(url, {
              method,
              headers: { "content-type": "application/json" },
              ...(body === undefined ? {} : { body })
            })
            const { error, hint } = answer.json()
            assert.strictEqual(answer.status, 401, `${method} ${path}: ${answer.text}`)
            assert.strictEqual(error, "sign_in_required", path)
            // A grant is suggested only where one would do.
            assert.strictEqual(/share link/.test(String(hint)), takesGrant, path)
          }
        }
      })
    )
  }
)
