import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { filterParts, linkedParts, type MeetingPart } from "../../../schema/part.ts"
import { isShown } from "../../../src/services/meetings/part-sql.ts"
import { TestDb } from "../../support/database.ts"

/** The names of the relations in a plan. */
const relationsIn = (plan: unknown): ReadonlyArray<string> => {
  if (typeof plan !== "object" || plan === null) return []
  const own = "Relation Name" in plan && typeof plan["Relation Name"] === "string" ? [plan["Relation Name"]] : []
  return [...own, ...Object.values(plan).flatMap(relationsIn)]
}

layer(TestDb)("the tables that say whether a meeting has a part", (it) => {
  const tablesOf = Effect.fnUntraced(function* (part: MeetingPart) {
    const db = yield* Db
    const [row] = yield* db<{ plan: unknown }>`explain (format json) select ${isShown(db, part)} from meeting m`
    const tables = relationsIn(Object.values(row ?? {})).filter((table) => table !== "meeting")
    assert.isNotEmpty(tables, part)
    return tables
  })

  const triggered = (trigger: string) =>
    Effect.flatMap(
      Db,
      (db) => db<{ name: string }>`
        select tgrelid::regclass::text as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where p.proname = ${trigger}`
    ).pipe(Effect.map((rows) => rows.map(({ name }) => name)))

  it.effect("raise the record's revision, on which cached responses depend", () =>
    Effect.gen(function* () {
      const raising = yield* triggered("raise_record_revision")
      for (const part of linkedParts) assert.includeMembers(raising, yield* tablesOf(part), part)
    })
  )

  it.effect("notify the search index of the parts that browse can filter by", () =>
    Effect.gen(function* () {
      const notifying = yield* triggered("note_searched")
      for (const part of filterParts) assert.includeMembers(notifying, yield* tablesOf(part), part)
    })
  )
})
