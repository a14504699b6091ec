import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { examples } from "../../../src/api/examples/index.ts"
import { atomOf, type FeedView, meetingEntry } from "../../../src/pages/feeds/atom.ts"
import { wrongsIn } from "../../support/valid-xml.ts"

const base = "https://record.example.gov"
const [card] = examples.browseMeetings.meetings
if (card === undefined) throw new Error("the example lists a meeting")

const view: FeedView = {
  path: "/browse.atom?q=a&year=2026",
  title: "“a”, 2026",
  html: "/browse?q=a&year=2026",
  updated: card.updated_at,
  pages: { self: "/browse.atom?q=a&year=2026&page=2", first: "/browse.atom?q=a&year=2026" },
  entries: [meetingEntry(card)]
}

describe("an Atom feed", () => {
  it.effect("is valid by the schema of RFC 4287, with entries and without", () =>
    Effect.gen(function* () {
      const empty = atomOf({ ...view, entries: [], updated: undefined }, base)
      assert.deepStrictEqual(yield* wrongsIn([atomOf(view, base), empty], "atom.rng"), [])
      assert.include(empty, "<updated>1970-01-01T00:00:00Z</updated>")
    })
  )

  it.effect("is invalid by that schema if something required is missing", () =>
    Effect.gen(function* () {
      const wrong = atomOf(view, base).replace(/<updated>[^<]*<\/updated>/, "")
      assert.isNotEmpty(yield* wrongsIn([atomOf(view, base), wrong], "atom.rng"))
    })
  )

  it.effect("stays well formed with any title, and keeps every character that XML allows", () =>
    Effect.gen(function* () {
      const hostile = `<b>&amp; ]]> "quoted" 'too' 😀 \u0000\u0001\u001b\ufffe\ud800 <!-- <?php <![CDATA[`
      const written = atomOf(
        { ...view, title: hostile, entries: [meetingEntry({ ...card, headline: hostile, title: hostile })] },
        base
      )
      assert.deepStrictEqual(yield* wrongsIn([written], "atom.rng"), [])
      assert.notMatch(written, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
      assert.include(written, "&lt;b&gt;&amp;amp; ]]&gt;")
      assert.include(written, "😀 \ufffd\ufffd\ufffd\ufffd\ufffd &lt;!--")
    })
  )
})
