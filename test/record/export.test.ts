import * as fs from "node:fs"
import * as path from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { writeBundle } from "../../src/record/write-bundle.ts"
import { PersonMerge } from "../../src/services/people/person-merge.ts"
import { meetingId, place } from "../support/builders.ts"
import { mediaFiles } from "../support/media-files.ts"
import { deployment, exported, importPath, writeLines } from "./importing.ts"

const details = {
  location: "Council Chambers, 12 Mill Street",
  join_url: "https://zoom.us/j/1",
  agenda_changed_at: "2026-03-09T03:30:00Z",
  minutes_url: "https://marlow.example/minutes.pdf",
  video_url: "https://video.example/1.mp4",
  attachments: [{ title: "Staff report", url: "https://marlow.example/report.pdf" }]
}

const linesOf = (file: string): ReadonlyArray<BundleEntity> =>
  fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** A claim that no check supported. */
const claim = "7b3f0f0e-0f52-5f60-9d43-50f0c0a3b112"

/** The example, with every field that a meeting may have, and a briefing whose headline is not served. */
const example = linesOf("docs/examples/bundle/record.ndjson").map((line) => {
  if (line.type === "meeting") return { ...line, ...details }
  if (line.type !== "briefing") return line
  const { type, meeting_id, headline, worth_watching, ...rest } = line
  return {
    ...{ type, meeting_id, headline, headline_claim: claim },
    ...{ worth_watching: [...worth_watching, { text: "A quarrel", start: 30, claim }], ...rest }
  }
})
const meeting = { meeting_id: "5d0c3c8e-95a0-5b5c-9d9e-2f6c5b0f7a11" }
const figure = "2c0f7a11-95a0-5b5c-9d9e-2f6c5b0f7a12"
const clip = "1f4be3b2-9a65-5f0e-8d9c-11a4e2c98d41"
const ofMeeting = `meetings/${meeting.meeting_id}`

/** Entities of the types that the example lacks. */
const furtherLines = [
  { type: "transcript", ...meeting, version: "raw", language: "en", duration: 41.5, segments: [] },
  { type: "figure", ...meeting, id: figure, title: "Cost by mile", alt: "Bars that grow from left to right." },
  {
    type: "recap",
    ...meeting,
    headline: "Greenway approved",
    summary: "Five to one.",
    decisions: [{ outcome: "Approved" }]
  },
  { type: "agenda_summary", ...meeting, items: [{ number: "1", title: "Easement", summary: "A strip of land." }] },
  {
    type: "person",
    slug: "marlow-ada-marsh",
    place: "marlow",
    name: "Ada Marsh",
    sort_name: "Marsh, Ada",
    other_names: ["Ada M. Marsh"],
    retired_slugs: ["marlow-ada-m-marsh"],
    source_url: "https://marlow.example/marsh"
  },
  {
    type: "membership",
    id: "5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7a01",
    person: "marlow-ada-marsh",
    agency: "marlow-city-council",
    name: "Marlow City Council",
    role: "chair",
    label: "President",
    start: "2024-01-01",
    end: "2027-12-31",
    party: "Independent",
    district: "Ward 3"
  },
  {
    type: "matter",
    attachments: [{ title: "Staff report", url: "https://marlow.example/report.pdf" }],
    slug: "marlow-ord-2026-14",
    place: "marlow",
    identifier: "Ord. 2026-14",
    title: "Mill Street easement",
    description: "A strip of land.",
    kind: "ordinance",
    kind_label: "Ordinance",
    status: "enacted",
    status_label: "Signed",
    introduced_on: "2026-02-24",
    enacted_as: "2026/003",
    agency: "marlow-city-council",
    sponsors: [{ person: "marlow-ada-marsh", name: "Ada Marsh", is_primary: true }, { name: "The Mayor" }],
    history: [
      {
        date: "2026-02-24",
        action: "Introduced",
        agency: "marlow-city-council",
        body_name: "City Council",
        event: "900"
      },
      { date: "2026-03-10", action: "Approved", result: "pass", ...meeting }
    ]
  },
  {
    type: "vote",
    id: "d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0d46",
    kind: "vote",
    ...meeting,
    matter: "marlow-ord-2026-14",
    motion: "Approve",
    result: "pass",
    counts: [{ option: "yes", value: 2 }],
    ballots: [
      { person: "marlow-ada-marsh", name: "Ada Marsh", option: "yes" },
      { name: "Ben Ortiz", option: "abstain", note: "Recused" }
    ],
    moved_by: "Marsh",
    seconded_by: "Ortiz",
    start: 12.5,
    end: 30,
    quote: "The ayes have it.",
    from: "transcript"
  }
]

