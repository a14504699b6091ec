import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { Db } from "../../layers/db/db.ts"
import { agency, agendaItemId, clipId, meeting, meetingId, place } from "../support/builders.ts"
import { mediaFiles } from "../support/media-files.ts"
import { ran, ranHere } from "../support/program.ts"
import { deployment, everything, importPath, writeLines } from "./importing.ts"

/**
 * A deployment with a command line: `run` runs it in this process, `runApart` in a separate one as an operator does.
 */
const machine = Effect.gen(function* () {
  const { folder, on, env } = yield* deployment
  return {
    ...{ env, folder, on },
    run: (...args: ReadonlyArray<string>) => ranHere(env, ...args),
    runApart: (...args: ReadonlyArray<string>) => ran(env, ...args)
  }
})

const counted = Effect.map(everything, (tables) =>
  Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length]))
)

const example = "docs/examples/bundle"
/** The example put on record without a separate process, for tests that are not about importing. */
const examplePut = importPath(example)
const { jpeg } = await Effect.runPromise(mediaFiles)

describe("civic-record import", () => {
  it.live("exits with 0 and reports the created lines; run again, reports everything as unchanged", () =>
    Effect.gen(function* () {
      const { on, run, runApart } = yield* machine
      const first = yield* runApart("import", example)
      assert.strictEqual(first.err, "")
      assert.strictEqual(first.code, 0)
      const [heading, ...lines] = first.out.trimEnd().split("\n")
      assert.strictEqual(heading, `${example}, read as bundle:`)
      assert.deepStrictEqual(
        lines.slice(0, -1).map((line) => line.trim().replace(/ +/g, " ")),
        ["place", "agency", "meeting", "transcript", "briefing", "claims", "clip"].map((type) => `${type} 1 created`)
      )
      assert.match(lines.at(-1) ?? "", /^ {2}0 left out, 0 notes, 0 repeated; \d+\.\d s, \d+\.\d meetings\/s$/)
      const before = yield* on(everything)
      const second = yield* run("import", example)
      assert.strictEqual(second.code, 0)
      assert.match(second.out, /meeting +1 unchanged\n/)
      assert.notMatch(second.out, /created|updated/)
      assert.deepStrictEqual(yield* on(everything), before)
    })
  )

  it.live("exits with 2 when lines are skipped, reports each of them and a summary, and imports the others", () =>
    Effect.gen(function* () {
      const { folder, on, runApart } = yield* machine
      const file = writeLines(path.join(folder, "mixed.ndjson"), [
        place("springfield"),
        "{ this is no JSON",
        { ...agency("council", ["springfield"]), kind: "guild" },
        agency("council", ["springfield"]),
        meeting("one", "council", { agenda_items: [{ id: agendaItemId("one"), title: "Roll call" }] }),
        {
          type: "clip",
          meeting_id: meetingId("one"),
          id: clipId("a"),
          title: "A",
          start: 2,
          end: 1,
          state: "published"
        }
      ])
      const { code, out, err } = yield* runApart("import", file)
      assert.strictEqual(code, 2)
      assert.deepStrictEqual(err.trimEnd().split("\n"), [
        "left out  mixed.ndjson:2  is not JSON",
        "left out  mixed.ndjson:3  kind: must be one of city_council, school_board, planning_commission, county_board, committee, other",
        "left out  mixed.ndjson:6  end: is not after start; write the second at which the clip ends"
      ])
      assert.match(out, /clip +1 rejected\n {2}3 left out, 0 notes, 0 repeated;/)
      const counts = yield* on(counted)
      assert.deepInclude(counts, { place: 1, body: 1, meeting: 1, agenda_item: 1, clip: 0 })
    })
  )

  it.live("prints the first of many skipped lines, and counts them all", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* machine
      const file = writeLines(
        path.join(folder, "bad.ndjson"),
        Array.from({ length: 50 }, () => "no JSON")
      )
      const { code, out, err } = yield* run("import", "--format", "bundle", file)
      assert.strictEqual(code, 2)
      assert.strictEqual(err.match(/^left out/gm)?.length, 20)
      assert.match(err, /\(the rest of these are only counted\)\s*$/)
      assert.match(out, / 50 left out/)
    })
  )

  it.live("exits with 1 and one line that says what to do when the path does not exist or is in no known format", () =>
    Effect.gen(function* () {
      const { folder, on, run, runApart } = yield* machine
      const missing = yield* runApart("import", path.join(folder, "nowhere.ndjson"))
      assert.deepStrictEqual([missing.code, missing.out], [1, ""])
      assert.strictEqual(missing.err, `civic-record: ${path.join(folder, "nowhere.ndjson")}: does not exist\n`)
      const unknown = yield* run("import", "package.json")
      assert.strictEqual(unknown.code, 1)
      assert.match(
        unknown.err,
        /^civic-record: package\.json: is in no known format: it looks like JSON of a shape that is not known; [^;]+; say which with --format: bundle, [^\n]+\n$/
      )
      const { feed_event, ...counts } = yield* on(counted)
      assert.deepStrictEqual([feed_event, counts.place, counts.meeting], [0, 0, 0])
    })
  )

  it.live("says what unread files look like, and exits with 1 if nothing was recognized", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* machine
      const strange = path.join(folder, "strange")
      fs.mkdirSync(strange)
      for (const name of ["minutes.pdf", "meetings.ods.gz", "notes.txt"]) {
        fs.writeFileSync(path.join(strange, name), "Item 1: the levee\n")
      }
      const all = yield* run("import", strange)
      assert.strictEqual(all.code, 1)
      assert.match(all.err, /in no known format: it looks like text without times; .*: notes\.txt/)
      assert.match(all.err, /in no known format: it looks like a PDF, .*: minutes\.pdf/)
      assert.match(all.err, /: nothing in it was recognized; civic-record import --help lists what is read\.\n$/)
      const table = yield* run("import", path.join(strange, "meetings.ods.gz"))
      assert.strictEqual(table.code, 1)
      assert.match(table.err, /is in no known format: it looks like a table; save it as CSV or XLSX/)
    })
  )

  it.live("takes facts that the source lacks from its flags", () =>
    Effect.gen(function* () {
      const { on, run } = yield* machine
      const { code } = yield* run(
        ...[
          "import",
          "docs/examples/legistar-api",
          "--place",
          "Marlow",
          "--state",
          "IL",
          "--timezone",
          "America/New_York"
        ]
      )
      assert.strictEqual(code, 0)
      const [row] = yield* on(
        Effect.flatMap(Db, (db) => db<{ timezone: string; starts_at: Date }>`select timezone, starts_at from meeting`)
      )
      assert.strictEqual(row?.timezone, "America/New_York")
      assert.strictEqual(row?.starts_at.toISOString(), "2021-07-12T22:30:00.000Z")
    })
  )

  it.live("changes nothing if it would move meetings on record to another place or body, and does with --move", () =>
    Effect.gen(function* () {
      const { on, run, folder } = yield* machine
      const events = ["import", "docs/examples/legistar-events.ndjson", "--state", "IL", "--place"] as const
      assert.strictEqual((yield* run(...events, "Marlow")).code, 0)
      const before = yield* on(everything)
      const mistyped = yield* run(...events, "Marlw")
      assert.strictEqual(mistyped.code, 1)
      assert.match(mistyped.err, /It would move \d+ meetings? on record, such as \S+ from marlow-\S+ to marlw-/)
      assert.include(mistyped.err, "--move")
      assert.deepStrictEqual(yield* on(everything), before)
      assert.strictEqual((yield* run(...events, "Marlow")).code, 0)
      const lines = [place("marlow"), place("other", { name: "Other" })]
      const [body] = yield* on(Effect.flatMap(Db, (db) => db<{ slug: string }>`select slug from body order by id`))
      const council = agency(body?.slug ?? "", ["other"])
      const moved = writeLines(path.join(folder, "moved.ndjson"), [...lines, council])
      assert.match(
        (yield* run("import", moved)).err,
        new RegExp(`from marlow/${council.slug} to other/${council.slug}`)
      )
      const served = writeLines(path.join(folder, "served.ndjson"), [
        ...lines,
        { ...council, places: ["other", "marlow"] }
      ])
      assert.strictEqual((yield* run("import", served)).code, 0)
      assert.strictEqual((yield* run(...events, "Marlw", "--move")).code, 0)
      const rows = yield* on(
        Effect.flatMap(Db, (db) => db`select from meeting m join body b on b.id = m.body_id where b.slug like 'marlw%'`)
      )
      assert.isNotEmpty(rows)
    })
  )

  it.live("with --dry-run reports the outcome, and stores no row and no file", () =>
    Effect.gen(function* () {
      const { folder, on, run } = yield* machine
      const bundle = path.join(folder, "bundle")
      fs.cpSync(example, bundle, { recursive: true })
      fs.writeFileSync(path.join(bundle, "poster.jpg"), jpeg)
      const poster = { type: "media", meeting_id: "5d0c3c8e-95a0-5b5c-9d9e-2f6c5b0f7a11", role: "poster" }
      fs.appendFileSync(
        path.join(bundle, "record.ndjson"),
        `${JSON.stringify({ ...poster, path: "poster.jpg", media_type: "image/jpeg" })}\n`
      )
      const before = yield* on(everything)
      const dry = yield* run("import", bundle, "--dry-run")
      assert.strictEqual(dry.code, 0)
      assert.match(dry.out, /\(dry run: nothing was kept\):\n/)
      assert.match(dry.out, /media +1 created\n/)
      assert.deepStrictEqual(yield* on(everything), before)
      const kept = path.join(folder, "data/media", "meetings", poster.meeting_id, "poster.jpg")
      assert.isFalse(fs.existsSync(kept))
      assert.strictEqual((yield* run("import", bundle)).code, 0)
      assert.deepStrictEqual(fs.readFileSync(kept), jpeg)
    })
  )

  it.live(
    "that is stopped halfway has stored whole batches, says how to continue, and is completed by another run",
    () =>
      Effect.gen(function* () {
        const { env, folder, on, run } = yield* machine
        const lines = [
          place("springfield"),
          agency("council", ["springfield"]),
          ...Array.from({ length: 500 }, (_, at) =>
            meeting(String(at), "council", { agenda_items: [{ id: agendaItemId(String(at)), title: `Item ${at}` }] })
          )
        ]
        const child = spawn(process.execPath, ["src/main.ts", "import", "-"], { env })
        const end = Promise.all([new Promise((resolve) => child.on("close", resolve)), text(child.stderr)])
        child.stdout.resume()
        // Two batches of 200, and 50 lines waiting for the rest of theirs.
        child.stdin.write(
          lines
            .slice(0, 450)
            .map((line) => `${JSON.stringify(line)}\n`)
            .join("")
        )
        const { meeting: held } = yield* on(counted).pipe(
          Effect.repeat({ until: ({ meeting }) => meeting === 398, schedule: Schedule.spaced("50 millis") })
        )
        assert.strictEqual(held, 398)
        child.kill("SIGINT")
        const [code, err] = yield* Effect.promise(() => end)
        assert.strictEqual(code, 130)
        assert.deepInclude(yield* on(counted), { meeting: 398, agenda_item: 398, meeting_search: 398, feed_event: 398 })
        assert.match(err, /run it again/i)

        const whole = yield* run("import", writeLines(path.join(folder, "whole.ndjson"), lines))
        assert.strictEqual(whole.code, 0)
        assert.match(whole.out, /meeting +102 created, 398 unchanged\n/)
        assert.deepInclude(yield* on(counted), { meeting: 500, agenda_item: 500, meeting_search: 500, feed_event: 500 })
      })
  )
})

