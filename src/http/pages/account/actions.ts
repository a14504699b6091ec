import { Effect, Redacted, Schema } from "effect"
import {
  ConfirmEmailChangeRequest,
  MakeReaderTokenRequest,
  SetPasswordRequest,
  SetPhoneRequest,
  StartEmailChangeRequest,
  UpdateEmailPrefsRequest,
  UpdateProfileRequest
} from "../../../../schema/account.ts"
import { Email, emailKey } from "../../../../schema/email.ts"
import { ReportMistakeRequest } from "../../../../schema/mistake-report.ts"
import { SaveSearchRequest } from "../../../../schema/saved-search.ts"
import { newCalendarPage } from "../../../pages/account/calendar.ts"
import { secondTyped } from "../../../pages/account/mistake.ts"
import { proofIn } from "../../../pages/account/proof.ts"
import type { Outcome, Visit } from "../../../pages/account/task.ts"
import { newTokenPage } from "../../../pages/account/tokens.ts"
import type { Page } from "../../../pages/page.ts"
import { meetingIn } from "../../../pages/parts/paths.ts"
import { withQuery } from "../../../pages/query.ts"
import { Accounts } from "../../../services/accounts/accounts.ts"
import { CalendarAddresses } from "../../../services/accounts/calendar-addresses.ts"
import { EmailChanges } from "../../../services/accounts/email-changes.ts"
import { EmailPrefs } from "../../../services/accounts/email-prefs.ts"
import { Follows } from "../../../services/accounts/follows.ts"
import { MistakeReports } from "../../../services/accounts/mistake-reports.ts"
import { Passwords } from "../../../services/accounts/passwords.ts"
import { ReaderTokens } from "../../../services/accounts/reader-tokens.ts"
import { safeReturnTo } from "../../../services/accounts/return-to.ts"
import { SavedSearches } from "../../../services/accounts/saved-searches.ts"
import { Sessions } from "../../../services/accounts/sessions.ts"
import { UserClips } from "../../../services/clips/user-clips.ts"
import { savedSearchNotFound } from "../../../services/failures.ts"
import { Meetings } from "../../../services/meetings/meetings.ts"
import type { Mistyped } from "./troubles.ts"

/** Where a form leads on success, and the message there. */
export interface Done {
  readonly to: string
  readonly outcome?: Outcome
  /** A page shown right away instead of a redirect: its content is shown only this once. */
  readonly page?: Page
  /** The action ended the session. */
  readonly endsSession?: true
}

/** A submitted form, and the network it came from. */
interface Sent extends Visit {
  readonly form: URLSearchParams
  readonly network: string
}

/** Decodes the fields of a form by the schema of the operation that does the same; an empty proof counts as none. */
const decoded = <S extends Schema.Codec<unknown, unknown>>(schema: S, form: URLSearchParams) =>
  Schema.decodeUnknownEffect(schema)(
    Object.fromEntries([...form].filter(([name, value]) => name !== "current_password" || value !== ""))
  )

/** People write numbers with spaces, dots, dashes and parentheses; E.164 has none. */
const withoutMarks = (form: URLSearchParams) =>
  new URLSearchParams({ phone: (form.get("phone") ?? "").replace(/[\s().-]/gu, "") })

const trimmed = (form: URLSearchParams) =>
  new URLSearchParams([...form].map(([name, value]): [string, string] => [name, value.trim()]))

export const rename = Effect.fnUntraced(function* ({ reader, form }: Sent) {
  const { name } = yield* decoded(UpdateProfileRequest, form)
  yield* Accounts.use((accounts) => accounts.rename(reader, name))
  return { to: "/account/name", outcome: "name_changed" } satisfies Done
})

export const setPhone = Effect.fnUntraced(function* ({ reader, form }: Sent) {
  const { phone } = yield* decoded(SetPhoneRequest, withoutMarks(form))
  yield* Accounts.use((accounts) => accounts.setPhone(reader, phone))
  return { to: "/account/phone", outcome: "phone_set" } satisfies Done
})

