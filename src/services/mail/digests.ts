import { Context, Data, DateTime, Effect, Layer, Result, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { Environment } from "../../../layers/config/config.ts"
import { Db, ReadDb } from "../../../layers/db/db.ts"
import { Mailer, type MailRefused } from "../../../layers/mailer.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { Briefings } from "../meetings/briefings.ts"
import { Summaries } from "../meetings/summaries.ts"
import { Browse } from "../search/browse.ts"
import { compose } from "./compose.ts"
import { mailFinds } from "./finds.ts"
import { Content } from "./outgoing.ts"
import { mailOwedRecaps } from "./owed-recaps.ts"

const every = "1 minute"

/** How many mails are handed over concurrently. */
const handed = 4

/** How often a mail that the server rejects is retried, before it is given up after about two days. */
const mostTries = 9

/** Minutes until a retry: 10 after the first attempt, then twice as long each time. */
const wait = (tries: number) => 10 * 2 ** (tries - 1)

/** The fault is the server's, not that of this mail. */
const isAway = ({ reason }: MailRefused) => reason !== "declined" && reason !== "recipient"

interface OutgoingRow {
  readonly id: string
  readonly account_id: AccountId
  readonly content: unknown
  readonly tries: number
}

/** A defect while writing one mail; the others are sent all the same. */
class MailBroken extends Data.TaggedError("MailBroken")<{
  readonly id: string
  readonly tries: number
  readonly defect: unknown
}> {}

/**
 * Mails according to readers' preferences: recaps of followed bodies and places, and new results of saved searches.
 * First, in one transaction, due mail is claimed and queued; then it is sent. A queued mail is sent at least once,
 * whatever is killed; a kill between the server's answer and the commit sends it twice, under one Message-ID.
 */
export class Digests extends Context.Service<
  Digests,
  {
    /** Claims and queues due mail for all accounts; queued mail is not due again. */
    readonly plan: Effect.Effect<void, SqlError.SqlError>
    /** Sends queued mail; returns how many mails were accepted. */
    readonly deliver: Effect.Effect<number, SqlError.SqlError>
  }
>()("civic-record/Digests") {
  static readonly layer = Layer.effect(
    Digests,
    Effect.gen(function* () {
      const db = yield* Db
      const mailer = yield* Mailer
      const services = Context.make(Browse, yield* Browse).pipe(
        Context.add(Briefings, yield* Briefings),
        Context.add(Summaries, yield* Summaries),
        Context.add(Signer, yield* Signer),
        Context.add(Environment, yield* Environment)
      )

      const plan = Effect.andThen(mailOwedRecaps(db), mailFinds(db)).pipe(
        Effect.provideContext(services),
        Effect.withSpan("Digests.plan")
      )

      const remove = (id: string) => db`delete from outgoing_mail where id = ${id}`

      const postpone = Effect.fnUntraced(function* (id: string, tries: number) {
        if (tries >= mostTries) {
          yield* Effect.logWarning(`A mail was given up after being rejected ${tries} times`)
          return yield* remove(id)
        }
        const next = DateTime.formatIso(DateTime.add(yield* DateTime.now, { minutes: wait(tries) }))
        return yield* db`update outgoing_mail set tries = ${tries}, next_try_at = ${next} where id = ${id}`
      })

      const written = Effect.fnUntraced(function* ({ id, account_id, content }: OutgoingRow) {
        const decoded = yield* Effect.orDie(Schema.decodeUnknownEffect(Content)(content))
        return yield* compose(db, { id, accountId: account_id, content: decoded })
      })

      /** Sends one mail, which this node holds until it is settled; one reader's mails are sent in order. */
      const sendNext = Effect.fn("Digests.sendNext")(function* () {
        const now = DateTime.formatIso(yield* DateTime.now)
        const [row] = yield* db<OutgoingRow>`
          select o.id, o.account_id, o.content, o.tries from outgoing_mail o
          where o.next_try_at <= ${now} and not exists (
            select from outgoing_mail e
            where e.account_id = o.account_id and e.position < o.position and e.next_try_at <= ${now})
          order by o.position limit 1 for update of o skip locked`
        if (row === undefined) return "nothing" as const
        const mail = yield* written(row).pipe(
          Effect.catchDefect((defect) => Effect.fail(new MailBroken({ id: row.id, tries: row.tries, defect })))
        )
        if (mail === undefined) {
          yield* remove(row.id)
          return "dropped" as const
        }
        const sent = yield* Effect.result(mailer.send(mail))
        if (Result.isSuccess(sent)) {
          yield* remove(row.id)
          return "sent" as const
        }
        yield* Effect.logWarning(sent.failure.message)
        if (isAway(sent.failure)) return "away" as const
        yield* postpone(row.id, row.tries + 1)
        return "refused" as const
      })

      const sendAll = Effect.gen(function* () {
        let count = 0
        while (true) {
          const outcome = yield* db
            .withTransaction(sendNext())
            .pipe(
              Effect.catchTag("MailBroken", ({ id, tries, defect }) =>
                Effect.logError("A mail could not be written", defect).pipe(
                  Effect.andThen(postpone(id, tries + 1)),
                  Effect.as("refused" as const)
                )
              )
            )
          if (outcome === "nothing" || outcome === "away") return count
          if (outcome === "sent") count++
        }
      })

      const deliver = Effect.all(
        Array.from({ length: handed }, () => sendAll),
        { concurrency: "unbounded" }
      ).pipe(
        Effect.map((counts) => counts.reduce((sum, count) => sum + count, 0)),
        Effect.provideContext(services),
        Effect.withSpan("Digests.deliver")
      )

      return { plan, deliver }
    })
  ).pipe(
    Layer.provide(Browse.fromPrimary),
    Layer.provide(ReadDb.fromPrimary(Layer.mergeAll(Briefings.layer, Summaries.layer)))
  )

  /** Plans and delivers every minute, for as long as the service runs. */
  static readonly schedule = Layer.effectDiscard(
    Effect.gen(function* () {
      const { plan, deliver } = yield* Digests
      const orTold = (work: Effect.Effect<unknown, SqlError.SqlError>, trouble: string) =>
        Effect.catchCause(work, (cause) => Effect.logWarning(trouble, cause))
      // Mail that was queued earlier is sent even if planning fails.
      yield* orTold(plan, "Mails could not be planned").pipe(
        Effect.andThen(orTold(deliver, "Mails could not be sent")),
        Effect.andThen(Effect.sleep(every)),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
}
