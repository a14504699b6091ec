import { randomBytes, randomUUID } from "node:crypto"
import { Effect, Stream } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Email, emailKey } from "../../schema/email.ts"
import { AccountId, type MeetingId, UserClipId } from "../../schema/primitives.ts"
import { SavedSearches } from "../../src/services/accounts/saved-searches.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { Shares } from "../../src/services/accounts/shares.ts"
import { userClipKey } from "../../src/services/meetings/media-tier.ts"

/** The credentials that a caller sends. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  /** Added to the query. */
  readonly query: Readonly<Record<string, string>>
}

export const nobody: Credentials = { headers: {}, query: {} }

/** A new account with a session. */
export const reader = Effect.fnUntraced(function* (email = "reader@example.org") {
  const db = yield* Db
  const [row] = yield* db<{ id: string }>`
    insert into account (email, email_key, created_at) values (${email}, ${emailKey(Email.make(email))}, now())
    on conflict (email_key) do update set email = excluded.email returning id`
  const accountId = AccountId.make(row?.id ?? "")
  const token = yield* Sessions.use((sessions) => sessions.begin(accountId))
  return { accountId, token, credentials: session(token) }
})

export const session = (token: string): Credentials => ({ headers: { cookie: `cr_session=${token}` }, query: {} })
export const shareToken = (token: string): Credentials => ({ headers: {}, query: { st: token } })
export const shareCookie = (cookie: string): Credentials => ({ headers: { cookie: `cr_share=${cookie}` }, query: {} })
export const bearer = (token: string): Credentials => ({ headers: { authorization: `Bearer ${token}` }, query: {} })

/** A grant to a meeting, minted by a new reader: an account may mint only a limited number. */
export const grantTo = Effect.fnUntraced(function* (meeting: MeetingId) {
  const { accountId } = yield* reader(`sharer-${randomUUID()}@example.org`)
  return (yield* Shares.use((shares) => shares.mint(meeting, accountId))).token
})

/** A clip of the meeting that is ready to watch: a thousand bytes in the store. It replaces the account's others. */
export const readyClip = Effect.fnUntraced(function* (owner: AccountId, meeting: MeetingId) {
  const db = yield* Db
  const id = UserClipId.make(randomUUID())
  const slug = randomBytes(12).toString("base64url")
  yield* db`delete from user_clip where account_id = ${owner}`
  yield* db`
    insert into user_clip (id, slug, account_id, meeting_id, title, start, "end", state, created_at, ready_at)
    values (${id}, ${slug}, ${owner}, ${meeting}, 'Ready', 100, 160, 'ready', now(), now())`
  const bytes = new TextEncoder().encode(userClipKey(id).padEnd(1000, "."))
  yield* ObjectStore.use((store) => store.put(userClipKey(id), Stream.make(bytes), "video/mp4"))
  return { id, slug }
})

/** The id of a new session of an account, in another browser. */
export const otherSession = Effect.fnUntraced(function* (account: AccountId) {
  const sessions = yield* Sessions
  const token = yield* sessions.begin(account, "Firefox on Linux")
  return (yield* sessions.list(account, token)).find(({ current }) => current)?.id ?? ""
})

/** What an account has that can be removed: a saved search and another session, by id. */
export const keptBy = (account: AccountId) =>
  Effect.all({ search: keptSearch(account), session: otherSession(account) })

/** The id of a search that an account has saved; the same until it is removed. */
export const keptSearch = Effect.fnUntraced(function* (account: AccountId) {
  const { search } = yield* SavedSearches.use((searches) => searches.save(account, { query: { q: "kept" } }))
  return search.id
})
