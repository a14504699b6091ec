import { randomBytes, randomUUID } from "node:crypto"
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import { type AccountId, type MeetingId, roundSeconds, UserClipId } from "../../../schema/primitives.ts"
import {
  type CreateUserClipRequest,
  longestUserClip,
  mostUserClips,
  type SharedClip,
  shortestUserClip,
  type UserClip,
  type UserClipList
} from "../../../schema/user-clip.ts"
import { type NotFound, type Removed, userClipNotFound } from "../failures.ts"
import { meetingSlug } from "../meetings/cards.ts"
import { clipTitle } from "../meetings/clip-title.ts"
import { userClipKey } from "../meetings/media-tier.ts"
import { hasWords, signedClip } from "../meetings/meeting-media.ts"
import { Meetings } from "../meetings/meetings.ts"
import { recordingLength } from "../meetings/recording.ts"
import { idOf } from "../meetings/sql.ts"
import { given } from "../wire.ts"
import { cleanLine } from "./auto-span.ts"
import { enqueueUserClip } from "./clip-renders.ts"
import { RemovedMedia } from "./removed-media.ts"

/** Longer than `longestUserClip`. */
export class ClipTooLong extends Data.TaggedError("ClipTooLong")<{ readonly seconds: number }> {}

/**
 * Not a span of at least `shortestUserClip` within the recording, which lasts `recording` seconds (0 without a
 * recording).
 */
export class ClipOutOfRange extends Data.TaggedError("ClipOutOfRange")<{ readonly recording: number }> {}

/** The account already has `mostUserClips` of this meeting. */
export class ClipLimitReached extends Data.TaggedError("ClipLimitReached") {}

/** The caller's own clip, which is not rendered yet, or could not be. */
export class ClipNotReady extends Data.TaggedError("ClipNotReady")<{ readonly state: "rendering" | "failed" }> {}

/**
 * No ready clip with its media has the slug. The error does not say whether it is unknown, unrendered, deleted or
 * without its media (spec section 7, rule 5).
 */
export class SharedClipNotFound extends Data.TaggedError("SharedClipNotFound") {}

interface Row {
  readonly id: UserClipId
  readonly slug: string
  readonly meeting_id: MeetingId
  readonly title: string | null
  readonly start: number
  readonly end: number
  readonly state: UserClip["state"]
  readonly created_at: Date
  readonly shares: number
  readonly visits: number
  readonly has_words: boolean
}

/** 96 random bits, base64url: nobody can guess a clip's slug. */
const newSlug = (): string => randomBytes(12).toString("base64url")
const slugForm = /^[\w-]{16}$/

const spanOf = ({ title, start, end }: Pick<Row, "title" | "start" | "end">) => ({
  ...given("title", title),
  start,
  end,
  duration: roundSeconds(end - start)
})

/** Clips that readers cut (spec 4.7): each belongs to its owner, and anyone who has its slug may watch it. */
export class UserClips extends Context.Service<
  UserClips,
  {
    /** Creates a clip and queues it for rendering. */
    readonly create: (
      request: CreateUserClipRequest,
      owner: AccountId
    ) => Effect.Effect<UserClip, NotFound | Removed | ClipTooLong | ClipOutOfRange | ClipLimitReached>
    /** The owner's clips, of one meeting or of all, newest first. */
    readonly list: (owner: AccountId, meetingId: MeetingId | undefined) => Effect.Effect<UserClipList>
    /** Deletes a clip with its link, its media and its place in the queue. */
    readonly remove: (id: string, owner: AccountId) => Effect.Effect<void, NotFound>
    /** The object of an own ready clip, and the name of the download. */
    readonly download: (
      id: string,
      owner: AccountId
    ) => Effect.Effect<{ readonly key: string; readonly fileName: string }, NotFound | ClipNotReady>
    /** A ready clip by its slug, with a signed address; fails if its media is no longer in the store. */
    readonly shared: (slug: string) => Effect.Effect<SharedClip, SharedClipNotFound>
    /** The owner of the ready clip with this slug. */
    readonly ownerOf: (
      slug: string
    ) => Effect.Effect<{ readonly id: UserClipId; readonly owner: AccountId }, SharedClipNotFound>
  }