const { mp4, jpeg, png, pdf, size } = await Effect.runPromise(mediaFiles)
const bytes: Readonly<Record<string, Buffer>> = { ".mp4": mp4, ".webm": mp4, ".jpg": jpeg, ".png": png, ".pdf": pdf }

const media = [
  { role: "agenda", path: `${ofMeeting}/agenda.pdf`, media_type: "application/pdf" },
  { role: "clip", subject: clip, path: `${ofMeeting}/clips/${clip}.mp4`, media_type: "video/mp4", ...size },
  {
    role: "figure",
    subject: figure,
    path: `${ofMeeting}/figures/${figure}.png`,
    media_type: "image/png",
    width: 1,
    height: 1
  },
  { role: "poster", path: `${ofMeeting}/poster.jpg`, media_type: "image/jpeg", width: size.width, height: size.height },
  { role: "source", path: `${ofMeeting}/source/recording.webm`, media_type: "video/webm", ...size },
  { role: "rendition", path: `${ofMeeting}/web/720p.mp4`, media_type: "video/mp4", ...size }
].map(({ role, ...rest }) => ({ type: "media", ...meeting, role, ...rest }))

const turn = [
  "place",
  "agency",
  "person",
  "membership",
  "meeting",
  "transcript",
  "figure",
  "briefing",
  "claims",
  "recap",
  "agenda_summary",
  "clip",
  "media",
  "document",
  "matter",
  "vote"
]

const packet = {
  type: "document",
  ...meeting,
  ...{ id: "8e2d5a30-95a0-5b5c-9d9e-2f6c5b0f7a17", kind: "packet", title: "Packet", media_type: "application/pdf" },
  ...{ fetched_at: "2026-03-08T12:00:00Z", bookmarks: [{ title: "Easement", page: 1 }] },
  pages: [{ text: "A strip of land" }]
}

/** The lines of a bundle with every type, in the order of an export. */
const whole: ReadonlyArray<object> = [...example, ...furtherLines, ...media, packet]
  .map((line, at) => ({ line, at, version: "version" in line ? String(line.version) : "" }))
  .toSorted(
    (a, b) =>
      turn.indexOf(a.line.type) - turn.indexOf(b.line.type) ||
      (a.version < b.version ? -1 : a.version > b.version ? 1 : a.at - b.at)
  )
  .map(({ line }) => line)

/** Writes such a bundle to a folder, with media at paths of their own. */
const bundleIn = (folder: string): string => {
  const bundle = path.join(folder, "bundle")
  writeLines(
    path.join(bundle, "record.ndjson"),
    whole.map((line) => ("path" in line ? { ...line, path: path.basename(String(line.path)) } : line))
  )
  for (const { path: file } of media) {
    fs.writeFileSync(path.join(bundle, path.basename(file)), bytes[path.extname(file)] ?? "")
  }
  return bundle
}

/** Every file under a folder, with its bytes. */
const filesOf = (folder: string) =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [path.relative(folder, file), fs.readFileSync(file)])
  )

