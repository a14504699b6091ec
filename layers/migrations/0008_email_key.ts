import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Email, emailKey } from "../../schema/email.ts"

/**
 * Identifies an address by its key (`schema/email.ts`) instead of by its lower case in the database's locale, in which
 * `vİctim@` is `victim@`. If two accounts have one key, the older gets it. An account without a key cannot be signed in to
 * by an address: its sessions go on, a provider that knows it still opens it, and changing its address gives it a key.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table account add column email_key text`
  const accounts = yield* sql<{ id: string; email: string }>`select id, email from account order by created_at, id`
  const owners = new Map<string, string>()
  const unreadable: Array<string> = []
  const shared: Array<string> = []
  for (const { id, email } of accounts) {
    if (!Schema.is(Email)(email)) unreadable.push(id)
    else if (owners.has(emailKey(email))) shared.push(id)
    else owners.set(emailKey(email), id)
  }
  yield* sql`
    update account a set email_key = known.key
    from unnest(${[...owners.values()]}::uuid[], ${[...owners.keys()]}::text[]) known (id, key) where a.id = known.id`
  yield* sql`create unique index account_email_key on account (email_key)`
  yield* sql`drop index account_email`

  // A code lives for ten minutes: whoever waits for one asks for it again.
  yield* sql`delete from email_change`
  yield* sql`alter table email_change add column email_key text not null`

  for (const [ids, why] of [
    [shared, "have the address of an older account"],
    [unreadable, "have an address that no mail could be for"]
  ] as const) {
    if (ids.length === 0) continue
    yield* Effect.logWarning(`Accounts that ${why} are no longer opened by it: ${ids.length}`).pipe(
      Effect.annotateLogs("accounts", ids.join(" "))
    )
  }
})
