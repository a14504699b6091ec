import { Effect, Layer, Schedule } from "effect"
import { Db } from "../../layers/db/db.ts"
import { EmailPrefs } from "../../src/services/accounts/email-prefs.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { reader } from "./actors.ts"
import { TestSigner } from "./service.ts"

/** Waits until a condition is true; a test that waits in vain ends by its own limit, and says what it waited for. */
export const reached = <A, E, R>(
  what: string,
  look: Effect.Effect<A | undefined, E, R>,
  within = "240 seconds" as const
) =>
  look.pipe(
    Effect.repeat({ while: (found) => found === undefined, schedule: Schedule.spaced("250 millis") }),
    Effect.timeoutOrElse({ duration: within, orElse: () => Effect.die(new Error(`In vain: ${what}`)) }),
    Effect.flatMap((found) => (found === undefined ? Effect.never : Effect.succeed(found)))
  )

/** Gives a place a follower who is mailed each recap, and returns the headers of their session. */
export const followerOf = Effect.fnUntraced(
  function* (slug: string) {
    const db = yield* Db
    const { accountId, credentials } = yield* reader("follower@example.org")
    yield* EmailPrefs.use(({ update }) => update(accountId, { recaps: "each" }))
    yield* db`insert into followed_place (account_id, place_id) select ${accountId}, id from place where slug = ${slug}`
    return credentials.headers
  },
  Effect.provide(Layer.mergeAll(EmailPrefs.layer, Sessions.layer).pipe(Layer.provide(TestSigner)))
)

/** Whether nothing is under way, or will be within the hour. */
export const isAtRest = Effect.flatMap(Db, (db) =>
  Effect.map(
    db`select from task where state = 'running' or state = 'waiting' and due_at < now() + interval '1 hour'`,
    (rows) => (rows.length === 0 ? true : undefined)
  )
)