describe("a bundle that is imported, exported, imported elsewhere and exported again", () => {
  it.live("as a folder is byte-equal with its media, and has everything in the first one", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* deployment, yield* deployment]
      const { report } = yield* here.on(importPath(bundleIn(here.folder)))
      assert.strictEqual(report.rejected, 0)
      const first = path.join(here.folder, "exported")
      assert.deepStrictEqual(yield* here.on(writeBundle(`${first}/`)), { entities: 22, media: 6 })
      assert.deepStrictEqual<unknown>(linesOf(path.join(first, "record.ndjson")), whole)

      const again = yield* there.on(importPath(first))
      assert.deepStrictEqual(again.notices, [])
      const second = path.join(there.folder, "exported")
      yield* there.on(writeBundle(second))
      const [one, other] = [filesOf(first), filesOf(second)]
      assert.deepStrictEqual(Object.keys(one), ["record.ndjson", ...media.map(({ path: file }) => file)].toSorted())
      assert.deepStrictEqual(other, one)
      assert.deepStrictEqual(one[`${ofMeeting}/poster.jpg`], jpeg)

      const served = Effect.flatMap(Db, (db) => db<{ served: object }>`select served from briefing`)
      const [briefing] = yield* here.on(served)
      assert.deepInclude(briefing?.served, {
        headline: "The council approved the easement, five to one.",
        worth_watching: [{ text: "The vote on the easement", start: 12.4 }]
      })
      assert.deepStrictEqual<unknown>(yield* there.on(served), [briefing])
    })
  )

  it.live("as NDJSON and as gzip is byte-equal, without media", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* deployment, yield* deployment]
      yield* here.on(importPath("docs/examples/bundle"))
      yield* here.on(importPath("docs/examples/manifest"))
      const { report } = yield* here.on(importPath("docs/examples/ocd.ndjson"))
      assert.strictEqual(report.rejected, 0)
      yield* here.on(
        PersonMerge.use(({ merge }) => merge("marlow-ada-marsh", "marlow-ben-ortiz")).pipe(
          Effect.andThen(PersonMerge.use(({ merge }) => merge("marlow-ben-ortiz", "marlow-june-okafor"))),
          Effect.provide(PersonMerge.layer)
        )
      )
      const again = yield* here.on(importPath("docs/examples/ocd.ndjson"))
      assert.deepStrictEqual(
        Object.values(again.report.entities).map(({ created, updated }) => created + updated),
        Object.values(report.entities).map(() => 0)
      )
      const first = path.join(here.folder, "record.ndjson")
      const counts = yield* here.on(writeBundle(first))
      assert.deepStrictEqual(counts, { entities: linesOf(first).length, media: 0 })
      yield* there.on(importPath(first))
      const second = path.join(there.folder, "record.ndjson")
      yield* there.on(writeBundle(second))
      assert.strictEqual(fs.readFileSync(second, "utf8"), fs.readFileSync(first, "utf8"))
      const packed = path.join(there.folder, "record.ndjson.gz")
      yield* there.on(writeBundle(packed))
      assert.strictEqual(gunzipSync(fs.readFileSync(packed)).toString(), fs.readFileSync(first, "utf8"))
      const repacked = yield* deployment
      yield* repacked.on(importPath(packed))
      assert.deepStrictEqual(yield* repacked.on(exported), yield* here.on(exported))
    })
  )

  it.live("changes nothing in the deployment it came from", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      yield* on(importPath("docs/examples/bundle"))
      const file = path.join(folder, "record.ndjson")
      yield* on(writeBundle(file))
      const { report } = yield* on(importPath(file))
      const changed = Object.entries(report.entities).filter(([, { unchanged }]) => unchanged !== 1)
      assert.deepStrictEqual(changed, [])
    })
  )
})

describe("an export", () => {
  it.live("has more meetings than fit on a page, in an order that can be imported", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const file = writeLines(path.join(folder, "many.ndjson"), [
        ...example.slice(0, 2),
        ...Array.from({ length: 60 }, (_, at) => ({ ...example[2], id: meetingId(String(at)), agenda_items: [] })),
        ...Array.from({ length: 60 }, (_, at) => ({ ...example[3], meeting_id: meetingId(String(at)) }))
      ])
      yield* on(importPath(file))
      const entities = yield* on(exported)
      const known = new Set<string>()
      for (const entity of entities) {
        if (entity.type === "meeting") known.add(entity.id)
        if (entity.type === "transcript") assert.isTrue(known.has(entity.meeting_id))
      }
      assert.strictEqual(known.size, 60)
      assert.strictEqual(entities.length, 2 + 60 + 60)
    })
  )

  it.live("does not overwrite anything, and leaves nothing behind when a media file is lost", () =>
    Effect.gen(function* () {
      const { folder, store, on } = yield* deployment
      yield* on(importPath(bundleIn(folder)))
      const taken = path.join(folder, "bundle")
      const before = filesOf(taken)
      const refused = yield* Effect.flip(on(writeBundle(taken)))
      assert.match(String(refused), /already exists: name a new folder or file\./)
      assert.deepStrictEqual(filesOf(taken), before)

      fs.rmSync(path.join(store, ofMeeting, "poster.jpg"))
      const target = path.join(folder, "exported")
      const unwritable = yield* Effect.flip(on(writeBundle(path.join(taken, "record.ndjson", "exported.ndjson"))))
      assert.match(String(unwritable), /exported\.ndjson\.part could not be written: (ENOTDIR|EEXIST)\.$/)
      const lost = yield* Effect.flip(on(writeBundle(target)))
      assert.match(String(lost), /ObjectNotFound: The media store has no meetings\/.*\/poster\.jpg/)
      assert.deepStrictEqual(
        fs.readdirSync(folder).filter((name) => name.startsWith("exported")),
        []
      )
    })
  )

  it.live("that fails midway leaves nothing half written", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      yield* on(importPath(writeLines(path.join(folder, "a.ndjson"), [place("springfield")])))
      yield* on(Effect.flatMap(Db, (db) => db`alter table meeting rename to gone`))
      const target = path.join(folder, "exported.ndjson")
      const failed = yield* Effect.flip(on(writeBundle(target)))
      assert.match(String(failed), /SqlError/)
      assert.deepStrictEqual(
        fs.readdirSync(folder).filter((name) => name.startsWith("exported")),
        []
      )
    })
  )
})
