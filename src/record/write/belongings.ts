import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type {
  BundleAgendaSummary,
  BundleBriefing,
  BundleClaims,
  BundleClip,
  BundleFigure,
  BundleRecap,
  BundleTranscript
} from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { packSegments } from "../../services/meetings/packed-segments.ts"
import { wordCount } from "../../services/meetings/passages.ts"
import { clearTranscriptIndex, indexTranscript } from "../../services/meetings/transcript-index.ts"
import { noteWords } from "../../services/meetings/word-forms.ts"
import type { WrittenBriefing } from "../../text/served-briefing.ts"
import { settled } from "./directory.ts"
import { unchanged, updated } from "./outcome.ts"

/**
 * Whether a meeting's raw transcript must be refined before anybody reads it: the pipeline is about to do that, or has
 * done it with an earlier one.
 */
const awaitsRefining = Effect.fnUntraced(function* (db: Sql, meetingId: MeetingId) {
  const rows = yield* db`
    select from made_part where meeting_id = ${meetingId} and part in ('raw_transcript', 'transcript')
    union all
    select from flow f join task t on t.flow_id = f.id
    where f.kind = 'meeting' and f.meeting_id = ${meetingId} and f.state = 'open' and t.stage = 'refine' and t.state <> 'done'`
  return rows.length > 0
})

/**
 * Writes one version of a transcript. Search finds moments in the refined one, or in a raw one that stands alone. A raw
 * version that still has to be refined is withheld, because it may have home addresses in it.
 */
export const writeTranscript = Effect.fnUntraced(function* (db: Sql, transcript: BundleTranscript, hash: string) {
  const { meeting_id, version, segments } = transcript
  const known = yield* db`
    select from transcript where meeting_id = ${meeting_id} and version = ${version} and content_hash = ${hash}`
  if (known.length > 0) return unchanged
  const row = {
    meeting_id,
    version,
    language: transcript.language,
    generator: transcript.generator ?? null,
    duration: transcript.duration ?? segments.reduce((end, segment) => Math.max(end, segment.end), 0),
    word_count: wordCount(segments),
    speakers: transcript.speakers === undefined ? null : JSON.stringify(transcript.speakers),
    segments: yield* packSegments(segments),
    withheld: version === "raw" && (yield* awaitsRefining(db, meeting_id)),
    content_hash: hash
  }
  const written = yield* db<{ created: boolean; withheld: boolean }>`
    insert into transcript as t ${db.insert(row)}
    on conflict (meeting_id, version) do update set
      language = excluded.language, generator = excluded.generator, duration = excluded.duration,
      word_count = excluded.word_count, speakers = excluded.speakers, segments = excluded.segments,
      content_hash = excluded.content_hash,
      withheld = t.withheld or excluded.withheld
    where t.content_hash <> excluded.content_hash
    returning xmax = 0 as created, withheld`
  const outcome = settled(written[0])
  if (outcome._tag === "Unchanged") return outcome
  // What was taken out of another text says nothing about this one.
  if (version === "refined") yield* db`delete from removal where meeting_id = ${meeting_id}`
  const others = yield* db<{ version: string }>`
    select version from transcript where meeting_id = ${meeting_id} and version <> ${version}`
  if (version === "raw" && others.length > 0) return outcome
  // The words of another version, or of this one as it was, are replaced; most transcripts come by themselves and once.
  if (outcome._tag === "Updated" || others.length > 0) yield* clearTranscriptIndex(db, meeting_id)
  if (!written[0]?.withheld) yield* indexTranscript(db, meeting_id, version, segments)
  return outcome
})