export const removePhone = Effect.fnUntraced(function* ({ reader }: Sent) {
  yield* Accounts.use((accounts) => accounts.removePhone(reader))
  return { to: "/account/phone", outcome: "phone_removed" } satisfies Done
})

export const startEmail = Effect.fnUntraced(function* (sent: Sent) {
  const { reader, form, network } = sent
  const { email } = yield* decoded(
    StartEmailChangeRequest,
    new URLSearchParams({ email: form.get("email")?.trim() ?? "" })
  )
  yield* proofIn(sent, form)
  yield* EmailChanges.use((changes) => changes.start(reader, email, network))
  return { to: "/account/email/code", outcome: "code_sent" } satisfies Done
})

export const confirmEmail = Effect.fnUntraced(function* ({ reader, form }: Sent) {
  const confirmed = yield* decoded(ConfirmEmailChangeRequest, trimmed(form))
  yield* EmailChanges.use((changes) => changes.confirm(reader, confirmed))
  return { to: "/account/email", outcome: "email_changed" } satisfies Done
})

export const setPassword = Effect.fnUntraced(function* ({ reader, session, form }: Sent) {
  const { password, current_password } = yield* decoded(SetPasswordRequest, form)
  const sent = {
    password: Redacted.make(password),
    ...(current_password === undefined ? {} : { current: Redacted.make(current_password) })
  }
  yield* Passwords.use((passwords) => passwords.set(reader, sent, session))
  return { to: "/account/password", outcome: "password_set" } satisfies Done
})

/** From the button of a place or a body, which returns there and says what to mail, or from the list. */
export const follow = Effect.fnUntraced(function* ({ reader, form }: Sent) {
  const [agency, place] = [form.get("agency"), form.get("place")]
  const followed =
    agency === null ? ({ kind: "places", slug: place ?? "" } as const) : ({ kind: "agencies", slug: agency } as const)
  const to = safeReturnTo(form.get("return_to") ?? "/account/follows")
  const isUnfollow = form.get("do") === "unfollow"
  const recaps = form.get("recaps")
  const prefs =
    isUnfollow || recaps === null ? undefined : yield* decoded(UpdateEmailPrefsRequest, new URLSearchParams({ recaps }))
  yield* Follows.use((follows) => (isUnfollow ? follows.unfollow(reader, followed) : follows.follow(reader, followed)))
  if (prefs !== undefined) yield* EmailPrefs.use((all) => all.update(reader, prefs))
  const outcome: Outcome = isUnfollow ? "unfollowed" : "followed"
  // On the page of a place or a body, the button itself says so.
  return { to, ...(to === "/account/follows" ? { outcome } : {}) } satisfies Done
})

export const setMail = Effect.fnUntraced(function* ({ reader, form }: Sent) {
  const prefs = yield* decoded(UpdateEmailPrefsRequest, form)
  yield* EmailPrefs.use((all) => all.update(reader, prefs))
  return { to: "/account/mail", outcome: "mail_changed" } satisfies Done
})

export const saveSearch = Effect.fnUntraced(function* ({ reader, form }: Sent) {
  const request = yield* decoded(SaveSearchRequest, form)
  yield* SavedSearches.use((searches) => searches.save(reader, request))
  return { to: "/account/searches", outcome: "search_saved" } satisfies Done
})

/** The same query saved under another name is the same search. */
export const renameSearch = Effect.fnUntraced(function* ({ reader, params, form }: Sent) {
  const searches = yield* SavedSearches
  const { saved_searches } = yield* searches.list(reader)
  const search = saved_searches.find(({ id }) => id === params.id)
  if (search === undefined) return yield* savedSearchNotFound(params.id ?? "")
  const named = new URLSearchParams({ query: search.query, name: form.get("name") ?? "" })
  yield* searches.save(reader, yield* decoded(SaveSearchRequest, named))
  return { to: "/account/searches", outcome: "search_renamed" } satisfies Done
})

