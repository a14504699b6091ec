import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db.ts"
import type { MailingList, EmailPrefs as Prefs, UpdateEmailPrefsRequest } from "../../../schema/account.ts"
import type { AccountId } from "../../../schema/primitives.ts"

/** Who has said nothing is mailed what their searches find, for they saved them to hear of it, and no recaps. */
export const defaultPrefs: Prefs = { recaps: "off", saved_searches: "daily" }

/** What ends with a list. */
const ended: Readonly<Record<MailingList, UpdateEmailPrefsRequest>> = {
  recaps: { recaps: "off" },
  saved_searches: { saved_searches: "off" },
  all: { recaps: "off", saved_searches: "off" }
}

/** What an account wants to be mailed, and how often (spec 4.8). */
export class EmailPrefs extends Context.Service<
  EmailPrefs,
  {
    readonly get: (account: AccountId) => Effect.Effect<Prefs>
    /** Changes what is given and leaves the rest; gives the whole. */
    readonly update: (account: AccountId, change: UpdateEmailPrefsRequest) => Effect.Effect<Prefs>
    /** Ends the mails of a list. Again, or for an account that is gone, it changes nothing. */
    readonly unsubscribe: (account: AccountId, list: MailingList) => Effect.Effect<void>
  }
>()("civic-record/EmailPrefs") {
  static readonly layer = Layer.effect(
    EmailPrefs,
    Effect.gen(function* () {
      const db = yield* Db

      const get = Effect.fn("EmailPrefs.get")(function* (account: AccountId) {
        const [row] = yield* db<Prefs>`select recaps, saved_searches from email_pref where account_id = ${account}`
        return row ?? defaultPrefs
      }, dbDies)

      const update = Effect.fn("EmailPrefs.update")(function* (account: AccountId, change: UpdateEmailPrefsRequest) {
        const { recaps = null, saved_searches = null } = change
        const [row] = yield* db<Prefs>`
          insert into email_pref as p (account_id, recaps, saved_searches)
          select id, coalesce(${recaps}::text, ${defaultPrefs.recaps}),
            coalesce(${saved_searches}::text, ${defaultPrefs.saved_searches})
          from account where id = ${account}
          on conflict (account_id) do update set recaps = coalesce(${recaps}::text, p.recaps),
            saved_searches = coalesce(${saved_searches}::text, p.saved_searches)
          returning recaps, saved_searches`
        return row ?? defaultPrefs
      }, dbDies)

      const unsubscribe = Effect.fn("EmailPrefs.unsubscribe")(function* (account: AccountId, list: MailingList) {
        yield* update(account, ended[list])
      })

      return { get, update, unsubscribe }
    })
  )
}