/** Writes a briefing as it came; the batch decides what of it is served. */
export const writeBriefing = Effect.fnUntraced(function* (db: Sql, briefing: BundleBriefing, hash: string) {
  const { type: _, meeting_id, generator, published_at, ...written } = briefing
  const row = {
    meeting_id,
    written: JSON.stringify(written satisfies WrittenBriefing),
    generator: generator ?? null,
    published_at,
    content_hash: hash
  }
  const [stored] = yield* db<{ created: boolean }>`
    insert into briefing as b ${db.insert(row)}
    on conflict (meeting_id) do update set
      written = excluded.written, generator = excluded.generator,
      published_at = excluded.published_at, content_hash = excluded.content_hash
    where b.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  if (stored !== undefined) yield* noteWords(db, [written.headline])
  return settled(stored)
})

/** Replaces the claims of a briefing with these. */
export const writeClaims = Effect.fnUntraced(function* (db: Sql, claims: BundleClaims, hash: string) {
  const known = yield* db<{
    content_hash: string
  }>`select content_hash from claims where meeting_id = ${claims.meeting_id}`
  if (known[0]?.content_hash === hash) return unchanged
  const written = yield* db<{ created: boolean }>`
    insert into claims as c ${db.insert({ meeting_id: claims.meeting_id, content_hash: hash })}
    on conflict (meeting_id) do update set content_hash = excluded.content_hash, checked_by = null
    returning xmax = 0 as created`
  yield* db`delete from claim where meeting_id = ${claims.meeting_id}`
  yield* db`
    insert into claim (id, meeting_id, position, topic, text, verdict, evidence, checked_at)
    select claim.id, ${claims.meeting_id}, claim.position, claim.topic, claim.text, claim.verdict, claim.evidence, claim.checked_at
    from rows from (json_to_recordset(${JSON.stringify(claims.claims)}::json)
      as (id uuid, topic text, text text, verdict text, evidence jsonb, checked_at timestamptz)) with ordinality
      claim (id, topic, text, verdict, evidence, checked_at, position)`
  return written[0]?.created ? settled(written[0]) : updated
})

export const writeRecap = Effect.fnUntraced(function* (db: Sql, recap: BundleRecap, hash: string) {
  const row = {
    meeting_id: recap.meeting_id,
    headline: recap.headline,
    summary: recap.summary,
    decisions: JSON.stringify(recap.decisions),
    content_hash: hash
  }
  const written = yield* db<{ created: boolean }>`
    insert into recap as r ${db.insert(row)}
    on conflict (meeting_id) do update set
      headline = excluded.headline, summary = excluded.summary, decisions = excluded.decisions,
      content_hash = excluded.content_hash
    where r.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  return settled(written[0])
})

export const writeAgendaSummary = Effect.fnUntraced(function* (db: Sql, summary: BundleAgendaSummary, hash: string) {
  const row = {
    meeting_id: summary.meeting_id,
    items: JSON.stringify(summary.items),
    content_hash: hash
  }
  const written = yield* db<{ created: boolean }>`
    insert into agenda_summary as s ${db.insert(row)}
    on conflict (meeting_id) do update set items = excluded.items, content_hash = excluded.content_hash
    where s.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  return settled(written[0])
})

export const writeClip = Effect.fnUntraced(function* (db: Sql, clip: BundleClip, hash: string) {
  const row = {
    id: clip.id,
    meeting_id: clip.meeting_id,
    title: clip.title,
    start: clip.start,
    end: clip.end,
    agenda_item_id: clip.agenda_item ?? null,
    state: clip.state,
    content_hash: hash
  }
  const written = yield* db<{ created: boolean }>`
    insert into clip as c ${db.insert(row)}
    on conflict (id) do update set
      meeting_id = excluded.meeting_id, title = excluded.title, start = excluded.start, "end" = excluded."end",
      agenda_item_id = excluded.agenda_item_id, state = excluded.state, content_hash = excluded.content_hash
    where c.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  if (written.length > 0) yield* noteWords(db, [clip.title])
  return settled(written[0])
})

export const writeFigure = Effect.fnUntraced(function* (db: Sql, figure: BundleFigure, hash: string) {
  const row = {
    id: figure.id,
    meeting_id: figure.meeting_id,
    title: figure.title,
    alt: figure.alt,
    content_hash: hash
  }
  const written = yield* db<{ created: boolean }>`
    insert into figure as f ${db.insert(row)}
    on conflict (id) do update set
      meeting_id = excluded.meeting_id, title = excluded.title, alt = excluded.alt, content_hash = excluded.content_hash
    where f.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  return settled(written[0])
})
