import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { createGunzip } from "node:zlib"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { extract } from "tar-stream"
import type { BundleMeeting } from "../../../schema/bundle.ts"
import { parseCaptions } from "../../../src/record/formats/captions.ts"
import { eachItem, itemsOf, noticesOf, tally, those } from "./reading.ts"

const data = path.resolve("../shared/data")
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-test-"))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

/** A group of tests of one file, skipped with a note if the file is missing. */
const withFile = (name: string, tests: (file: string) => void) => {
  const file = path.join(data, name)
  if (fs.existsSync(file)) describe(name, () => tests(file))
  else describe(name, () => void it(`is not in ../shared/data`, ({ skip }) => skip(`${file} is not there`)))
}

const linesOf = (file: string) =>
  createInterface({
    input: fs.createReadStream(file).pipe(createGunzip({ chunkSize: 1 << 20 })),
    crlfDelay: Number.POSITIVE_INFINITY
  })

withFile("nyc-legistar-events.ndjson.gz", (file) => {
  interface Event {
    readonly GUID: string
    readonly BodyID: number
    readonly AgendaStatusName: string
    readonly MinutesStatusName: string
    readonly Items: ReadonlyArray<unknown>
  }

  it.effect("has 14,271 meetings of 75 bodies with 188,409 agenda items, each once", () =>
    Effect.gen(function* () {
      const counts = tally()
      const statuses = { held: 0, cancelled: 0, upcoming: 0 }
      const meetings = new Set<string>()
      const items = new Set<string>()
      const agencies = new Set<string>()
      const notices: Array<string> = []
      const chosen = new Map<string, BundleMeeting>()
      let longest = 0
      let joint = 0
      let untimed = 0
      yield* eachItem(file, {}, (item) => {
        counts.take(item)
        notices.push(...noticesOf([item]))
        if (item.result._tag !== "Entity") return
        const { entity } = item.result
        if (entity.type === "agency") agencies.add(entity.slug)
        if (entity.type !== "meeting") return
        statuses[entity.status]++
        meetings.add(entity.id)
        for (const { id } of entity.agenda_items) items.add(id)
        longest = Math.max(longest, entity.agenda_items.length)
        if (entity.title.includes(", jointly with ")) joint++
        if (entity.starts_at === undefined) untimed++
        assert.isTrue(agencies.has(entity.agency), `${entity.agency} comes before its meetings`)
        const [, number] = /LEGID=(\d+)/.exec(entity.source_url ?? "") ?? []
        if (number !== undefined) chosen.set(number, entity)
      })
      assert.deepStrictEqual(counts.counts, { place: 1, agency: 75, meeting: 14_271, Warning: 53 })
      assert.strictEqual(meetings.size, 14_271)
      assert.strictEqual(items.size, 188_409)
      assert.strictEqual(agencies.size, 75)
      assert.deepStrictEqual(statuses, { held: 12_455, cancelled: 1816, upcoming: 0 })
      assert.strictEqual(longest, 616)
      assert.strictEqual(joint, 3397)
      assert.strictEqual(untimed, 0)
      assert.isTrue(
        notices.every((notice) =>
          /^Warning (\d+ Items: [\d, ]+ have no text; each is kept as "Item"|(9007|9300) VideoPath: is not an address of the web; it is left out)$/.test(
            notice
          )
        )
      )

      // Deferred only by its minutes; its agenda is marked final.
      assert.deepInclude(chosen.get("11261"), {
        agency: "new-york-committee-on-public-safety",
        title: "Committee on Public Safety Meeting",
        date: "2012-01-03",
        starts_at: "2012-01-03T16:00:00Z",
        timezone: "America/New_York",
        status: "cancelled"
      })
      // A meeting that was adjourned to another day has been held; so has the one it was adjourned to.
      assert.strictEqual(chosen.get("1021")?.status, "held")
      assert.strictEqual(chosen.get("1067")?.status, "held")
      // An agenda that speaks of deferred maintenance is not deferred.
      assert.strictEqual(chosen.get("4434")?.status, "held")
      assert.strictEqual(chosen.get("16036")?.agenda_items.length, 616)
    })
  )

  it.effect("has as many of everything as its lines, counted without the importer", () =>
    Effect.gen(function* () {
      const own = { events: new Set<string>(), bodies: new Set<number>(), items: 0, calledOff: 0, renamed: 0 }
      yield* Effect.promise(async () => {
        const names = new Map<number, string>()
        for await (const line of linesOf(file)) {
          const event: Event & { readonly BodyName: string } = JSON.parse(line)
          own.events.add(event.GUID)
          own.bodies.add(event.BodyID)
          own.items += event.Items.length
          if (/^(Deferred|Cancelled)$/m.test(`${event.AgendaStatusName}\n${event.MinutesStatusName}`)) own.calledOff++
          const name = names.get(event.BodyID) ?? event.BodyName
          if (name !== event.BodyName) own.renamed++
          names.set(event.BodyID, name)
        }
      })
      assert.deepStrictEqual(
        { ...own, events: own.events.size, bodies: own.bodies.size },
        { events: 14_271, bodies: 75, items: 188_409, calledOff: 1816, renamed: 0 }
      )
    })
  )
})

