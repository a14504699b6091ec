import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { importPath } from "../record/importing.ts"
import { archives, linesOf, numbered, unpackKnoxville, unpackSeattle } from "./real-archives.ts"
import { scratch } from "./rendering.ts"

/** Sessions of the council of Seattle, with the times of words: one of a few minutes, and the longest. */
const sessions = ["354368917e5c", "c43a172ba7f1"]

/** Captions of Knoxville and its county: a session of ten hours, one stuck in capitals, and titles that are long. */
const captions = [
  "city-council-2013-05-21-city-council-r-265-130521-budget-hearings",
  "county-commission-2008-03-19-co-com-080319-special",
  "city-council-2016-11-03-city-council-ws-r-3877-161103-lakeshore-parking-ordinance",
  "planning-commission-2020-01-22-planning-r-399-200122-public-stakeholder-advisory-committee"
]

/**
 * Events of the New York City Council: its last week on file, with titles of thousands of characters, an agenda of 616
 * items, meetings of several committees at once, and the body with the longest name.
 */
const events = [16_036, 12_112, 8279, 9038]

/** Puts some sixty real meetings on record: two of Seattle, some of Knoxville and its county, some of New York. */
export const putRealRecord = Effect.gen(function* () {
  const folder = yield* scratch
  const at = (name: string) => path.join(folder, name)
  yield* Effect.promise(async () => {
    await unpackSeattle(at("seattle-wa"), sessions)
    // Besides, every meeting of a month that has no captions here.
    await unpackKnoxville(at("knox-tn"), captions, (row) => row.includes('"date": "2013-02'))
    const isWanted = numbered(events)
    const wanted = await linesOf(archives.events, (begin, fromEnd) => fromEnd <= 30 || isWanted(begin))
    fs.writeFileSync(at("nyc.ndjson"), wanted.join("\n"))
  })
  for (const name of ["seattle-wa", "knox-tn", "nyc.ndjson"]) yield* importPath(at(name))
}).pipe(Effect.scoped)
