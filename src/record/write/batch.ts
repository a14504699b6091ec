import { DateTime, Effect, Predicate } from "effect"
import { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { BundleEntity, BundleMedia } from "../../../schema/bundle.ts"
import { Rehearsal } from "../../services/feed/record.ts"
import { announceStale, noteMeetingsOf } from "../../services/feed/stale-meetings.ts"
import { enqueueMeetingMedia } from "../../services/making/meeting-renders.ts"
import { refineAgain } from "../../services/making/stale-refinements.ts"
import { holdClaimCheck, serveBriefings } from "../../services/meetings/serving.ts"
import { notingTogether } from "../../services/meetings/word-forms.ts"
import {
  writeAgendaSummary,
  writeBriefing,
  writeClaims,
  writeClip,
  writeFigure,
  writeRecap,
  writeTranscript
} from "./belongings.ts"
import { actedOn, batchChanged } from "./changes.ts"
import { type Decision, groupsOf, isDecision, writeDecisions } from "./decisions.ts"
import { writeAgency, writePlace } from "./directory.ts"
import { writeDocument } from "./document.ts"
import { fingerprint } from "./entity.ts"
import { noteNewKeys } from "./media.ts"
import { writeMeeting } from "./meeting.ts"
import { type Outcome, refused, unchanged } from "./outcome.ts"
import { writeMembership, writePerson } from "./people.ts"
import { forgetWithdrawn, passedOver, withdrawnAmong, writeRemoved } from "./removed.ts"
import { flawOf } from "./soundness.ts"

/**
 * Writes the row of a media file whose bytes are already in the object store; the import decides how they get there.
 */
export type WriteMedia<E, R> = (media: BundleMedia, hash: string) => Effect.Effect<Outcome, E | SqlError.SqlError, R>

/** The report on a constraint that only the rows on record can break; `flawOf` finds every other fault. */
const byConstraint: Readonly<Record<string, Outcome>> = {
  clip_meeting_id_agenda_item_id_fkey: refused(
    "agenda_item",
    "is not on the meeting's agenda; write the id of one of its items or leave the field out"
  ),
  claim_pkey: refused("claims", "use the id of another meeting's claim; give each claim an id of its own"),
  retired_slug_pkey: refused("retired_slugs", "name a body on record; leave its slug out, or merge the two bodies"),
  body_slug_key: refused("slug", "is a retired slug of another body; write another one")
}

/** Never the database's own words, which name no field and no remedy. */
const unstorable = refused("", "cannot be stored as it is; compare its fields with docs/bundle.md")

/** SQLSTATE classes of values that no column can hold: 21, one row twice, 22, data exceptions, and 54, limits. */
const isUnstorable = (cause: unknown): boolean =>
  cause instanceof Error && Predicate.hasProperty(cause, "code") && /^(2[12]|54)/.test(String(cause.code))

/**
 * Whether another transaction, which has committed since, gave away the short id or the address that this one was about
 * to give. On retry, this one sees it and takes the next.
 */
const isTaken = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  error.reason._tag === "UniqueViolation" &&
  /^((removed_)?meeting_short_id_key|body_address_pkey)$/.test(error.reason.constraint)

const ofConstraint = (error: SqlError.SqlError): Outcome | undefined => {
  const { reason } = error
  if (isTaken(error)) return undefined
  if (isUnstorable(reason.cause)) return unstorable
  if (reason._tag !== "UniqueViolation" && reason._tag !== "ConstraintError") return undefined
  const constraint =
    reason._tag === "UniqueViolation" ? reason.constraint : /constraint "(\w+)"/.exec(String(reason.cause))?.[1]
  return byConstraint[constraint ?? ""] ?? unstorable
}

/** What meetings show of a body, by the body's id: its name, kind, path and places, as one text to compare. */
type ShownBodies = ReadonlyMap<number, string>

/** What meetings show of the bodies that these entities name, or that serve a place they name. */
const shownBodies = Effect.fnUntraced(function* (db: Sql, entities: ReadonlyArray<BundleEntity>) {
  const agencies = entities.flatMap((entity) => (entity.type === "agency" ? [entity.slug] : []))
  const places = entities.flatMap((entity) => (entity.type === "place" ? [entity.slug] : []))
  if (agencies.length + places.length === 0) return new Map<number, string>()
  const rows = yield* db<{ id: number; shown: string }>`
    select b.id, json_build_array(b.segment, b.name, b.kind, (
      select json_agg(json_build_array(p.slug, p.name, p.kind, p.state, p.county) order by bp.position)
      from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id))::text as shown
    from body b
    where b.slug = any(${agencies}::text[]) or b.id in (
      select bp.body_id from body_place bp join place p on p.id = bp.place_id where p.slug = any(${places}::text[]))`
  return new Map(rows.map(({ id, shown }) => [id, shown]))
})

/** The bodies that are shown differently now: the cards and search words of their meetings changed with them. */
const changedBodies = (before: ShownBodies, after: ShownBodies): ReadonlyArray<number> =>
  [...before].flatMap(([id, shown]) => (after.get(id) === shown ? [] : [id]))

const write = <E, R>(
  db: Sql,
  entity: Exclude<BundleEntity, Decision>,
  hash: string,
  now: string,
  writeMedia: WriteMedia<E, R>
) => {
  switch (entity.type) {
    case "place":
      return writePlace(db, entity, hash)
    case "agency":
      return writeAgency(db, entity, hash)
    case "meeting":
      return writeMeeting(db, entity, hash, now)
    case "transcript":
      return writeTranscript(db, entity, hash)
    case "briefing":
      return writeBriefing(db, entity, hash)
    case "claims":
      return writeClaims(db, entity, hash)
    case "recap":
      return writeRecap(db, entity, hash)
    case "agenda_summary":
      return writeAgendaSummary(db, entity, hash)
    case "clip":
      return writeClip(db, entity, hash)
    case "figure":
      return writeFigure(db, entity, hash)
    case "media":
      return writeMedia(entity, hash)
    case "document":
      return writeDocument(db, entity, hash)
    case "person":
      return writePerson(db, entity, hash, now)
    case "membership":
      return writeMembership(db, entity, hash, now)
    case "removed":
      return writeRemoved(db, entity)
  }
}

const meetingOf = (entity: BundleEntity): string | undefined =>
  entity.type === "meeting" ? entity.id : "meeting_id" in entity ? entity.meeting_id : undefined

const isSource = (entity: BundleEntity): boolean => entity.type === "media" && entity.role === "source"
const isRawTranscript = (entity: BundleEntity): boolean => entity.type === "transcript" && entity.version === "raw"
const isOfBriefing = ({ type }: BundleEntity): boolean => type === "briefing" || type === "claims"

/** The meetings of the entities of a kind that a batch wrote. */
const meetingsWith = (
  isOfKind: (entity: BundleEntity) => boolean,
  entities: ReadonlyArray<BundleEntity>,
  outcomes: ReadonlyArray<Outcome>
) =>
  entities.flatMap((entity, at) => {
    const isWritten = outcomes[at]?._tag === "Created" || outcomes[at]?._tag === "Updated"
    return isWritten && "meeting_id" in entity && isOfKind(entity) ? [entity.meeting_id] : []
  })

/** The facts that a batch reads before it writes. */
interface OnRecord {
  /** Meetings the batch refers to, including those it creates. */
  readonly meetings: Set<string>
  /** The fingerprints of its entities that a `removed` line took off the record, each with its subject. */
  readonly withdrawn: ReadonlyMap<string, string>
  /** The meetings and bodies that it creates: their withdrawn lines may come back. */
  readonly returned: Set<string>
}

/** An entity with its fingerprint. */
interface Line {
  readonly entity: BundleEntity
  readonly hash: string
}

/** The outcome for an entity that is not written. */
const passedBy = ({ entity, hash }: Line, { meetings, withdrawn, returned }: OnRecord): Outcome | undefined => {
  const flaw = flawOf(entity)
  if (flaw !== undefined) return refused(flaw.field, flaw.message)
  const subject = withdrawn.get(hash)
  if (subject !== undefined && !returned.has(subject)) return passedOver(entity)
  const meetingId = meetingOf(entity)
  return entity.type !== "meeting" && meetingId !== undefined && !meetings.has(meetingId)
    ? refused("meeting_id", `meeting ${meetingId} is neither on record nor on an earlier line`)
    : undefined
}

/** Writes lines that may be written at once, and returns an outcome for each. */
const writeGroup = Effect.fnUntraced(function* <E, R>(
  db: Sql,
  lines: ReadonlyArray<Line>,
  onRecord: OnRecord,
  now: string,
  writeMedia: WriteMedia<E, R>
) {
  const outcomes = lines.map((line) => passedBy(line, onRecord))
  const decisions = lines.flatMap(({ entity, hash }, at) =>
    outcomes[at] === undefined && isDecision(entity) ? [{ entity, hash, at }] : []
  )
  for (const [nth, outcome] of (yield* writeDecisions(db, decisions, now)).entries()) {
    const at = decisions[nth]?.at
    if (at !== undefined) outcomes[at] = outcome
  }
  for (const [at, { entity, hash }] of lines.entries()) {
    if (outcomes[at] === undefined && !isDecision(entity))
      outcomes[at] = yield* writeOne(db, entity, hash, onRecord, now, writeMedia)
  }
  return outcomes.map((outcome) => outcome ?? unchanged)
})

const writeOne = Effect.fnUntraced(function* <E, R>(
  db: Sql,
  entity: Exclude<BundleEntity, Decision>,
  hash: string,
  { meetings, returned }: OnRecord,
  now: string,
  writeMedia: WriteMedia<E, R>
) {
  const outcome = yield* write(db, entity, hash, now, writeMedia)
  if (entity.type === "meeting" && outcome._tag !== "Refused") meetings.add(entity.id)
  if (outcome._tag === "Created" && entity.type === "meeting") returned.add(entity.id.toLowerCase())
  if (outcome._tag === "Created" && entity.type === "agency") returned.add(entity.slug)
  return outcome
})

/**
 * Puts a batch of entities on record in one transaction, in their order. An entity that the record refuses is reported
 * and the others are kept; what changed goes through the door (`batchChanged`) with the same commit. A body or a place
 * that is shown differently changes all of its meetings: they are announced afterward, in transactions of their own.
 * Returns one outcome per entity. Lines that remove something come in batches of their own. Fails only if the database
 * does.
 */
export const writeBatch = Effect.fn("Records.writeBatch")(function* <E, R>(
  entities: ReadonlyArray<BundleEntity>,
  writeMedia: WriteMedia<E, R>
) {
  const db = yield* Db
  const hashes = entities.map(fingerprint)
  type Writing = Effect.Effect<ReadonlyArray<Outcome>, E | SqlError.SqlError, R>
  const attempt = (groups: ReadonlyArray<ReadonlyArray<number>>, guard: (write: Writing) => Writing) =>
    db.withTransaction(
      Effect.gen(function* () {
        // Not before the transaction: a list is complete as of the start of the oldest one.
        const now = DateTime.formatIso(yield* DateTime.now)
        const ids = [...new Set(entities.map(meetingOf).filter((id) => id !== undefined))]
        const rows = yield* db<{ id: string }>`select id from meeting where id = any(${ids}::uuid[])`
        const onRecord: OnRecord = {
          meetings: new Set(rows.map((row) => row.id)),
          withdrawn: yield* withdrawnAmong(db, hashes),
          returned: new Set()
        }
        if (entities.some(isOfBriefing)) yield* holdClaimCheck(db)
        const before = yield* shownBodies(db, entities)
        const acted = yield* actedOn(db, entities)
        const writing = Effect.forEach(groups, (group) => {
          const lines = group.flatMap((at) => {
            const entity = entities[at]
            return entity === undefined ? [] : [{ entity, hash: hashes[at] ?? "" }]
          })
          return guard(writeGroup(db, lines, onRecord, now, writeMedia))
        })
        const outcomes = (yield* notingTogether(db, writing)).flat()
        if (onRecord.returned.size > 0) yield* forgetWithdrawn(db, [...onRecord.returned])
        const changed = changedBodies(before, yield* shownBodies(db, entities))
        if (changed.length > 0) yield* noteMeetingsOf(db, changed)
        yield* enqueueMeetingMedia(db, meetingsWith(isSource, entities, outcomes))
        yield* refineAgain(db, meetingsWith(isRawTranscript, entities, outcomes))
        yield* serveBriefings(db, [...new Set(meetingsWith(isOfBriefing, entities, outcomes))])
        yield* batchChanged(db, entities, outcomes, acted)
        return { outcomes, changed }
      })
    )
  if (!(yield* Rehearsal)) yield* noteNewKeys(db, entities)
  // Most batches are sound: only one that is not pays for a savepoint per entity.
  const { outcomes, changed } = yield* attempt(groupsOf(entities), (whole) => whole).pipe(
    Effect.catchIf(
      (error): error is SqlError.SqlError => SqlError.isSqlError(error) && ofConstraint(error) !== undefined,
      () =>
        attempt(
          entities.map((_, at) => [at]),
          (one) =>
            db.withTransaction(one).pipe(
              Effect.catchIf(
                (error): error is SqlError.SqlError => SqlError.isSqlError(error),
                (error) => {
                  const outcome = ofConstraint(error)
                  return outcome === undefined ? Effect.fail(error) : Effect.succeed([outcome])
                }
              )
            )
        )
    ),
    Effect.retry({ while: isTaken, times: 5 })
  )
  if (changed.length > 0) yield* announceStale
  return outcomes
})
