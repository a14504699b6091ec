import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type AccountFollows, type FollowsRequest, mostFollowed } from "../../../schema/account.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { bodyWithSlug } from "../meetings/sql.ts"

/** Slugs that name nothing, in the order sent. */
export class UnknownFollows extends Data.TaggedError("UnknownFollows")<{
  readonly field: "agencies" | "places"
  readonly slugs: ReadonlyArray<string>
}> {}

/** More bodies or places than an account may follow. */
export class TooManyFollows extends Data.TaggedError("TooManyFollows")<{
  readonly field: UnknownFollows["field"]
  readonly limit: number
}> {}

/** A body or a place, by its slug. */
interface Followed {
  readonly kind: UnknownFollows["field"]
  readonly slug: string
}

/** The bodies and places that an account follows, by slug and in order. */
export class Follows extends Context.Service<
  Follows,
  {
    readonly get: (accountId: AccountId) => Effect.Effect<AccountFollows>
    /** Replaces the whole list; a retired slug stands for the body that it became (spec section 2). */
    readonly replace: (accountId: AccountId, follows: FollowsRequest) => Effect.Effect<AccountFollows, UnknownFollows>
    /** Adds one. Idempotent. */
    readonly follow: (accountId: AccountId, followed: Followed) => Effect.Effect<void, UnknownFollows | TooManyFollows>
    /** Removes one. Idempotent. */
    readonly unfollow: (accountId: AccountId, followed: Followed) => Effect.Effect<void, UnknownFollows>
  }
>()("civic-record/Follows") {
  static readonly layer = Layer.effect(
    Follows,
    Effect.gen(function* () {
      const db = yield* Db

      const get = Effect.fn("Follows.get")(function* (accountId: AccountId) {
        const agencies = yield* db<{ slug: string }>`
          select slug from followed_body f join body b on b.id = f.body_id where account_id = ${accountId} order by slug`
        const places = yield* db<{ slug: string }>`
          select slug from followed_place f join place p on p.id = f.place_id where account_id = ${accountId} order by slug`
        return { agencies: agencies.map(({ slug }) => slug), places: places.map(({ slug }) => slug) }
      }, dbDies)

      const replace = Effect.fn("Follows.replace")(function* (
        accountId: AccountId,
        { agencies, places }: FollowsRequest
      ) {
        const bodyIds = yield* bodyWithSlug(db, agencies)
        yield* requireKnown("agencies", agencies, bodyIds)
        const placeIds = yield* db<{ slug: string; id: number }>`
          select slug, id from place where slug = any(${places})`
        yield* requireKnown("places", places, placeIds)
        yield* db.withTransaction(
          Effect.gen(function* () {
            // Of two concurrent replacements, one wins entirely.
            yield* db`select from account where id = ${accountId} for update`
            yield* db`delete from followed_body where account_id = ${accountId}`
            yield* db`delete from followed_place where account_id = ${accountId}`
            // A body that was merged away meanwhile is left out.
            yield* db`
              insert into followed_body (account_id, body_id)
              select ${accountId}::uuid, id from body where id = any(${bodyIds.map(({ id }) => id)})`
            yield* db`
              insert into followed_place (account_id, place_id)
              select ${accountId}::uuid, id from place where id = any(${placeIds.map(({ id }) => id)})`
          })
        )
        return yield* get(accountId)
      }, dbDies)

      /** The id of a body, by a live or retired slug, or of a place. */
      const idOf = Effect.fnUntraced(function* ({ kind, slug }: Followed) {
        const found =
          kind === "agencies"
            ? yield* bodyWithSlug(db, [slug])
            : yield* db<{ slug: string; id: number }>`select slug, id from place where slug = ${slug}`
        yield* requireKnown(kind, [slug], found)
        return found[0]?.id ?? null
      })

      const follow = Effect.fn("Follows.follow")(function* (accountId: AccountId, followed: Followed) {
        const id = yield* idOf(followed)
        const { kind } = followed
        yield* db.withTransaction(
          Effect.gen(function* () {
            // Concurrent requests of one account wait for each other here, so that each counts the one before it.
            yield* db`select from account where id = ${accountId} for update`
            yield* kind === "agencies"
              ? db`
                insert into followed_body (account_id, body_id)
                select ${accountId}::uuid, id from body where id = ${id} on conflict do nothing`
              : db`
                insert into followed_place (account_id, place_id)
                select ${accountId}::uuid, id from place where id = ${id} on conflict do nothing`
            const now = (yield* get(accountId))[kind]
            if (now.length > mostFollowed) return yield* new TooManyFollows({ field: kind, limit: mostFollowed })
          })
        )
      }, dbDies)

      const unfollow = Effect.fn("Follows.unfollow")(function* (accountId: AccountId, followed: Followed) {
        const id = yield* idOf(followed)
        yield* followed.kind === "agencies"
          ? db`delete from followed_body where account_id = ${accountId} and body_id = ${id}`
          : db`delete from followed_place where account_id = ${accountId} and place_id = ${id}`
      }, dbDies)

      return { get, replace, follow, unfollow }
    })
  )
}

const requireKnown = (
  field: UnknownFollows["field"],
  asked: ReadonlyArray<string>,
  found: ReadonlyArray<{ readonly slug: string }>
): Effect.Effect<void, UnknownFollows> => {
  const known = new Set(found.map(({ slug }) => slug))
  const slugs = [...new Set(asked)].filter((slug) => !known.has(slug))
  return slugs.length === 0 ? Effect.void : Effect.fail(new UnknownFollows({ field, slugs }))
}