withFile("knox-tn.tar.gz", (file) => {
  const captions = {
    stuttering: "captions/beer-board-2021-03-09-beer-brd-r-293-210309.vtt",
    partTwo: "captions/city-council-2007-01-30-city-council-070130-part-2.vtt",
    partOne: "captions/city-council-2007-01-30-city-council-070130-part-1.vtt",
    short: "captions/beer-board-2009-06-30-beer-board-r-293-090630.vtt",
    stuck: "captions/county-commission-2008-02-19-co-com-080219-special-called.vtt"
  }
  const folder = path.join(scratch, "knox")

  /** Unpacks the manifest and the captions above, and skips the other 230 MB. */
  const unpack = Effect.promise(async () => {
    const wanted = new Set(["meetings.ndjson", ...Object.values(captions)])
    fs.mkdirSync(path.join(folder, "captions"), { recursive: true })
    for await (const entry of fs
      .createReadStream(file)
      .pipe(createGunzip({ chunkSize: 1 << 20 }))
      .pipe(extract())) {
      const { name } = entry.header
      if (wanted.delete(name)) fs.writeFileSync(path.join(folder, name), await text(entry))
      else entry.resume()
    }
    assert.deepStrictEqual([...wanted], [])
  })
  const read = Effect.runSync(Effect.cached(Effect.andThen(unpack, itemsOf(folder))))

  it.effect("has 2,345 rows: 1,764 meetings, and 581 that add nothing to one of them", () =>
    Effect.gen(function* () {
      const items = yield* read
      const rows = new Set(
        items.flatMap(({ line, result }) =>
          result._tag === "Entity" && result.entity.type !== "meeting" ? [] : [line]
        )
      )
      assert.deepStrictEqual(rows, new Set(Array.from({ length: 2345 }, (_, at) => at + 1)))
      const meetings = those(items, "meeting")
      const repeats = items.filter(({ result }) => result._tag === "Repeated")
      assert.strictEqual(new Set(meetings.map(({ id }) => id)).size, 1764)
      assert.strictEqual(meetings.length + repeats.length, 2345)

      // Of two rows with the same body, day and title, the one with a recording wins, wherever it comes.
      const source: ReadonlyArray<{ readonly captions?: string }> = fs
        .readFileSync(path.join(folder, "meetings.ndjson"), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
      assert.isTrue(repeats.every(({ line }) => source[line - 1]?.captions === undefined))
      const missing = noticesOf(items).filter((notice) =>
        notice.includes("does not exist; the meeting has no transcript")
      )
      assert.strictEqual(missing.length, 1736 - Object.keys(captions).length)
      assert.strictEqual(meetings.filter(({ source_url }) => source_url !== undefined).length, 1736)
    })
  )

  it.effect("has four bodies, the joint one at both of its places, and two days that only titles state", () =>
    Effect.gen(function* () {
      const items = yield* read
      assert.deepStrictEqual(
        those(items, "place").map(({ slug, kind }) => [slug, kind]),
        [
          ["knoxville", "city"],
          ["knox-county", "county"]
        ]
      )
      const meetings = those(items, "meeting")
      assert.deepStrictEqual(
        those(items, "agency").map(({ slug, segment, kind, places }) => [
          slug,
          segment,
          kind,
          places,
          meetings.filter(({ agency }) => agency === slug).length
        ]),
        [
          ["knoxville-city-council", "city-council", "city_council", ["knoxville"], 650],
          ["knox-county-commission", "commission", "county_board", ["knox-county"], 745],
          [
            "knoxville-knox-county-planning-commission",
            "planning-commission",
            "planning_commission",
            ["knox-county", "knoxville"],
            133
          ],
          ["knoxville-beer-board", "beer-board", "other", ["knoxville"], 236]
        ]
      )
      assert.isTrue(meetings.every(({ timezone, status }) => timezone === "America/New_York" && status === "held"))
      assert.deepStrictEqual(
        noticesOf(items).filter((notice) => notice.includes("from the title")),
        [
          'Warning 651 date: is missing; 2010-01-24 is read from the title "Co Com Jan 2410 Preview"',
          'Warning 652 date: is missing; 2010-11-08 is read from the title "Co Com WS Nov 0810 Preview"'
        ]
      )
      const repeats = noticesOf(items).filter((notice) => /^Repeated 65[12]:/.test(notice))
      assert.deepStrictEqual(repeats, [
        "Repeated 651: repeats the meeting of line 929, which says as much or more",
        "Repeated 652: repeats the meeting of line 1010, which says as much or more"
      ])
    })
  )

  it.effect("keeps cue times in whole seconds, invents no word times, and folds only stutter", () =>
    Effect.gen(function* () {
      const items = yield* read
      const transcripts = those(items, "transcript")
      assert.isTrue(
        transcripts.every(({ segments }) =>
          segments.every(
            ({ start, end, words }) => Number.isInteger(start) && Number.isInteger(end) && words === undefined
          )
        )
      )
      const of = (title: string, version: string) => {
        const meeting = those(items, "meeting").find((one) => one.title === title)
        return transcripts.find((one) => one.meeting_id === meeting?.id && one.version === version)
      }
      // One meeting in two recordings becomes two, each with its own transcript.
      assert.isDefined(of("City Council_070130_Part 1", "refined"))
      assert.isDefined(of("City Council 070130 Part 2", "refined"))
      const short = of("Beer Board R 293 090630", "refined")
      assert.deepStrictEqual(short?.segments[0], {
        start: 0,
        end: 7,
        text: "Councilman Roddy. Here. Councilman Woodhull. Here."
      })
      assert.isUndefined(of("Beer Board R 293 090630", "raw"))

      // 61 lines, of which two runs of 16 and 4 are folded into one line each: 43 are left.
      const cues = yield* parseCaptions(fs.readFileSync(path.join(folder, captions.stuttering), "utf8"))
      const refined = of("Beer Brd R 293 210309", "refined")
      const raw = of("Beer Brd R 293 210309", "raw")
      assert.strictEqual(cues.segments.length, 61)
      assert.deepStrictEqual(raw?.segments, cues.segments)
      assert.strictEqual(refined?.segments.length, 43)
      assert.strictEqual(refined?.duration, raw?.duration)
      // A recognizer that was stuck from beginning to end said one thing in all that time.
      assert.strictEqual(of("Co Com 080219 Special Called", "raw")?.segments.length, 205)
      assert.strictEqual(of("Co Com 080219 Special Called", "refined")?.segments.length, 1)
    })
  )
})

withFile("seattle-wa.tar.gz", (file) => {
  it.effect("has five sessions, each transcribed twice, three events, and files that need flags", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(file)
      const counts = tally()
      for (const item of items) counts.take(item)
      assert.deepStrictEqual(counts.counts, {
        place: 1,
        agency: 3,
        meeting: 8,
        "transcript refined": 5,
        "transcript raw": 5,
        Rejected: 10,
        Repeated: 1,
        Warning: 7
      })
      const meetings = those(items, "meeting")
      assert.strictEqual(new Set(meetings.map(({ id }) => id)).size, 8)
      assert.strictEqual(
        meetings.reduce((sum, { agenda_items }) => sum + agenda_items.length, 0),
        37
      )
      assert.deepInclude(
        meetings.find(({ date, title }) => date === "2020-08-12" && title === "Session of 9:30 AM"),
        { agency: "seattle-city-council", starts_at: "2020-08-12T16:30:00Z", timezone: "America/Los_Angeles" }
      )
      const transcripts = those(items, "transcript")
      for (const { version, generator, segments } of transcripts) {
        assert.match(generator ?? "", version === "refined" ? /^CDP WebVTT Conversion/ : /^Google Speech-to-Text/)
        for (const { start, end, text, words = [] } of segments) {
          // Only a stray character has no timed word.
          assert.isTrue(words.length > 0 || !/\w/.test(text), text)
          const times = [start, ...words.flatMap((word) => [word.start, word.end]), end]
          assert.isTrue(
            times.every((time, at) => time >= (times[at - 1] ?? 0)),
            text
          )
        }
      }
      const segmentsOf = (which: string) =>
        transcripts.reduce((sum, { version, segments }) => sum + (version === which ? segments.length : 0), 0)
      assert.deepStrictEqual([segmentsOf("refined"), segmentsOf("raw")], [4829, 7291])
      const refused = items.filter(({ result }) => result._tag === "Rejected")
      assert.isTrue(
        refused.every(({ file }) => /\/(cdp-backend|cdptools_v2|sps-school-board)\/[^/]+\.json$/.test(file)),
        "only the files that lack a fact are rejected"
      )
      assert.deepStrictEqual(
        [...new Set(noticesOf(refused))],
        [
          'Rejected 1 date: is not in the file; give it with --date, or as "date" in meeting.json beside it',
          'Rejected 1 body: is not in the file; give it with --body, or as "body" in meeting.json beside it'
        ]
      )
    })
  )

  it.effect("gives a transcript for every file once flags name the meeting", () =>
    Effect.gen(function* () {
      const facts = { body: "Seattle School Board", place: "Seattle", state: "WA", date: "2023-01-11" }
      const items = yield* itemsOf(file, { facts })
      assert.deepStrictEqual(
        items.filter(({ result }) => result._tag === "Rejected"),
        []
      )
      const transcripts = those(items, "transcript")
      assert.strictEqual(transcripts.length, 20)
      assert.isTrue(transcripts.every(({ segments }) => segments.length > 0))

      const aligned = items.flatMap(({ file, result }) =>
        file.endsWith("a95KMDHf4vQ.whisperx.json") && result._tag === "Entity" && result.entity.type === "transcript"
          ? [result.entity]
          : []
      )
      const segments = aligned[0]?.segments ?? []
      assert.isTrue(segments.every(({ speaker }) => speaker === undefined || /^SPEAKER_\d\d$/.test(speaker)))
      assert.isTrue(segments.some(({ text, words }) => (words?.length ?? 0) < text.split(" ").length))
      assert.isTrue(segments.some(({ words }) => (words?.length ?? 0) > 0))
    })
  )
})