describe("civic-record export", () => {
  it.live("writes a bundle that another deployment imports", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* machine, yield* machine]
      yield* here.on(examplePut)
      const bundle = path.join(here.folder, "exported")
      const first = yield* here.run("export", bundle)
      assert.deepStrictEqual(first, {
        code: 0,
        out: `Wrote 7 entities and 0 media files to ${bundle}.\n`,
        err: ""
      })
      assert.strictEqual((yield* there.run("import", bundle)).code, 0)
    })
  )
})

describe("civic-record remove", () => {
  const id = "5d0c3c8e-95a0-5b5c-9d9e-2f6c5b0f7a11"

  it.live("meeting takes it off the record with its media, keeps the reason, and lets it be restored", () =>
    Effect.gen(function* () {
      const { folder, on, run } = yield* machine
      const bundle = path.join(folder, "bundle")
      fs.cpSync(example, bundle, { recursive: true })
      fs.writeFileSync(path.join(bundle, "poster.jpg"), jpeg)
      const poster = { type: "media", meeting_id: id, role: "poster", path: "poster.jpg", media_type: "image/jpeg" }
      fs.appendFileSync(path.join(bundle, "record.ndjson"), `${JSON.stringify(poster)}\n`)
      const kept = path.join(folder, "data/media", "meetings", id, "poster.jpg")
      const reasons = on(Effect.flatMap(Db, (db) => db`select id, reason from removed_meeting`))
      yield* run("import", bundle)
      assert.isTrue(fs.existsSync(kept))
      assert.deepStrictEqual(yield* run("remove", "meeting", id, "--reason", "  Published\nby mistake. "), {
        code: 0,
        out: "5d0c3c8e-marlow-city-council-2026-03-10 is off the record, with its media. Its addresses answer 410 with the reason.\n",
        err: ""
      })
      assert.isFalse(fs.existsSync(kept))
      assert.deepStrictEqual(yield* reasons, [{ id, reason: "Published by mistake." }])
      const again = yield* run("remove", "meeting", id, "--reason", "Again.")
      assert.strictEqual(again.code, 1)
      assert.strictEqual(again.err, `civic-record: The meeting ${id} is off the record already.\n`)
      yield* run("import", bundle)
      assert.isTrue(fs.existsSync(kept))
      assert.deepStrictEqual(yield* reasons, [])
    })
  )

  it.live("transcript keeps the meeting, agency takes all of them", () =>
    Effect.gen(function* () {
      const { on, run } = yield* machine
      yield* on(examplePut)
      const transcript = yield* run("remove", "transcript", id.slice(0, 8), "--reason", "It names a minor.")
      assert.strictEqual(transcript.out, `The transcript of ${id} is off the record. The meeting itself stays.\n`)
      const history = yield* on(Effect.flatMap(Db, (db) => db`select action, detail from operator_action`))
      assert.deepStrictEqual(history, [{ action: "transcript.remove", detail: { reason: "It names a minor." } }])
      assert.deepInclude(yield* on(counted), { meeting: 1, transcript: 0, passage_block: 0 })
      const agency = yield* run("remove", "agency", "marlow-city-council", "--reason", "It is not a public body.")
      assert.strictEqual(
        agency.out,
        "marlow-city-council is off the record. Meetings removed with it: 1; their addresses answer 410 with the reason.\n"
      )
      assert.deepInclude(yield* on(counted), { meeting: 0, body: 0, removed_meeting: 1 })
    })
  )

  it.live("removes nothing without a reason, or if it is not on record", () =>
    Effect.gen(function* () {
      const { on, run } = yield* machine
      yield* on(examplePut)
      const before = yield* on(everything)
      assert.strictEqual((yield* run("remove", "meeting", id)).code, 1)
      assert.strictEqual((yield* run("remove", "meeting", id, "--reason", " ")).code, 1)
      const unknown = yield* run("remove", "agency", "nobody", "--reason", "No.")
      assert.deepStrictEqual([unknown.code, unknown.err], [1, "civic-record: There is no agency nobody on record.\n"])
      assert.deepStrictEqual(yield* on(everything), before)
    })
  )
})

describe("civic-record agency merge", () => {
  it.live("names the body that is not on record, and changes nothing", () =>
    Effect.gen(function* () {
      const { on, run } = yield* machine
      yield* on(examplePut)
      const before = yield* on(counted)
      const { code, err } = yield* run("agency", "merge", "nobody", "marlow-city-council")
      assert.strictEqual(code, 1)
      assert.strictEqual(err, "civic-record: There is no agency nobody on record.\n")
      assert.deepStrictEqual(yield* on(counted), before)
    })
  )
})
