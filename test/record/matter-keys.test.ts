import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { TestDb } from "../support/database.ts"

/** Numbers that rules of `search_text` would read together if they stood side by side. */
const files = [
  ...["Int 0410-2018", "No.", "24", "Res.", "117", "A &", "& B", "7", "am", "I", "40", "HB123", "1,450", "000"],
  ...["\nOrd\n24-117\n", "x\n;\ny", "990218", "ZSK"]
]

layer(TestDb)("the files that items name", (it) => {
  it.effect("are each read for search as if they stood alone, and items without one have none", () =>
    Effect.gen(function* () {
      const items = files.flatMap((matter, at) => [
        { id: agendaItemId(`named ${at}`), title: "Named", matter },
        { id: agendaItemId(`none ${at}`), title: "None", number: String(at + 1) }
      ])
      const numbered = { id: agendaItemId("numbered"), title: "Numbered", number: "T2024-0117" }
      yield* putOnRecord(
        place("springfield"),
        agency("council", ["springfield"]),
        meeting("council", "council", { agenda_items: [...items, numbered] })
      )
      const db = yield* Db
      const rows = yield* db<{ title: string; key: string | null; alone: string | null }>`
        select title, matter_key as key, plain_words(search_text(case title
          when 'Named' then matter when 'Numbered' then number end)) as alone
        from agenda_item where meeting_id = ${meetingId("council")}`
      assert.lengthOf(rows, items.length + 1)
      for (const { title, key, alone } of rows) assert.strictEqual(key, alone, title)
      assert.include(
        rows.map(({ key }) => key),
        "introduction 410 2018"
      )
    })
  )
})
