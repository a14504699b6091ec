import * as fs from "node:fs"
import * as path from "node:path"
import { buffer, text } from "node:stream/consumers"
import { promisify } from "node:util"
import { createGunzip, gunzip } from "node:zlib"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { extract } from "tar-stream"
import { fromBufferPromise } from "yauzl"
import { read, recognize } from "../../src/record/formats/read.ts"
import { openSource } from "../../src/record/formats/source.ts"
import { importItems } from "../../src/record/import.ts"
import { unchanged } from "../../src/record/write/outcome.ts"
import { scratch } from "./rendering.ts"

const data = path.resolve("../shared/data")
const files = {
  seattle: path.join(data, "seattle-wa.tar.gz"),
  knox: path.join(data, "knox-tn.tar.gz"),
  york: path.join(data, "nyc-legistar-events.ndjson.gz")
}

/** Whether the real records of three cities are beside the project. */
export const realRecordIsThere = Object.values(files).every((file) => fs.existsSync(file))

/** The archives are large: a megabyte at a time takes two thirds of the processor time of Node's 16 KB. */
const atATime = { chunkSize: 1 << 20 }

const entriesOf = (file: string) => fs.createReadStream(file).pipe(createGunzip(atATime)).pipe(extract())

/** Sessions of the council of Seattle, with the times of words: one of a few minutes, and the longest. */
const sessions = ["354368917e5c", "c43a172ba7f1"]

const unpackSeattle = async (folder: string): Promise<void> => {
  for await (const entry of entriesOf(files.seattle)) {
    if (!entry.header.name.endsWith(".zip")) {
      entry.resume()
      continue
    }
    const zip = await fromBufferPromise(await buffer(entry), { lazyEntries: true })
    for await (const inside of zip.eachEntry()) {
      const session = path.dirname(inside.fileName)
      if (!sessions.includes(session) || path.basename(inside.fileName) !== "ground-truth.json") continue
      fs.mkdirSync(path.join(folder, session), { recursive: true })
      fs.writeFileSync(
        path.join(folder, session, "ground-truth.json"),
        await text(await zip.openReadStreamPromise(inside))
      )
    }
  }
}

/** Captions of Knoxville and its county: a session of ten hours, one stuck in capitals, and titles that are long. */
const captions = [
  "city-council-2013-05-21-city-council-r-265-130521-budget-hearings",
  "county-commission-2008-03-19-co-com-080319-special",
  "city-council-2016-11-03-city-council-ws-r-3877-161103-lakeshore-parking-ordinance",
  "planning-commission-2020-01-22-planning-r-399-200122-public-stakeholder-advisory-committee"
].map((name) => `captions/${name}.vtt`)

/** The captions above, and every meeting of a year that has none here. */
const unpackKnox = async (folder: string): Promise<void> => {
  fs.mkdirSync(path.join(folder, "captions"), { recursive: true })
  for await (const entry of entriesOf(files.knox)) {
    const { name } = entry.header
    if (captions.includes(name)) fs.writeFileSync(path.join(folder, name), await text(entry))
    else if (name === "meetings.ndjson") {
      const wanted = (await text(entry))
        .split("\n")
        .filter((row) => row.includes('"date": "2013-02') || captions.some((one) => row.includes(one)))
      fs.writeFileSync(path.join(folder, name), wanted.join("\n"))
    } else entry.resume()
  }
}

/**
 * Events of the New York City Council: its last week on file, with titles of thousands of characters, an agenda of 616
 * items, meetings of several committees at once, and the body with the longest name.
 */
const events = [16_036, 12_112, 8279, 9038]

const unpackYork = async (file: string): Promise<void> => {
  const lines = (await promisify(gunzip)(await fs.promises.readFile(files.york))).toString("utf8").trimEnd().split("\n")
  const wanted = events.map((id) => `{"ID":${id},`)
  fs.writeFileSync(
    file,
    lines.filter((line, at) => at >= lines.length - 30 || wanted.some((start) => line.startsWith(start))).join("\n")
  )
}

const imported = Effect.fnUntraced(function* (from: string) {
  const source = yield* openSource(from)
  const format = yield* recognize(source)
  yield* importItems(read(source, format, {}), {
    dryRun: false,
    writers: 1,
    writeMedia: () => Effect.succeed(unchanged),
    onNotice: () => Effect.void,
    onProgress: () => Effect.void
  })
})

/** Puts some sixty real meetings on record: two of Seattle, some of Knoxville and its county, some of New York. */
export const putRealRecord = Effect.gen(function* () {
  const folder = yield* scratch
  const [seattle, knox, york] = ["seattle-wa", "knox-tn", "nyc.ndjson"].map((name) => path.join(folder, name))
  if (seattle === undefined || knox === undefined || york === undefined) return
  yield* Effect.promise(async () => {
    await unpackSeattle(seattle)
    await unpackKnox(knox)
    await unpackYork(york)
  })
  for (const from of [seattle, knox, york]) yield* imported(from)
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