withFile("places.tar.gz", (file) => {
  it.effect("has 39,382 places and 14,535 bodies, each with a slug of its own", () =>
    Effect.gen(function* () {
      const counts = tally()
      const slugs = new Set<string>()
      const joined: Array<string> = []
      let lastPlaces: ReadonlyArray<string> = []
      yield* eachItem(file, {}, (item) => {
        counts.take(item)
        if (item.result._tag !== "Entity") return
        const { entity } = item.result
        if (entity.type !== "place" && entity.type !== "agency") return
        const name = `${entity.type} ${entity.slug}`
        assert.isFalse(slugs.has(name), name)
        slugs.add(name)
        if (entity.type === "agency") lastPlaces = entity.places
        if (entity.type === "agency" && !lastPlaces.every((place) => slugs.has(`place ${place}`))) joined.push(name)
      })
      assert.deepStrictEqual(counts.counts, { place: 39_382, agency: 14_535, Warning: 24 })
      assert.deepStrictEqual(joined, [])
      for (const slug of ["knoxville-tn", "knox-county-tn", "new-york-ny", "seattle-wa"]) {
        assert.isTrue(slugs.has(`place ${slug}`), slug)
      }
    })
  )
})

withFile("nyc-matters.ndjson.gz", (file) => {
  it.effect("has 14,116 matters with 84,424 actions and 96,575 documents, and 10,805 votes with 341,008 ballots", () =>
    Effect.gen(function* () {
      const counts = { matters: 0, actions: 0, sponsors: 0, documents: 0, votes: 0, ballots: 0, others: 0 }
      yield* eachItem(file, {}, ({ result }) => {
        if (result._tag !== "Entity") counts.others++
        else if (result.entity.type === "matter") {
          counts.matters++
          counts.actions += result.entity.history.length
          counts.documents += result.entity.attachments?.length ?? 0
          counts.sponsors += result.entity.sponsors?.length ?? 0
        } else if (result.entity.type === "vote") {
          counts.votes++
          counts.ballots += result.entity.ballots.length
        }
      })
      assert.deepStrictEqual(counts, {
        matters: 14_116,
        actions: 84_424,
        sponsors: 109_410,
        documents: 96_575,
        votes: 10_805,
        ballots: 341_008,
        others: 0
      })
    })
  )
})

withFile("nyc-rollcalls.ndjson.gz", (file) => {
  it.effect("has 12,152 roll calls with 133,255 answers", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(file)
      const calls = those(items, "vote")
      assert.deepStrictEqual(
        [calls.length, calls.reduce((sum, { ballots }) => sum + ballots.length, 0), noticesOf(items)],
        [12_152, 133_255, []]
      )
    })
  )
})

withFile("nyc-people.ndjson.gz", (file) => {
  it.effect("has 254 people with 5,959 offices, each once", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(file)
      const offices = those(items, "membership")
      assert.strictEqual(new Set(those(items, "person").map(({ slug }) => slug)).size, 254)
      assert.strictEqual(new Set(offices.map(({ id }) => id)).size, 5959)
      assert.deepStrictEqual(noticesOf(items), [])
    })
  )
})
