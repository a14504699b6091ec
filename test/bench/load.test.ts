import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { allEntities } from "../../bench/load/bundle.ts"
import { load } from "../../bench/load/load.ts"
import { type Plan, recordOf } from "../../bench/load/record.ts"
import { Db } from "../../layers/db/db.ts"
import { putOnRecord } from "../support/builders.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"

const plan: Plan = { seed: "test", size: 120, words: 300, until: "2026-03-10", speech: "sample" }

/**
 * Every table that holds part of the record or is derived from it, without the values that differ between any two
 * writers: serial ids, hashes, and when a row was written.
 */
const tables: Readonly<Record<string, string>> = {
  place: "select slug, name, kind, state, county, zips, latitude, longitude from place",
  body: "select slug, segment, name, kind, website, states, counties, cities, place_slugs from body",
  body_place: `select b.slug, p.slug as place, bp.position from body_place bp
    join body b on b.id = bp.body_id join place p on p.id = bp.place_id`,
  meeting: `select m.id, m.short_id, b.slug, m.title, m.date::text, m.year, m.starts_at, m.timezone, m.status, m.duration,
    m.source_url, m.agenda_url, m.location, m.join_url, m.minutes_url, m.video_url, m.attachments
    from meeting m join body b on b.id = m.body_id`,
  agenda_item: "select * from agenda_item",
  chapter: "select * from chapter",
  clip: `select id, meeting_id, title, start, "end", agenda_item_id, state from clip`,
  briefing: "select meeting_id, written, served, follows_setting, generator, published_at from briefing",
  claims: "select meeting_id, checked_by from claims",
  claim: "select * from claim",
  published_briefing: "select meeting_id, headline from published_briefing",
  transcript: `select meeting_id, version, language, generator, duration, word_count, segments, withheld from transcript`,
  passage: "select meeting_id, position, text, starts, words::text from passage",
  transcript_speaker: "select meeting_id, version, name, start, words::text from transcript_speaker",
  held_count: "select b.slug, h.year, h.held from held_count h join body b on b.id = h.body_id where h.held > 0",
  body_held: "select b.slug, h.held from body_held h join body b on b.id = h.body_id where h.held > 0",
  meeting_search: `select s.meeting_id, b.slug, s.date::text, s.year, s.named::text, s.document::text
    from meeting_search s join body b on b.id = s.body_id`,
  columns: `select c.table_name, c.column_name, c.data_type, c.is_generated from information_schema.columns c
    where c.table_schema = 'public'`,
  indexes: "select indexdef from pg_indexes where schemaname = 'public'"
}

const contents = Effect.gen(function* () {
  const db = yield* Db
  const found = new Map<string, ReadonlyArray<string>>()
  for (const [name, rows] of Object.entries(tables)) {
    const lines = yield* db.unsafe<{ line: string }>(`select to_jsonb(r)::text as line from (${rows}) r order by 1`)
    found.set(
      name,
      lines.map(({ line }) => line)
    )
  }
  return found
})

const loaded = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* Effect.promise(async () => load(Redacted.value(url), await recordOf(plan)))
  return yield* contents.pipe(Effect.provide(databaseAt(url)))
})

const written = Effect.gen(function* () {
  const url = yield* freshDatabase
  return yield* Effect.gen(function* () {
    const record = yield* Effect.promise(() => recordOf(plan))
    const outcomes = yield* putOnRecord(...allEntities(record))
    assert.isTrue(outcomes.every(({ _tag }) => _tag === "Created"))
    return yield* contents
  }).pipe(Effect.provide(databaseAt(url)))
})

describe("a loaded record", () => {
  it.effect("is what the writer makes of the same entities, with every derived table, column and index", () =>
    Effect.gen(function* () {
      const [byLoad, byWriter] = [yield* loaded, yield* written]
      for (const name of Object.keys(tables)) {
        assert.isAbove(byLoad.get(name)?.length ?? 0, 0, `${name} is empty`)
        assert.deepStrictEqual(byLoad.get(name), byWriter.get(name), name)
      }
    })
  )

  it("is the same for the same seed, and different for another", async () => {
    const record = await recordOf(plan)
    const again = await recordOf(plan)
    const other = await recordOf({ ...plan, seed: "other" })
    // Read backwards, because a meeting depends only on its position.
    const meetings = Array.from({ length: plan.size }, (_, at) => again.meeting(plan.size - 1 - at)).toReversed()
    assert.deepStrictEqual(
      Array.from({ length: plan.size }, (_, at) => record.meeting(at)),
      meetings
    )
    assert.deepStrictEqual(record.directory, again.directory)
    assert.notDeepEqual(record.meeting(0).meeting, other.meeting(0).meeting)
  })

  it("has a few large bodies and many small ones", async () => {
    const record = await recordOf({ ...plan, size: 3000 })
    const held = Map.groupBy(
      Array.from({ length: 3000 }, (_, at) => record.meeting(at).meeting.agency),
      (slug) => slug
    )
    const counts = [...held.values()].map(({ length }) => length).toSorted((a, b) => b - a)
    const tenth = counts.slice(0, Math.ceil(record.directory.bodies.length / 10)).reduce((sum, count) => sum + count, 0)
    assert.isAbove(tenth, 750)
    assert.isBelow(counts.at(-1) ?? 0, 10)
  })
})
