import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { ClipId, type MeetingId } from "../../../schema/primitives.ts"
import type { TranscriptVersion } from "../../../schema/transcript.ts"
import { cardsOf } from "../meetings/cards.ts"
import { type NewEvent, recordFeed } from "./record.ts"

/** What became of one entity of a batch. */
interface Settled {
  readonly _tag: "Created" | "Updated" | "Unchanged" | "Refused"
}

/** What a batch changed, each thing once however often it was touched. */
interface Changes {
  /** Meetings that were put on record, held or to come. */
  readonly published: ReadonlySet<MeetingId>
  /** Meetings of which, or of whose belongings, something else changed. */
  readonly updated: ReadonlySet<MeetingId>
  readonly transcripts: ReadonlyArray<{ readonly meeting_id: MeetingId; readonly version: TranscriptVersion }>
  readonly briefings: ReadonlySet<MeetingId>
  readonly clips: ReadonlySet<ClipId>
  readonly videos: ReadonlySet<MeetingId>
  readonly figures: ReadonlySet<MeetingId>
}

/** How things stand after a batch, of what it changed. */
interface Standing {
  readonly cards: ReadonlyArray<MeetingCard>
  readonly briefings: ReadonlyArray<{ readonly meeting_id: MeetingId; readonly verified: boolean }>
  /** Clips that are published. */
  readonly clips: ReadonlyArray<{ readonly meeting_id: MeetingId; readonly clip_id: ClipId }>
  /** Meetings that have figures, with their images. */
  readonly figures: ReadonlyArray<MeetingId>
}

/** What the outcomes of a batch say was changed; places and bodies are no events. */
const changesOf = (entities: ReadonlyArray<BundleEntity>, outcomes: ReadonlyArray<Settled>): Changes => {
  const published = new Set<MeetingId>()
  /** Put on record as cancelled: nobody was told of them, so nobody is told more. */
  const untold = new Set<MeetingId>()
  const touched = new Set<MeetingId>()
  const transcripts = new Map<string, { readonly meeting_id: MeetingId; readonly version: TranscriptVersion }>()
  const briefings = new Set<MeetingId>()
  const clips = new Set<ClipId>()
  const videos = new Set<MeetingId>()
  const figures = new Set<MeetingId>()
  for (const [at, entity] of entities.entries()) {
    const outcome = outcomes[at]?._tag
    if (outcome !== "Created" && outcome !== "Updated") continue
    if (entity.type === "place" || entity.type === "agency") continue
    touched.add(entity.type === "meeting" ? entity.id : entity.meeting_id)
    switch (entity.type) {
      case "meeting":
        if (outcome === "Created") (entity.status === "cancelled" ? untold : published).add(entity.id)
        break
      case "transcript":
        transcripts.set(`${entity.meeting_id} ${entity.version}`, {
          meeting_id: entity.meeting_id,
          version: entity.version
        })
        break
      case "briefing":
      case "claims":
        briefings.add(entity.meeting_id)
        break
      case "clip":
        clips.add(entity.id)
        break
      case "figure":
        figures.add(entity.meeting_id)
        break
      case "media":
        if (entity.role === "rendition") videos.add(entity.meeting_id)
        if (entity.role === "figure") figures.add(entity.meeting_id)
        if (entity.role === "clip" && entity.subject !== undefined) clips.add(ClipId.make(entity.subject))
    }
  }
  return {
    published,
    updated: new Set([...touched].filter((id) => !published.has(id) && !untold.has(id))),
    transcripts: [...transcripts.values()],
    briefings,
    clips,
    videos,
    figures
  }
}

/** Which events follow from what changed, as things stand after it. */
const eventsOf = (changes: Changes, standing: Standing): ReadonlyArray<NewEvent> => [
  ...standing.cards.map(
    (card): NewEvent => ({
      event: changes.published.has(card.id) ? "meeting.published" : "meeting.updated",
      data: card
    })
  ),
  ...changes.transcripts.map((data): NewEvent => ({ event: "transcript.ready", data })),
  ...standing.briefings.map(
    ({ meeting_id, verified }): NewEvent => ({
      event: verified ? "briefing.verified" : "briefing.pending",
      data: { meeting_id }
    })
  ),
  ...standing.clips.map((data): NewEvent => ({ event: "clip.published", data })),
  ...[...changes.videos].map((meeting_id): NewEvent => ({ event: "video.ready", data: { meeting_id } })),
  ...standing.figures.map((meeting_id): NewEvent => ({ event: "figures.ready", data: { meeting_id } }))
]

const standingAfter = Effect.fnUntraced(function* (db: Sql, changes: Changes) {
  const cards = yield* cardsOf(db, [...changes.published, ...changes.updated])
  const briefings =
    changes.briefings.size === 0
      ? []
      : yield* db<Standing["briefings"][number]>`
        select b.meeting_id, exists (select from published_briefing p where p.meeting_id = b.meeting_id) as verified
        from briefing b where b.meeting_id = any(${[...changes.briefings]}::uuid[]) order by b.meeting_id`
  const clips =
    changes.clips.size === 0
      ? []
      : yield* db<Standing["clips"][number]>`
        select meeting_id, id as clip_id from clip
        where id = any(${[...changes.clips]}::uuid[]) and state = 'published' order by meeting_id, start, id`
  const figures =
    changes.figures.size === 0
      ? []
      : yield* db<{ meeting_id: MeetingId }>`
        select distinct f.meeting_id from figure f
        join media m on m.meeting_id = f.meeting_id and m.role = 'figure' and m.subject = f.id
        where f.meeting_id = any(${[...changes.figures]}::uuid[]) order by f.meeting_id`
  return { cards, briefings, clips, figures: figures.map((figure) => figure.meeting_id) }
})

/**
 * Tells what a batch changed, with the batch's transaction: call it there as the last thing, with one outcome an entity.
 * A meeting has at most one event of the meetings stream a batch, however much of it changed.
 */
export const feedOfBatch = Effect.fn("Feed.ofBatch")(function* (
  db: Sql,
  entities: ReadonlyArray<BundleEntity>,
  outcomes: ReadonlyArray<Settled>
) {
  const changes = changesOf(entities, outcomes)
  yield* recordFeed(db, eventsOf(changes, yield* standingAfter(db, changes)))
})

/** Tells that these meetings changed, for what changes them other than by a batch: last in the caller's transaction. */
export const feedOfMeetings = Effect.fn("Feed.ofMeetings")(function* (db: Sql, ids: ReadonlyArray<string>) {
  const cards = yield* cardsOf(db, ids)
  yield* recordFeed(
    db,
    cards.map((data) => ({ event: "meeting.updated", data }))
  )
})
