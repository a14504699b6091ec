import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/asked.ts"
import { agency, meeting, place, putOnRecord } from "../../support/builders.ts"
import { readHtml } from "../../support/reading-pages.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

layer(TestService, { excludeTestServices: true })("the home page", (it) => {
  it.effect("says what came on record lately, and an import of many meetings in one line", () =>
    Effect.gen(function* () {
      yield* putOnRecord(
        place("springfield"),
        agency("springfield-council", ["springfield"]),
        agency("library-board", ["springfield"]),
        ...Array.from({ length: 13 }, (_, at) =>
          meeting(`old ${at}`, "springfield-council", { title: "City Council", date: `20${at + 10}-03-10` })
        ),
        meeting("books", "library-board", { title: "Library Board" })
      )
      const base = yield* serviceAddress
      const { text } = yield* ask(`${base}/`)
      assert.include(text, "Newly on the record")
      assert.include(text, "13 meetings of Springfield Council, 2010–2022")
      assert.include(text, "Meeting of March 10, 2026")
      assert.strictEqual(text.split('class="entry"').length - 1, 2)
      assert.isNotEmpty(readHtml(text, base).links)
    })
  )
})
