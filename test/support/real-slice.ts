import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { Effect } from "effect"
import { importPath } from "../record/importing.ts"
import { archiveFiles } from "./archive-files.ts"
import { day } from "./legistar-city.ts"
import { scratch } from "./rendering.ts"

const data = path.resolve("../shared/data")

/** A few real meetings of three cities, by the archives that they are in. */
const archives = {
  knoxville: "knox-tn.tar.gz",
  seattle: "seattle-wa.tar.gz",
  events: "nyc-legistar-events.ndjson.gz",
  people: "nyc-people.ndjson.gz",
  matters: "nyc-matters.ndjson.gz"
} as const

/** Knoxville's hearing on its districts: captions without word times, and a recording at the Internet Archive. */
const hearing = "captions/city-council-2011-04-19-city-council-110419-redistricting.vtt"
/** A committee of Seattle that speaks of land for affordable housing, with a time for each word. */
const session = "15507dbc10ba/ground-truth.json"
/** Committees of New York that voted on resolutions, and the last, whose day is moved to the coming week. */
const events = [17117, 17345, 17991, 19010]
const matters = [61972, 64000, 64751]

/** Whether the real records are beside the project. */
export const realSliceIsThere = Object.values(archives).every((name) => fs.existsSync(path.join(data, name)))

/** The files of an archive for which `kept` has text, written to a folder. */
const unpack = async (
  archive: string,
  folder: string,
  kept: (name: string, text: () => Promise<string>) => Promise<string>
) => {
  for await (const { name, content } of archiveFiles(path.join(data, archive))) {
    const text = await kept(name, async () => (await content()).toString())
    if (text === "") continue
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
}

/** Lines of an archive, written to a file. */
const pick = async (
  archive: string,
  file: string,
  kept: (line: string) => boolean,
  change = (line: string) => line
) => {
  const all = (await promisify(gunzip)(await fs.promises.readFile(path.join(data, archive)))).toString().split("\n")
  const lines = all.filter(kept).map(change)
  fs.writeFileSync(file, lines.join("\n"))
  return lines
}

/** Lines of records with these numbers. */
const numbered = (ids: ReadonlyArray<number>) => {
  const begins = ids.map((id) => `{"ID":${id},`)
  return (line: string): boolean => begins.some((begin) => line.startsWith(begin))
}

/** One event is announced for next week: that is what a calendar is for. */
const moved = (line: string): string =>
  line.startsWith(`{"ID":${events.at(-1)},`)
    ? line
        .replace(/"Date":"\d{4}-\d{2}-\d{2}/, `"Date":"${day(6)}`)
        .replace(/"MinutesStatusName":"Final"/, '"MinutesStatusName":"Draft"')
    : line

/** Puts the slice on record, as the command imports it. */
export const realSlice = Effect.gen(function* () {
  const folder = yield* scratch
  const at = (...names: ReadonlyArray<string>) => path.join(folder, ...names)
  yield* Effect.promise(async () => {
    await unpack(archives.knoxville, at("knox-tn"), async (name, text) => {
      if (name === hearing) return text()
      if (name !== "meetings.ndjson") return ""
      return (await text())
        .split("\n")
        .filter((line) => line.includes(hearing))
        .join("\n")
    })
    await unpack(archives.seattle, at("seattle-wa"), async (name, text) => (name === session ? text() : ""))
    await pick(archives.events, at("nyc-events.ndjson"), numbered(events), moved)
    const decided = await pick(archives.matters, at("nyc-matters.ndjson"), numbered(matters))
    const voted = decided.flatMap((line) => [...line.matchAll(/"Votes":(\[.*?\])/g)].join().match(/"ID":\d+/g) ?? [])
    await pick(archives.people, at("nyc-people.ndjson"), (line) => voted.includes(line.slice(1, line.indexOf(","))))
  })
  const reports = []
  for (const name of ["knox-tn", "seattle-wa", "nyc-events.ndjson", "nyc-people.ndjson", "nyc-matters.ndjson"]) {
    reports.push(yield* importPath(at(name)))
  }
  return reports
}).pipe(Effect.scoped)