>()("civic-record/UserClips") {
  static readonly layer = Layer.effect(
    UserClips,
    Effect.gen(function* () {
      const db = yield* Db
      const meetings = yield* Meetings
      const removed = yield* RemovedMedia
      const store = yield* ObjectStore
      const { baseUrl } = yield* Environment

      const signed = yield* signedClip

      /** Of a clip `u`. */
      const columns = db`
        u.id, u.slug, u.meeting_id, ${clipTitle(db)} as title, u.start::float8 as start, u."end"::float8 as "end",
        u.state, u.created_at, u.shares, u.visits, ${hasWords(db, "u.meeting_id")} as has_words`

      const wire = Effect.fnUntraced(function* (row: Row) {
        const { id, slug, meeting_id, state, created_at, shares, visits, has_words } = row
        const media =
          state === "ready"
            ? {
                ...(yield* signed(userClipKey(id), has_words)),
                download_url: `${baseUrl}/api/user-clips/${id}/download`
              }
            : {}
        const created = created_at.toISOString()
        const counts = { share_url: `${baseUrl}/clips/${slug}`, shares, visits }
        return {
          id,
          slug,
          meeting_id,
          ...spanOf(row),
          state,
          created_at: created,
          ...counts,
          ...media
        } satisfies UserClip
      })

      const create = Effect.fn("UserClips.create")(function* (request: CreateUserClipRequest, owner: AccountId) {
        const meetingId = yield* meetings.resolve(request.meeting_id)
        const [start, end] = [roundSeconds(request.start), roundSeconds(request.end)]
        const length = roundSeconds(end - start)
        const recording = yield* recordingLength(db, meetingId)
        if (length > longestUserClip) return yield* new ClipTooLong({ seconds: length })
        if (length < shortestUserClip || end > recording) return yield* new ClipOutOfRange({ recording })
        const title = cleanLine(request.title ?? "")
        const row = {
          id: UserClipId.make(randomUUID()),
          slug: newSlug(),
          account_id: owner,
          meeting_id: meetingId,
          title: title === "" ? null : title,
          start,
          end,
          state: "rendering",
          created_at: DateTime.formatIso(yield* DateTime.now)
        }
        const [made] = yield* db.withTransaction(
          Effect.gen(function* () {
            // Concurrent requests of one account wait for each other here, so that each counts the one before it.
            yield* db`select from account where id = ${owner} for no key update`
            const others = yield* db`
              select from user_clip where account_id = ${owner} and meeting_id = ${meetingId} limit ${mostUserClips}`
            if (others.length >= mostUserClips) return yield* new ClipLimitReached()
            const rows = yield* db<Row>`insert into user_clip as u ${db.insert(row)} returning ${columns}`
            yield* enqueueUserClip(db, row.id)
            return rows
          })
        )
        return made === undefined ? yield* Effect.die("an insert gave no row") : yield* wire(made)
      }, dbDies)

      const list = Effect.fn("UserClips.list")(function* (owner: AccountId, meetingId: MeetingId | undefined) {
        const rows = yield* db<Row>`
          select ${columns} from user_clip u
          where u.account_id = ${owner} and ${meetingId === undefined ? db`true` : db`u.meeting_id = ${meetingId}`}
          order by u.created_at desc, u.id`
        return { clips: yield* Effect.forEach(rows, wire) }
      }, dbDies)

      const remove = Effect.fn("UserClips.remove")(function* (id: string, owner: AccountId) {
        const gone = yield* db`delete from user_clip where id = ${idOf(id)} and account_id = ${owner} returning id`
        if (gone.length === 0) return yield* userClipNotFound(id)
        yield* removed.sweep
      }, dbDies)

      const download = Effect.fn("UserClips.download")(function* (id: string, owner: AccountId) {
        const [row] = yield* db<Pick<Row, "id" | "state" | "start"> & Parameters<typeof meetingSlug>[0]>`
          select u.id, u.state, u.start::float8 as start, m.short_id, b.slug, m.date::text as date
          from user_clip u join meeting m on m.id = u.meeting_id join body b on b.id = m.body_id
          where u.id = ${idOf(id)} and u.account_id = ${owner}`
        if (row === undefined) return yield* userClipNotFound(id)
        if (row.state !== "ready") return yield* new ClipNotReady({ state: row.state })
        return { key: userClipKey(row.id), fileName: `${meetingSlug(row)}-${Math.floor(row.start)}s.mp4` }
      }, dbDies)

      const ready = Effect.fnUntraced(function* (slug: string) {
        const [row] = slugForm.test(slug)
          ? yield* db<Row & { account_id: AccountId }>`
            select ${columns}, u.account_id from user_clip u where u.slug = ${slug} and u.state = 'ready'`
          : []
        return row ?? (yield* new SharedClipNotFound())
      }, dbDies)

      const shared = Effect.fn("UserClips.shared")(function* (slug: string) {
        const row = yield* ready(slug)
        const key = userClipKey(row.id)
        // A link that plays nothing is worse than none.
        if (Option.isNone(yield* Effect.orDie(store.head(key)))) return yield* new SharedClipNotFound()
        return {
          slug,
          meeting_id: row.meeting_id,
          ...spanOf(row),
          ...(yield* signed(key, row.has_words))
        } satisfies SharedClip
      })

      const ownerOf = Effect.fn("UserClips.ownerOf")(function* (slug: string) {
        const { id, account_id } = yield* ready(slug)
        return { id, owner: account_id }
      })

      return { create, list, remove, download, shared, ownerOf }
    })
  ).pipe(Layer.provide(Meetings.fromPrimary))
}
