import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Browse } from "../../src/services/search/browse.ts"
import { SearchesBusy, SearchOverBudget } from "../../src/services/search/query/query-budget.ts"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { call } from "../support/call.ts"
import { fakeRecord, served } from "../support/served.ts"
import { TestService } from "../support/service.ts"

const phrases = (count: number) => Array.from({ length: count }, () => '"the next item"').join(" ")
const browse = (q: string) => call("GET", `/api/meetings/browse?q=${encodeURIComponent(q)}`)

layer(TestService, { excludeTestServices: true })("a search over its budget", (it) => {
  it.effect("is answered with what to leave out", () =>
    Effect.gen(function* () {
      const many = yield* browse(phrases(31))
      assert.strictEqual(many.status, 400)
      assert.deepStrictEqual(many.json(), {
        error: "invalid_request",
        message: "q has 31 phrases in quotes, and a search may have at most 4.",
        hint: "Leave out 27 phrases, and send the search again."
      })
      const long = yield* browse(`"${"bond ".repeat(10)}" or beer`)
      assert.strictEqual(long.json().message, "q has 10 words in one phrase, and a phrase may have at most 8.")
      assert.strictEqual(
        (yield* browse(`bond ${"-beer ".repeat(17)}`)).json().hint,
        "Leave out 2 words, and send the search again."
      )
      assert.strictEqual((yield* browse(phrases(4))).status, 200)
      assert.deepStrictEqual((yield* browse("bond ".repeat(18))).json().dropped, ["bond", "bond"])
      assert.strictEqual((yield* browse(`"${"bond ".repeat(10)}"`)).status, 200, "a longer quotation is its words")
    })
  )

  it.effect("cannot become a saved search either", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader()
      const query = new URLSearchParams({ q: phrases(5) }).toString()
      const refused = yield* call("POST", "/api/me/saved-searches", credentials, { query })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.json().message, "query has 5 phrases in quotes, and a search may have at most 4.")
    })
  )
})

const servedWith = (failure: SearchOverBudget | SearchesBusy) =>
  served({ record: Layer.mergeAll(fakeRecord, Layer.mock(Browse)({ search: () => Effect.fail(failure) })) })

describe("a search that could not be finished", () => {
  it.live("is 400 if it took too long, and 503 if too many are running", () =>
    Effect.gen(function* () {
      const long = yield* servedWith(new SearchOverBudget({}))
      const refused = yield* ask(`${long.base}/api/meetings/browse?q=the+usual`)
      assert.deepStrictEqual([refused.status, refused.json().error], [400, "invalid_request"])
      assert.match(String(refused.json().message), /^q costs more than a search may/)
      const full = yield* servedWith(new SearchesBusy())
      const busy = yield* ask(`${full.base}/api/meetings/browse?q=the+usual`)
      assert.deepStrictEqual([busy.status, busy.json().error], [503, "unavailable"])
      assert.strictEqual(busy.headers.get("retry-after"), "5")
    })
  )
})
