import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"
import type { MeetingEvent } from "../../../schema/events.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { TranscriptVersion } from "../../../schema/transcript.ts"
import { briefingEvents, meetingsChanged } from "../../services/feed/changed.ts"
import { noteMeetingsOfVotes } from "../../services/feed/stale-meetings.ts"
import { matterActions } from "../../services/meetings/matter-actions.ts"
import { isAboutMeeting } from "./entity.ts"
import type { Outcome } from "./outcome.ts"

/** What a batch changed, each thing once however often it was touched. */
interface Changes {
  /** Meetings that were put on record, whatever their status. */
  readonly published: ReadonlySet<MeetingId>
  /** Every meeting that was changed, or whose belongings were; those put on record too. */
  readonly touched: ReadonlySet<MeetingId>
  readonly transcripts: ReadonlyArray<{ readonly meeting_id: MeetingId; readonly version: TranscriptVersion }>
  readonly briefings: ReadonlySet<MeetingId>
  readonly videos: ReadonlySet<MeetingId>
  readonly figures: ReadonlySet<MeetingId>
  /** Ids of votes, which may name their meeting by its number at its source. */
  readonly votes: ReadonlyArray<string>
}

/**
 * What the outcomes of a batch say was changed; places and bodies have no events of their own, and removals have told
 * theirs.
 */
const changesOf = (entities: ReadonlyArray<BundleEntity>, outcomes: ReadonlyArray<Outcome>): Changes => {
  const published = new Set<MeetingId>()
  const touched = new Set<MeetingId>()
  const transcripts = new Map<string, { readonly meeting_id: MeetingId; readonly version: TranscriptVersion }>()
  const briefings = new Set<MeetingId>()
  const videos = new Set<MeetingId>()
  const figures = new Set<MeetingId>()
  const votes: Array<string> = []
  for (const [at, entity] of entities.entries()) {
    const outcome = outcomes[at]?._tag
    if (outcome !== "Created" && outcome !== "Updated") continue
    if (entity.type === "vote") votes.push(entity.id)
    if (!isAboutMeeting(entity)) continue
    touched.add(entity.type === "meeting" ? entity.id : entity.meeting_id)
    switch (entity.type) {
      case "meeting":
        if (outcome === "Created") published.add(entity.id)
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
      case "figure":
        figures.add(entity.meeting_id)
        break
      case "media":
        if (entity.role === "rendition") videos.add(entity.meeting_id)
        if (entity.role === "figure") figures.add(entity.meeting_id)
    }
  }
  return { published, touched, transcripts: [...transcripts.values()], briefings, videos, figures, votes }
}

/** An action on a matter that a meeting took. */
interface Acted {
  readonly meeting_id: MeetingId
  readonly matter: string
}

/** The actions that meetings took on the matters of a batch, by their keys: compared before and after it. */
export const actedOn = Effect.fnUntraced(function* (db: Sql, entities: ReadonlyArray<BundleEntity>) {
  const slugs = entities.flatMap((entity) => (entity.type === "matter" ? [entity.slug] : []))
  const actions = slugs.length === 0 ? [] : yield* matterActions(db, slugs, "step")
  return new Map(
    actions.flatMap(
      ({ key, kind, slug, meeting_id }): ReadonlyArray<[string, Acted]> =>
        kind === "step" && meeting_id !== null ? [[key, { meeting_id, matter: slug }]] : []
    )
  )
})

/** What is among the actions after a batch, and was not before, once for each meeting and matter. */
const newlyActed = (before: ReadonlyMap<string, Acted>, after: ReadonlyMap<string, Acted>): ReadonlyArray<Acted> => [
  ...new Map(
    [...after]
      .filter(([key]) => !before.has(key))
      .map(([, acted]) => [`${acted.meeting_id} ${acted.matter}`, acted] as const)
  ).values()
]

/** The events of single meetings that follow from what changed, as things stand after it. */
const eventsOf = Effect.fnUntraced(function* (db: Sql, changes: Changes) {
  const { transcripts, briefings, videos, figures, votes } = changes
  const readable =
    transcripts.length === 0
      ? []
      : yield* db<Changes["transcripts"][number]>`
          select meeting_id, version from published_transcript
          where meeting_id = any(${transcripts.map(({ meeting_id }) => meeting_id)}::uuid[])`
  const isReadable = (one: Changes["transcripts"][number]) =>
    readable.some(({ meeting_id, version }) => meeting_id === one.meeting_id && version === one.version)
  const drawn =
    figures.size === 0
      ? []
      : yield* db<{ meeting_id: MeetingId }>`
          select distinct f.meeting_id from figure f
          join media m on m.meeting_id = f.meeting_id and m.role = 'figure' and m.subject = f.id
          where f.meeting_id = any(${[...figures]}::uuid[]) order by f.meeting_id`
  const voted =
    votes.length === 0
      ? []
      : yield* db<{ meeting_id: MeetingId; vote_id: string }>`
          select meeting_id, id as vote_id from vote
          where id = any(${votes}::uuid[]) and meeting_id is not null order by meeting_id, id`
  return [
    ...transcripts.filter(isReadable).map((data): MeetingEvent => ({ event: "transcript.ready", data })),
    ...(yield* briefingEvents(db, [...briefings])),
    ...[...videos].map((meeting_id): MeetingEvent => ({ event: "video.ready", data: { meeting_id } })),
    ...drawn.map((data): MeetingEvent => ({ event: "figures.ready", data })),
    ...voted.map((data): MeetingEvent => ({ event: "vote.ready", data }))
  ]
})

/**
 * The door (`meetingsChanged`) for a batch with one outcome per entity: call it last in the batch's transaction.
 * `before` is what meetings had done about its matters (`actedOn`). A meeting has at most one event of the meetings
 * stream per batch, however much of it changed.
 */
export const batchChanged = Effect.fn("Records.batchChanged")(function* (
  db: Sql,
  entities: ReadonlyArray<BundleEntity>,
  outcomes: ReadonlyArray<Outcome>,
  before: ReadonlyMap<string, Acted>
) {
  const changes = changesOf(entities, outcomes)
  const { published, touched, votes } = changes
  // A meeting may have a hundred votes, in as many batches: it is announced once, when all of them are on record.
  if (votes.length > 0) yield* noteMeetingsOfVotes(db, votes)
  const ids = new Set([...published, ...touched])
  const acted = newlyActed(before, yield* actedOn(db, entities))
  const also = [
    ...(yield* eventsOf(db, changes)),
    ...acted.map((data): MeetingEvent => ({ event: "action.ready", data }))
  ]
  yield* meetingsChanged(db, [...ids], { published, also })
})
