import { createHash, randomBytes } from "node:crypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { isbot } from "isbot"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { type SharedClipNotFound, UserClips } from "./user-clips.ts"

/** The viewer of a shared clip. */
export interface Visitor {
  readonly account: AccountId | undefined
  /** The key of the address: an IPv4 address, or the /64 of an IPv6 one. */
  readonly network: string
  readonly userAgent: string | undefined
}

/** Every browser sends one. */
const isRobot = (userAgent: string | undefined): boolean =>
  userAgent === undefined || userAgent === "" || isbot(userAgent)

/** As many people as may share one address, and far fewer than the browsers that one program can claim to be. */
const mostFromNetwork = 20

/**
 * Counts visits and shares of readers' clips. A visitor counts once per clip and day (UTC), and one network at most 20
 * times; the clip's owner and robots do not count. A press of the share control counts once per account, clip and day.
 * Only hashes of a visitor and its network are stored, under a salt of that day, and all of them are deleted after it.
 */
export class ClipCounters extends Context.Service<
  ClipCounters,
  {
    readonly visit: (slug: string, visitor: Visitor) => Effect.Effect<void, SharedClipNotFound>
    readonly share: (slug: string, account: AccountId) => Effect.Effect<void, SharedClipNotFound>
  }
>()("civic-record/ClipCounters") {
  static readonly layer = Layer.effect(
    ClipCounters,
    Effect.gen(function* () {
      const db = yield* Db
      const clips = yield* UserClips

      const today = Effect.map(DateTime.now, DateTime.formatIsoDate)

      /** The first visit of a day makes its salt, and deletes the days before. */
      const saltOf = Effect.fnUntraced(function* (day: string) {
        const kept = db<{ salt: Uint8Array }>`select salt from visit_salt where day = ${day}`
        const [known] = yield* kept
        if (known !== undefined) return known.salt
        yield* db`insert into visit_salt (day, salt) values (${day}, ${randomBytes(32)}) on conflict do nothing`
        yield* db`delete from visit_salt where day < ${day}`
        yield* db`delete from user_clip_visit where day < ${day}`
        yield* db`delete from user_clip_share where day < ${day}`
        const [made] = yield* kept
        return made === undefined ? yield* Effect.die("a salt was made and is not there") : made.salt
      })

      const visit = Effect.fn("ClipCounters.visit")(function* (slug: string, { account, network, userAgent }: Visitor) {
        const { id, owner } = yield* clips.ownerOf(slug)
        if (account === owner || isRobot(userAgent)) return
        const day = yield* today
        const salt = yield* saltOf(day)
        const hashOf = (text: string) => createHash("sha256").update(salt).update(text).digest()
        const visitor = hashOf(account === undefined ? `visitor ${network} ${userAgent}` : `account ${account}`)
        const from = hashOf(`network ${network}`)
        yield* db.withTransaction(
          Effect.gen(function* () {
            // One visit of a clip at a time, so that concurrent ones from one network cannot exceed the limit.
            yield* db`select from user_clip where id = ${id} for update`
            yield* db`
              with counted as (
                insert into user_clip_visit (user_clip_id, day, visitor, network)
                select id, ${day}, ${visitor}, ${from} from user_clip
                where id = ${id} and ${mostFromNetwork} > (
                  select count(*) from user_clip_visit v
                  where v.user_clip_id = ${id} and v.day = ${day} and v.network = ${from})
                on conflict do nothing returning user_clip_id)
              update user_clip set visits = visits + 1 where id in (select user_clip_id from counted)`
          })
        )
      }, dbDies)

      const share = Effect.fn("ClipCounters.share")(function* (slug: string, account: AccountId) {
        const { id } = yield* clips.ownerOf(slug)
        yield* db`
          with counted as (
            insert into user_clip_share (user_clip_id, day, account_id)
            select id, ${yield* today}, ${account} from user_clip where id = ${id}
            on conflict do nothing returning user_clip_id)
          update user_clip set shares = shares + 1 where id in (select user_clip_id from counted)`
      }, dbDies)

      return { visit, share }
    })
  )
}