export const removeSearch = Effect.fnUntraced(function* ({ reader, params }: Sent) {
  yield* SavedSearches.use((searches) => searches.remove(reader, params.id ?? ""))
  return { to: "/account/searches", outcome: "search_deleted" } satisfies Done
})

/** Reports a mistake in a meeting, and returns to the form at the second that it is about. */
export const reportMistake = Effect.fnUntraced(function* ({ reader, params, form }: Sent) {
  const at = secondTyped(form.get("start") ?? "")
  if (at === "unreadable") {
    const text = "Enter when it is said as 12:34, or as its second, 754; or leave it empty."
    return yield* Effect.fail<Mistyped>({ _tag: "Mistyped", field: "start", text })
  }
  const meeting_id = yield* Meetings.use((meetings) => meetings.resolve(meetingIn(params.meeting)))
  const texts = ["said", "wording", "quote"].flatMap((name) => {
    const value = (form.get(name) ?? "").replaceAll("\r\n", "\n").trim()
    return value === "" && name !== "said" ? [] : [[name, value]]
  })
  const request = yield* Schema.decodeUnknownEffect(ReportMistakeRequest)({
    meeting_id,
    ...Object.fromEntries(texts),
    ...(at === undefined ? {} : { start: at })
  })
  yield* MistakeReports.use((reports) => reports.report(request, reader))
  const { place, body, meeting } = params
  const to = withQuery(`/in/${place}/${body}/${meeting}/report`, { t: at === undefined ? undefined : Math.floor(at) })
  return { to, outcome: "mistake_reported" } satisfies Done
})

export const removeClip = Effect.fnUntraced(function* ({ reader, params }: Sent) {
  yield* UserClips.use((clips) => clips.remove(params.id ?? "", reader))
  return { to: "/account/clips", outcome: "clip_deleted" } satisfies Done
})

export const resetCalendar = Effect.fnUntraced(function* (visit: Sent) {
  const { url } = yield* CalendarAddresses.use((addresses) => addresses.reset(visit.reader))
  return { to: "/account/calendar", page: newCalendarPage(visit, url ?? "") } satisfies Done
})

export const removeCalendar = Effect.fnUntraced(function* ({ reader }: Sent) {
  yield* CalendarAddresses.use((addresses) => addresses.remove(reader))
  return { to: "/account/calendar", outcome: "calendar_removed" } satisfies Done
})

export const makeToken = Effect.fnUntraced(function* (visit: Sent) {
  const { token_name } = yield* decoded(MakeReaderTokenRequest, trimmed(visit.form))
  const token = yield* ReaderTokens.use((tokens) => tokens.make(visit.reader, token_name))
  return { to: "/account/tokens", page: yield* newTokenPage(visit, token) } satisfies Done
})

export const revokeToken = Effect.fnUntraced(function* ({ reader, params }: Sent) {
  yield* ReaderTokens.use((tokens) => tokens.revoke(reader, params.id ?? ""))
  return { to: "/account/tokens", outcome: "token_revoked" } satisfies Done
})

export const endSession = Effect.fnUntraced(function* (sent: Sent) {
  const { reader, params } = sent
  yield* proofIn(sent, sent.form)
  yield* Sessions.use((sessions) => sessions.endOne(reader, params.id ?? ""))
  return { to: "/account/sessions", outcome: "session_ended" } satisfies Done
})

const isEmail = Schema.is(Email)

/** Only for the owner, who must type the account's address. */
export const deleteAccount = Effect.fnUntraced(function* (sent: Sent) {
  const { reader, form } = sent
  const accounts = yield* Accounts
  const { email } = yield* accounts.get(reader)
  const typed = form.get("email")?.trim()
  if (!isEmail(typed) || !isEmail(email) || emailKey(typed) !== emailKey(email)) {
    const mistyped: Mistyped = { _tag: "Mistyped", field: "email", text: `Type ${email} to confirm.` }
    return yield* Effect.fail(mistyped)
  }
  yield* proofIn(sent, form)
  yield* accounts.remove(reader)
  return { to: "/account/deleted", endsSession: true } satisfies Done
})
