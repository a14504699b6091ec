import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { importPath } from "../record/importing.ts"
import { day } from "./legistar-city.ts"
import { archives, linesOf, numbered, unpackKnoxville, unpackSeattle } from "./real-archives.ts"
import { scratch } from "./rendering.ts"

/** Knoxville's hearing on its districts: captions without word times, and a recording at the Internet Archive. */
const hearing = "city-council-2011-04-19-city-council-110419-redistricting"
/** A committee of Seattle that speaks of land for affordable housing. */
const session = "15507dbc10ba"
/** Committees of New York that voted on resolutions, and the last, whose day is moved to the coming week. */
const events = [17117, 17345, 17991, 19010]
const matters = [61972, 64000, 64751]

/** One event is announced for next week: that is what a calendar is for. */
const moved = (line: string): string =>
  line.startsWith(`{"ID":${events.at(-1)},`)
    ? line
        .replace(/"Date":"\d{4}-\d{2}-\d{2}/, `"Date":"${day(6)}`)
        .replace(/"MinutesStatusName":"Final"/, '"MinutesStatusName":"Draft"')
    : line

/** Who voted on a matter, as the lines of people begin. */
const votersOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/"Votes":(\[.*?\])/g)].join().match(/"ID":\d+/g) ?? []

/** Puts a few real meetings on record, with what was said or decided at them. */
export const realSlice = Effect.gen(function* () {
  const folder = yield* scratch
  const at = (name: string) => path.join(folder, name)
  yield* Effect.promise(async () => {
    await unpackKnoxville(at("knox-tn"), [hearing])
    await unpackSeattle(at("seattle-wa"), [session])
    const put = (name: string, lines: ReadonlyArray<string>) => fs.writeFileSync(at(name), lines.join("\n"))
    put("nyc-events.ndjson", (await linesOf(archives.events, numbered(events))).map(moved))
    const decided = await linesOf(archives.matters, numbered(matters))
    put("nyc-matters.ndjson", decided)
    const voters = decided.flatMap(votersOf)
    const isVoter = (begin: string) => voters.includes(begin.slice(1, begin.indexOf(",")))
    put("nyc-people.ndjson", await linesOf(archives.people, isVoter))
  })
  for (const name of ["knox-tn", "seattle-wa", "nyc-events.ndjson", "nyc-people.ndjson", "nyc-matters.ndjson"]) {
    yield* importPath(at(name))
  }
}).pipe(Effect.scoped)
