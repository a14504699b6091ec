import type { ReservedSql } from "postgres"
import { servedBriefing } from "../../src/text/served-briefing.ts"
import { copyInto, type Value } from "./copy.ts"
import type { LoadedMeeting, LoadedRecord } from "./record.ts"

/**
 * The `content_hash` of every loaded row. It need not be the line's own, because it only decides whether importing the
 * same line again rewrites the row.
 */
export const contentHash = "load"

/** Loads the places and bodies; their ids are their positions, from 1. */
export const copyDirectory = async (sql: ReservedSql, { directory: { places, bodies } }: LoadedRecord) => {
  const placeIds = new Map(places.map(({ slug }, at) => [slug, at + 1]))
  await copyInto(
    sql,
    "place",
    ["id", "slug", "name", "kind", "state", "county", "zips", "latitude", "longitude", "content_hash"],
    places.map((place, at) => [
      at + 1,
      place.slug,
      place.name,
      place.kind,
      place.state,
      place.county,
      place.zips ?? [],
      place.latitude,
      place.longitude,
      contentHash
    ])
  )
  await copyInto(
    sql,
    "body",
    ["id", "slug", "segment", "name", "kind", "website", "content_hash"],
    bodies.map(({ agency }, at) => [
      at + 1,
      agency.slug,
      agency.segment,
      agency.name,
      agency.kind,
      agency.website,
      contentHash
    ])
  )
  await copyInto(
    sql,
    "body_place",
    ["body_id", "place_id", "position"],
    bodies.flatMap(({ agency }, at) => agency.places.map((slug, position) => [at + 1, placeIds.get(slug), position]))
  )
  for (const table of ["place", "body"]) {
    await sql.unsafe(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
  }
}

/** A table, its columns, and the rows of a meeting in it. */
type Part = readonly [
  table: string,
  columns: ReadonlyArray<string>,
  rows: (loaded: LoadedMeeting, bodies: ReadonlyMap<string, number>) => ReadonlyArray<ReadonlyArray<Value>>
]

const parts: ReadonlyArray<Part> = [
  [
    "meeting",
    [
      "id",
      "body_id",
      "title",
      "date",
      "starts_at",
      "timezone",
      "status",
      "duration",
      "source_url",
      "agenda_url",
      "location",
      "updated_at",
      "content_hash"
    ],
    ({ meeting: m, updatedAt }, bodies) => [
      [
        m.id,
        bodies.get(m.agency),
        m.title,
        m.date,
        m.starts_at,
        m.timezone,
        m.status,
        m.duration,
        m.source_url,
        m.agenda_url,
        m.location,
        updatedAt,
        contentHash
      ]
    ]
  ],
  [
    "agenda_item",
    ["id", "meeting_id", "position", "number", "title", "description", "start"],
    ({ meeting }) =>
      meeting.agenda_items.map((item, at) => [
        item.id,
        meeting.id,
        at + 1,
        item.number,
        item.title,
        item.description,
        item.start
      ])
  ],
  [
    "chapter",
    ["meeting_id", "position", "title", "start", "end"],
    ({ meeting }) => meeting.chapters.map(({ title, start, end }, at) => [meeting.id, at + 1, title, start, end])
  ],
  [
    "clip",
    ["id", "meeting_id", "title", "start", "end", "state", "content_hash"],
    ({ clip }) =>
      clip === undefined ? [] : [[clip.id, clip.meeting_id, clip.title, clip.start, clip.end, clip.state, contentHash]]
  ],
  [
    "briefing",
    ["meeting_id", "written", "served", "follows_setting", "generator", "published_at", "content_hash"],
    ({ briefing, claims }) => {
      if (briefing === undefined) return []
      const { type: _, meeting_id, generator, published_at, ...written } = briefing
      const verdicts = Object.fromEntries((claims?.claims ?? []).map(({ id, verdict = null }) => [id, verdict]))
      const served = servedBriefing(written, verdicts, { isChecked: true, servesUnchecked: false })
      return [[meeting_id, written, served && { ...served }, "f", generator, published_at, contentHash]]
    }
  ],
  [
    "claims",
    ["meeting_id", "content_hash"],
    ({ claims }) => (claims === undefined ? [] : [[claims.meeting_id, contentHash]])
  ],
  [
    "claim",
    ["id", "meeting_id", "position", "topic", "text", "verdict", "evidence", "checked_at"],
    ({ claims }) =>
      (claims?.claims ?? []).map((claim, at) => [
        claim.id,
        claims?.meeting_id,
        at + 1,
        claim.topic,
        claim.text,
        claim.verdict,
        JSON.stringify(claim.evidence),
        claim.checked_at
      ])
  ],
  [
    "document",
    ["id", "meeting_id", "kind", "position", "title", "is_listed", "version", "content_hash"],
    ({ meeting, packet }) =>
      packet === undefined ? [] : [[meeting.id, meeting.id, "packet", 1, "Packet", "t", 1, contentHash]]
  ],
  [
    "document_version",
    ["document_id", "version", "media_type", "pages", "fetched_at"],
    ({ meeting, updatedAt, packet }) =>
      packet === undefined ? [] : [[meeting.id, 1, "application/pdf", packet().length, updatedAt]]
  ],
  [
    "document_page",
    ["document_id", "version", "number", "text"],
    ({ meeting, packet }) => (packet?.() ?? []).map((text, at) => [meeting.id, 1, at + 1, text])
  ]
]

/** Loads meetings with everything but their transcripts. */
export const copyMeetings = async (
  sql: ReservedSql,
  meetings: ReadonlyArray<LoadedMeeting>,
  bodies: ReadonlyMap<string, number>
) => {
  for (const [table, columns, rows] of parts) {
    // One meeting's rows at a time: the packets of a batch do not fit in memory.
    const all = function* () {
      for (const meeting of meetings) yield* rows(meeting, bodies)
    }
    await copyInto(sql, table, columns, all())
  }
}
