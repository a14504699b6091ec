import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { AgentTokens } from "../../../src/services/operators/agent-tokens.ts"
import { meetingId } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

layer(AgentTokens.layer.pipe(Layer.provideMerge(TestDb)), { excludeTestServices: true })("an agent token", (it) => {
  it.effect("has 256 random bits, and is stored only as a hash", () =>
    Effect.gen(function* () {
      const tokens = yield* AgentTokens
      const db = yield* Db
      const { id, token } = yield* tokens.mint({ machine: "box" })
      assert.match(token, /^cr_agent_[A-Za-z0-9_-]{43}$/)
      assert.notStrictEqual((yield* tokens.mint({ machine: "box" })).token, token)
      const [row] = yield* db<{ text: string; bytes: number }>`
        select agent_token::text as text, length(token_hash) as bytes from agent_token where id = ${id}`
      assert.strictEqual(row?.bytes, 32)
      assert.notInclude(row?.text, token.slice("cr_agent_".length))
      assert.notInclude(JSON.stringify(yield* tokens.list), token)
    })
  )

  it.effect("identifies its owner until it is revoked, and records its use at most once a minute", () =>
    Effect.gen(function* () {
      const tokens = yield* AgentTokens
      const db = yield* Db
      const { id, token } = yield* tokens.mint({ machine: "box" })
      const lastUse = Effect.map(
        db<{ at: Date | null }>`select last_used_at as at from agent_token where id = ${id}`,
        ([row]) => row?.at ?? null
      )
      assert.isNull(yield* lastUse)
      assert.deepStrictEqual(
        yield* tokens.holder(token),
        Option.some({ tokenId: id, machine: "box", runId: undefined })
      )
      const first = yield* lastUse
      assert.isNotNull(first)
      yield* tokens.holder(token)
      assert.deepStrictEqual(yield* lastUse, first)
      yield* db`update agent_token set last_used_at = now() - interval '61 seconds' where id = ${id}`
      const before = yield* lastUse
      yield* tokens.holder(token)
      assert.notDeepEqual(yield* lastUse, before)
      yield* tokens.revoke(id)
      yield* tokens.revoke(id)
      assert.isTrue(Option.isNone(yield* tokens.holder(token)))
      assert.deepInclude(yield* Effect.flip(tokens.revoke(meetingId("none"))), { what: "token" })
    })
  )

  it.effect("cannot be minted for a run that does not exist", () =>
    Effect.gen(function* () {
      const tokens = yield* AgentTokens
      for (const run of [meetingId("none"), "nonsense"]) {
        const refused = yield* Effect.flip(tokens.mint({ machine: "box", run }))
        assert.deepInclude(refused, { what: "completion_run", ref: run })
      }
    })
  )
})
