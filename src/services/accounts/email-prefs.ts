import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type SignedUnsubscribe, Signer } from "../../../layers/signer/signer.ts"
import type { EmailPreferences, MailingList, UpdateEmailPrefsRequest } from "../../../schema/account.ts"
import type { AccountId } from "../../../schema/primitives.ts"

/** The defaults: mails about saved searches, which were saved for that, and no recaps. */
export const defaultPrefs: EmailPreferences = { recaps: "off", saved_searches: "daily" }

/** The token is not one that the service's mails carry. */
export class UnsubscribeLinkInvalid extends Data.TaggedError("UnsubscribeLinkInvalid") {}

/** The preference that unsubscribing from a list sets. */
const ended: Readonly<Record<MailingList, UpdateEmailPrefsRequest>> = {
  recaps: { recaps: "off" },
  saved_searches: { saved_searches: "off" },
  all: { recaps: "off", saved_searches: "off" }
}

/** The mail an account wants, and how often (spec 4.8). */
export class EmailPrefs extends Context.Service<
  EmailPrefs,
  {
    readonly get: (account: AccountId) => Effect.Effect<EmailPreferences>
    /** Changes the given fields and keeps the rest; returns the whole. */
    readonly update: (account: AccountId, change: UpdateEmailPrefsRequest) => Effect.Effect<EmailPreferences>
    /** The account and list that an unsubscribe token is for. It does not expire: mails are kept for years. */
    readonly readLink: (token: string) => Effect.Effect<SignedUnsubscribe, UnsubscribeLinkInvalid>
    /** Unsubscribes from a list. Idempotent, also for a deleted account. */
    readonly unsubscribe: (link: SignedUnsubscribe) => Effect.Effect<void>
  }
>()("civic-record/EmailPrefs") {
  static readonly layer = Layer.effect(
    EmailPrefs,
    Effect.gen(function* () {
      const db = yield* Db
      const signer = yield* Signer

      const get = Effect.fn("EmailPrefs.get")(function* (account: AccountId) {
        const [row] =
          yield* db<EmailPreferences>`select recaps, saved_searches from email_pref where account_id = ${account}`
        return row ?? defaultPrefs
      }, dbDies)

      const update = Effect.fn("EmailPrefs.update")(function* (account: AccountId, change: UpdateEmailPrefsRequest) {
        const { recaps = null, saved_searches = null } = change
        const [row] = yield* db<EmailPreferences>`
          insert into email_pref as p (account_id, recaps, saved_searches)
          select id, coalesce(${recaps}::text, ${defaultPrefs.recaps}),
            coalesce(${saved_searches}::text, ${defaultPrefs.saved_searches})
          from account where id = ${account}
          on conflict (account_id) do update set recaps = coalesce(${recaps}::text, p.recaps),
            saved_searches = coalesce(${saved_searches}::text, p.saved_searches)
          returning recaps, saved_searches`
        return row ?? defaultPrefs
      }, dbDies)

      const readLink = Effect.fn("EmailPrefs.readLink")((token: string) =>
        Effect.mapError(signer.verifyUnsubscribe(token), () => new UnsubscribeLinkInvalid())
      )

      const unsubscribe = Effect.fn("EmailPrefs.unsubscribe")(function* ({ accountId, list }: SignedUnsubscribe) {
        yield* update(accountId, ended[list])
      })

      return { get, update, readLink, unsubscribe }
    })
  )
}
