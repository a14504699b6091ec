import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/asked.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

layer(TestService)("a record without meetings", (it) => {
  it.effect("says so on the pages that list them, and counts nothing", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const path of ["/", "/browse", "/places"]) {
        const { status, text } = yield* ask(`${base}/md${path}`)
        assert.strictEqual(status, 200)
        assert.include(text, "No held meeting is on record yet.", path)
        assert.notMatch(text, /All 0|\b0\*\* public bodies|of 0 councils|See all meetings|fits all/, path)
      }
      const narrowed = yield* ask(`${base}/md/browse?q=water`)
      assert.include(narrowed.text, "No held meeting fits all of this.")
      assert.include(narrowed.text, "See all meetings")
    })
  )
})
