import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { renditionKey } from "../../src/services/meetings/media-tier.ts"
import { linesOf } from "../support/able-model.ts"
import {
  agency,
  agendaItemId,
  meeting,
  meetingId,
  place,
  putMedia,
  putOnRecord,
  said,
  transcript
} from "../support/builders.ts"
import { makeMeeting, makingWith } from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"

const id = meetingId("one")

const items = [
  { id: agendaItemId("six"), number: "6", title: "Street sweeping schedule" },
  { id: agendaItemId("seven"), number: "7", title: "Quarry Road bridge contract" }
]

const segments = said([
  "Item 6 is the street sweeping schedule.",
  "We sweep every street twice.",
  "Item 7 is the Quarry Road bridge contract.",
  "The contract costs 300 thousand dollars.",
  "It is the same company that built the path along the creek, and its bid was the lowest of the four that came in.",
  "The old bridge has been closed to trucks since spring, so school buses have had to take the long way around.",
  "I move to approve the contract. Second.",
  "Please call the roll.",
  ...["Ms. Brown. Yes.", "Mr. Alvarez. No.", "Mr. Chen. Yes.", "Ms. Diaz. Yes.", "Mr. Evans. Aye."],
  "The motion carries four to one."
])

const seeded = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  meeting("one", "council", { agenda_items: items }),
  transcript("one", segments),
  transcript("one", segments, { version: "raw" })
)

const approved = { agenda_item: items[1]?.id, outcome: "Approved", vote: "4-1 (Mr. Alvarez no)" }
const inWords = "Item 7: Quarry Road bridge contract. Approved 4-1"

/** The line of a prompt that has these words, and a quote of them. */
const cite = (prompt: string, words: string) => ({
  line: linesOf(prompt).find(({ text }) => text.includes(words))?.line ?? -1,
  quote: words
})

describe("plain words", () => {
  it.live("take the place of what a model invents, although the checker believes all of it", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      const lie = "Mayor pockets bribes as the council votes 5-0 unanimously"
      model.plan(
        behaviours.byName({
          notes: (prompt) => ({
            notes: [
              {
                topic: "Bridge",
                text: "The contract costs 300 thousand dollars.",
                citations: [cite(prompt, "The contract costs 300 thousand dollars")]
              }
            ]
          }),
          briefing: () => ({
            headline: "Mayor pockets bribes for the bridge contract",
            worth_watching: [{ text: "Bribes for the bridge", note: 0 }],
            topics: [{ title: "Bribes on Quarry Road", notes: [0] }]
          }),
          clips: (prompt) => ({ worth_it: true, title: lie, ...spanOf(prompt) }),
          figures: () => ({ figures: [] }),
          recap: (prompt) => ({ decisions: [{ outcome: lie, ...cite(prompt, "The motion carries four to one") }] }),
          verdict: () => ({ verdict: "supported", quotes: [{ passage: 1, words: "Item 6 is the street" }] })
        })
      )
      const spanOf = (prompt: string) => ({
        from: cite(prompt, "The contract costs").line,
        to: cite(prompt, "The motion carries").line
      })
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* seeded
        yield* putMedia({ key: renditionKey(id), role: "rendition", duration: 600, width: 1280, height: 720 })
        assert.strictEqual((yield* makeMeeting(id, "chapters")).recap, "done")
        const [found] = yield* db<{ served: Record<string, unknown>; headline: string; decisions: unknown }>`
          select b.served, r.headline, r.decisions from briefing b join recap r using (meeting_id)`
        assert.deepInclude(found?.served, {
          headline: inWords,
          worth_watching: [{ text: "The contract costs 300 thousand dollars.", start: segments[3]?.start }]
        })
        assert.include(JSON.stringify(found?.served), '"title":"Item 7: Quarry Road bridge contract"')
        assert.strictEqual(found?.headline, inWords)
        assert.deepStrictEqual(found?.decisions, [{ ...approved, start: segments[8]?.start }])
        assert.deepStrictEqual(yield* db`select title from clip`, [{ title: inWords }])
        assert.deepStrictEqual(yield* db`select title from chapter order by position`, [
          { title: "Street sweeping schedule" },
          { title: "Quarry Road bridge contract" }
        ])
        const all = yield* db`select to_jsonb(b) from briefing b union all select to_jsonb(r) from recap r
          union all select to_jsonb(c) from claim c union all select to_jsonb(c) from clip c`
        assert.notMatch(JSON.stringify(all), /brib|unanim|5-0/i)
      }).pipe(Effect.provide(makingWith(twoModelsAt(model.url))))
    })
  )

  it.live("make a recap with decisions where there is no model", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* seeded
      const made = yield* makeMeeting(id, "chapters")
      const none = "skipped: no language model is configured (CLOUD_MODEL_URL)"
      assert.deepInclude(made, { recap: none, briefing: none })
      assert.deepStrictEqual(yield* db`select headline, summary, decisions from recap`, [
        { headline: inWords, summary: `${inWords}.`, decisions: [{ ...approved, start: segments[8]?.start }] }
      ])
      assert.deepStrictEqual(yield* db`select generator from made_part where part = 'recap'`, [
        { generator: "civic-record recap-3 (rules)" }
      ])
    }).pipe(Effect.provide(makingWith({})))
  )
})
