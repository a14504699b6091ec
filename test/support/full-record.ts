import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Effect } from "effect"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { announceStale } from "../../src/services/feed/stale-meetings.ts"
import {
  agendaKey,
  clipKey,
  figureKey,
  posterKey,
  renditionKey,
  sourceKey
} from "../../src/services/meetings/media-tier.ts"
import {
  agency,
  agendaItemId,
  claimId,
  clipId,
  documentId,
  figureId,
  type MediaRow,
  meeting,
  meetingId,
  place,
  putMedia,
  putOnRecord,
  said,
  transcript
} from "./builders.ts"

const id = meetingId("full")

/** The words spoken in the meeting. */
const lines = Array.from({ length: 100 }, (_, at) => `Sentence number ${at}, with & and <i> and --> in it.`)

/**
 * A council with a meeting that has one of everything (`full`), one that has nothing (`bare`), and an upcoming one
 * (`next`).
 */
export const fullRecord = Effect.gen(function* () {
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  yield* putOnRecord(
    place("sangamon-county", { name: "Sangamon County", kind: "county" }),
    place("springfield", { county: "Sangamon County", zips: ["62701"] }),
    agency("council", ["springfield"], {
      slug: "springfield-council",
      segment: "council",
      retired_slugs: ["old-council"]
    }),
    agency("parks-a", ["springfield"], { segment: "parks-board", kind: "other" }),
    agency("parks-b", ["springfield"], { segment: "parks-board", kind: "other" }),
    meeting("full", "springfield-council", {
      agenda_changed_at: "2026-03-09T03:30:00Z",
      agenda_items: [
        {
          ...{ id: agendaItemId("full"), title: "Greenway extension", description: "Bonds", outcome: "Passed" },
          matter: "Ordinance No. 2026-14"
        }
      ],
      chapters: [{ title: "Opening", start: 0, end: 60 }]
    }),
    meeting("bare", "springfield-council"),
    meeting("next", "springfield-council", { date: soon, status: "upcoming" }),
    transcript("full", said(lines), {
      speakers: [
        { name: "Mayor Doe", shown_at: 12.5 },
        { name: "A. Marsh", person: "springfield-ada-marsh" }
      ]
    }),
    transcript("full", said(["sentense won"]), { version: "raw" }),
    {
      type: "briefing",
      meeting_id: id,
      headline: "Headline",
      worth_watching: [],
      topics: [
        {
          title: "Topic",
          sentences: [
            { text: "It passed.", citations: [], claim: claimId("good") },
            { text: "It failed.", citations: [], claim: claimId("bad") }
          ],
          figures: [figureId("one")]
        }
      ],
      published_at: "2026-03-12T08:00:00Z"
    },
    {
      type: "claims",
      meeting_id: id,
      claims: (["good", "bad"] as const).map((name) => ({
        id: claimId(name),
        topic: "Topic",
        text: name,
        verdict: name === "good" ? "supported" : "contradicted",
        evidence: [],
        checked_at: "2026-03-12T09:00:00Z"
      }))
    },
    { type: "person", slug: "springfield-ada-marsh", place: "springfield", name: "Ada Marsh" },
    {
      type: "membership",
      id: "5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7a01",
      person: "springfield-ada-marsh",
      agency: "springfield-council",
      name: "Council",
      role: "member",
      start: "2024-05-01"
    },
    {
      type: "matter",
      slug: "springfield-ord-2026-14",
      place: "springfield",
      identifier: "Ord. 2026-14",
      title: "Creek greenway",
      kind: "ordinance",
      status: "passed",
      introduced_on: "2026-02-24",
      agency: "springfield-council",
      sponsors: [{ person: "springfield-ada-marsh", name: "Ada Marsh", is_primary: true }],
      attachments: [{ title: "Staff report", url: "https://springfield.example/report.pdf" }],
      history: [
        { date: "2026-02-24", action: "Introduced", agency: "springfield-council", body_name: "Council" },
        { date: "2026-03-10", action: "Approved", result: "pass", meeting_id: id, agenda_item: agendaItemId("full") }
      ]
    },
    {
      type: "vote",
      id: "d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0d46",
      kind: "vote",
      meeting_id: id,
      agenda_item: agendaItemId("full"),
      matter: "springfield-ord-2026-14",
      motion: "Approve",
      start: 12.5,
      ballots: [
        { person: "springfield-ada-marsh", name: "Ada Marsh", option: "yes" },
        { person: "springfield-ben-ortiz", name: "Ben Ortiz", option: "no" }
      ]
    },
    {
      type: "document",
      meeting_id: id,
      id: documentId("packet"),
      kind: "packet",
      title: "Agenda packet",
      agenda_item: agendaItemId("full"),
      source_url: "https://council.example.gov/packet.pdf",
      media_type: "application/pdf",
      bytes: 4096,
      digest: "a".repeat(64),
      removals: 1,
      fetched_at: "2026-03-08T12:00:00Z",
      pages: [{ text: "Packet of the meeting" }, { text: "A page that was a picture", from: "ocr" }]
    },
    { type: "figure", meeting_id: id, id: figureId("one"), title: "Costs", alt: "Three bars." },
    { type: "recap", meeting_id: id, headline: "Recap", summary: "Short.", decisions: [] },
    { type: "agenda_summary", meeting_id: id, items: [{ title: "Greenway", summary: "A path." }] },
    { type: "clip", meeting_id: id, id: clipId("one"), title: "One", start: 1, end: 9, state: "published" }
  )
  // As an import ends: a meeting with new votes is announced once.
  yield* announceStale
  yield* putObjects(
    { key: sourceKey(id, "mp4"), role: "source" },
    { key: posterKey(id), role: "poster", media_type: "image/jpeg", width: 1280, height: 720 },
    { key: renditionKey(id), role: "rendition", width: 1280, height: 720, duration: 500 },
    { key: agendaKey(id), role: "agenda", media_type: "application/pdf" },
    {
      key: figureKey(id, figureId("one")),
      role: "figure",
      subject: figureId("one"),
      media_type: "image/png",
      width: 120,
      height: 80
    },
    { key: clipKey(id, clipId("one")), role: "clip", subject: clipId("one") }
  )
})

/** Puts media on record and in the store: a thousand bytes each, beginning with their key. */
export const putObjects = Effect.fnUntraced(function* (...rows: ReadonlyArray<MediaRow>) {
  const store = yield* ObjectStore
  const folder = mkdtempSync(path.join(tmpdir(), "civic-record-objects-"))
  const file = path.join(folder, "object")
  for (const { key, media_type } of rows) {
    writeFileSync(file, key.padEnd(1000, "."))
    yield* store.put(key, file, media_type ?? "video/mp4")
  }
  rmSync(folder, { recursive: true })
  yield* putMedia(...rows)
})
