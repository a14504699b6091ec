import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { Removals } from "../../../src/services/making/removals.ts"
import { partSql } from "../../../src/services/meetings/part-sql.ts"
import { addFlows } from "../../../src/services/queue/add-flows.ts"
import { agency, claimId, clipId, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { refinedHere } from "../../support/refined-here.ts"
import { TestSetup } from "../../support/service.ts"

const id = meetingId("council")
const chapters = [{ title: "The Quillfeather house", start: 0, end: 9 }]
const Here = Removals.layer.pipe(Layer.provideMerge(TestDb), Layer.provide(TestSetup))

describe("what was made of words that are taken out", () => {
  it.effect("leaves the quotes, sentences, titles and recap that were made of the place", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(
        place("larkmoor"),
        agency("council", ["larkmoor"]),
        meeting("council", "council", { chapters })
      )
      yield* db`
        insert into made_part (meeting_id, part, generator, mark)
        values (${id}, 'chapters', 'rules', ${partSql.chapters.mark(db, db`${id}`)})`
      yield* refinedHere("council", [
        { start: 0, end: 9, text: "We met at the Quillfeather house." },
        { start: 300, end: 309, text: "Quillfeather Lane is paved." }
      ])
      const sentence = (text: string, start: number, claim: string) => ({
        text,
        citations: [{ start, end: start + 2 }],
        claim: claimId(claim)
      })
      const quote = (start: number) => [{ start, end: start + 2, quote: "the Quillfeather house" }]
      const claim = (name: string, start: number, text: string) => ({
        ...{ id: claimId(name), topic: "Visits", text, verdict: "supported" as const },
        ...{ evidence: quote(start), checked_at: "2026-03-12T08:00:00Z" }
      })
      yield* putOnRecord(
        {
          type: "briefing",
          meeting_id: id,
          headline: "A visit to the Quillfeather house",
          worth_watching: [],
          topics: [
            {
              title: "Visits",
              sentences: [
                sentence("They met at the Quillfeather house.", 0, "a"),
                sentence("The Quillfeather house is paved.", 300, "b")
              ],
              figures: []
            }
          ],
          published_at: "2026-03-12T08:00:00Z"
        },
        {
          type: "claims",
          meeting_id: id,
          claims: [
            claim("a", 0, "They met at the Quillfeather house."),
            claim("b", 300, "The Quillfeather house is paved.")
          ]
        },
        {
          type: "recap",
          meeting_id: id,
          headline: "Quillfeather house",
          summary: "They met at the Quillfeather house.",
          decisions: []
        },
        {
          type: "clip",
          id: clipId("a"),
          meeting_id: id,
          title: "At the Quillfeather house",
          start: 0,
          end: 9,
          state: "published"
        }
      )
      yield* Removals.use(({ takeOut }) => takeOut(id, { kind: "home", second: 0, words: "Quillfeather house" }))
      const [made] = yield* db<{ text: string }>`
        select concat_ws(E'\n', b.headline, b.served::text, r.headline, r.summary, c.title, h.title) as text
        from briefing b join recap r using (meeting_id) join clip c using (meeting_id)
          join chapter h using (meeting_id)
        where b.meeting_id = ${id}`
      const claims = yield* db<{ text: string }>`select text || evidence::text as text from claim order by position`
      assert.strictEqual(made?.text.split("Quillfeather").length, 2, made?.text)
      assert.include(made?.text, "They met at the [address removed].")
      assert.notInclude(claims[0]?.text, "Quillfeather")
      // Made here, they stay so, or no stage would ever make them again.
      const noted =
        yield* db`select from made_part where part = 'chapters' and mark = ${partSql.chapters.mark(db, db`${id}`)}`
      assert.lengthOf(noted, 1)
      // What rests on another place is about something else.
      assert.include(claims[1]?.text, "Quillfeather")
      const [card] = yield* db<{ found: boolean }>`
        select document @@ search_words('quillfeather house') as found from meeting_search where meeting_id = ${id}`
      assert.isFalse(card?.found)
    }).pipe(Effect.provide(Here))
  )

  it.effect("is begun again by the stages that are working on it", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(place("larkmoor"), agency("council", ["larkmoor"]), meeting("council", "council"))
      yield* refinedHere("council", [{ start: 0, end: 9, text: "We met at the Quillfeather house." }])
      yield* db.withTransaction(addFlows(db, "meeting", [{ meeting_id: id }], "refine"))
      yield* db`insert into worker (id, host, pid, build, stages, jobs) values (${id}, 'box', 1, 'x', '{}', 1)`
      yield* db`
        update task set state = 'running', held_by = ${id}, claim = ${id}, attempts = 1 where stage in ('refine', 'briefing')`
      yield* db`insert into stage_piece (task_id, key, value) select id, 'notes', '"the Quillfeather house"' from task`
      yield* Removals.use(({ takeOut }) => takeOut(id, { kind: "home", second: 0, words: "Quillfeather house" }))
      const tasks = yield* db`
        select stage, state, attempts, exists (select from stage_piece p where p.task_id = t.id) as pieces
        from task t where stage in ('refine', 'briefing') order by stage`
      assert.deepStrictEqual(tasks, [
        { stage: "briefing", state: "waiting", attempts: 0, pieces: false },
        // It looks for what people took out as it ends.
        { stage: "refine", state: "running", attempts: 1, pieces: true }
      ])
    }).pipe(Effect.provide(Here))
  )
})
