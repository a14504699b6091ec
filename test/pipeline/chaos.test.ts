import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chaos } from "../support/chaos.ts"

/**
 * How much is done in the suite; for more, `CHAOS_MEETINGS=200 CHAOS_KILLS=100 npx vitest run
 * test/pipeline/chaos.test.ts`.
 */
const meetings = Number(process.env.CHAOS_MEETINGS ?? 4)
const mostKills = Number(process.env.CHAOS_KILLS ?? 2)
const killEvery = 5

describe("three workers, of which one is killed at random every few seconds", () => {
  it.live(
    "publish every meeting once with every part, lose and duplicate nothing, and account for every call",
    () =>
      Effect.gen(function* () {
        const seen = yield* chaos({ meetings, killEvery, mostKills })
        console.log(JSON.stringify(seen.figures))
        const once = { meetings, distinct: meetings }
        assert.deepStrictEqual(seen.flows, [{ state: "done", flows: meetings }])
        assert.deepStrictEqual(seen.failed, [])
        for (const [what, counted] of Object.entries(seen.once)) {
          assert.deepStrictEqual(counted, once, `${what}: once for each meeting`)
        }
        assert.deepStrictEqual(seen.uneven, [])
        assert.strictEqual(seen.mails.length, meetings)
        assert.strictEqual(new Set(seen.mails).size, meetings)
        assert.isNotEmpty(seen.letters)
        assert.strictEqual(new Set(seen.letters).size, seen.letters.length)
        // The store contains exactly the objects on record.
        assert.deepStrictEqual(seen.stored, seen.onRecord)
        // A lane never runs more than its limit, and no host gets more than one request per second.
        for (const { lane, running, atOnce } of seen.lanes) assert.isAtMost(running, atOnce, lane)
        for (const { host, requests, turns, closest } of seen.hosts) {
          assert.isAtMost(requests, turns, host)
          assert.isAtLeast(closest, 0.999, host)
        }
        // Each answered call is accounted for: where its worker was killed meanwhile, as one that began.
        assert.isAtMost(seen.accounted, seen.answered)
        assert.isAtMost(seen.answered, seen.begun)
        assert.isAtMost(seen.killed, seen.exposed)
        // The sound that arrives is a few milliseconds shorter than requested.
        assert.closeTo(seen.cost, seen.costOfAccounted, seen.cost / 1000)
      }),
    3_600_000
  )
})
