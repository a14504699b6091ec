import type {
  Account,
  AccountFollows,
  AccountSessions,
  CalendarAddress,
  EmailPreferences,
  Session
} from "../../../schema/account.ts"
import type { AccountExportDocument } from "../../../schema/account-export.ts"
import type { MistakeReport } from "../../../schema/mistake-report.ts"
import { AccountId, MeetingId, UserClipId } from "../../../schema/primitives.ts"
import type { SavedSearch, SavedSearches } from "../../../schema/saved-search.ts"

const account: Account = {
  id: AccountId.make("0b7d9c52-4e1f-4a36-9d80-c5f2e1a7b364"),
  email: "reader@example.org",
  name: "Robin Vale",
  phone: "+12175550123",
  has_password: true,
  created_at: "2026-03-01T18:20:00.000Z"
}

const follows: AccountFollows = { agencies: ["springfield-city-council"], places: ["sangamon-county", "springfield"] }

const meeting = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")

const emailPrefs: EmailPreferences = { recaps: "daily", saved_searches: "weekly" }

const savedSearch: SavedSearch = {
  id: "5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11",
  name: "Greenway news",
  query: "city=Springfield&q=greenway",
  path: "/browse?city=Springfield&q=greenway",
  created_at: "2026-03-12T08:15:00Z"
}

const mistakeReport: MistakeReport = {
  id: "0199d3f0-0000-7000-8000-0000000000a1",
  meeting_id: meeting,
  said: "The speaker here is the clerk, not the mayor.",
  wording: "Clerk: The motion carries, four to one.",
  quote: "Mayor: The motion carries, four to one.",
  start: 1921.5,
  state: "open",
  created_at: "2026-03-11T20:30:00.000Z"
}

/** Responses about one account and its mail, by `operationId`. */
export const accountExamples = {
  getSession: {
    account,
    providers: [{ id: "local", name: "E-mail", start_url: "https://record.example.gov/api/auth/oidc/local/start" }],
    publishable_key: "pk_live_c2FuZ2Ftb24"
  } satisfies Session,
  getAccount: account,
  updateAccount: account,
  confirmEmailChange: account,
  setPassword: account,
  setPhone: account,
  getFollows: follows,
  setFollows: follows,
  getCalendarAddress: { active: true, created_at: "2026-03-01T18:20:00.000Z" } satisfies CalendarAddress,
  resetCalendarAddress: {
    active: true,
    created_at: "2026-03-01T18:20:00.000Z",
    url: "https://record.example.gov/calendar/q0dJ3vX8Zk2mT5sYwB7nLhC4rE1uG6pA9fVxKtQyWbM.ics"
  } satisfies CalendarAddress,
  exportAccount: {
    format: "civic-record/account-export",
    version: 1,
    exported_at: "2026-03-12T18:20:00.000Z",
    account,
    identities: [{ issuer: "https://id.example.gov", created_at: "2026-03-01T18:20:00.000Z" }],
    sessions: [
      { created_at: "2026-03-01T18:20:00.000Z", expires_at: "2026-04-11T18:20:00.000Z", browser: "Firefox on Linux" }
    ],
    reader_tokens: [{ name: "Assistant on the laptop", created_at: "2026-03-03T18:20:00.000Z" }],
    follows,
    email_prefs: { recaps: "weekly", saved_searches: "off" },
    saved_searches: [
      { name: "Greenway", query: "q=greenway&place_slug=springfield", created_at: "2026-03-02T09:00:00.000Z" }
    ],
    mails: [{ kind: "recap", meeting_id: meeting, mailed_at: "2026-03-12T12:00:00.000Z" }],
    user_clips: [
      {
        id: UserClipId.make("a9d1f3b5-2c4e-4f60-8172-93a4b5c6d7e8"),
        slug: "vote-on-the-greenway-k3x9",
        meeting_id: meeting,
        title: "The vote on the greenway",
        start: 1804,
        end: 1921.5,
        state: "ready",
        created_at: "2026-03-11T20:00:00.000Z",
        shares: 2,
        visits: 31
      }
    ],
    share_grants: [
      { meeting_id: meeting, created_at: "2026-03-11T20:05:00.000Z", expires_at: "2026-03-25T20:05:00.000Z" }
    ],
    recorded_shares: [{ meeting_id: meeting, channel: "email", created_at: "2026-03-11T20:05:30.000Z" }],
    mistake_reports: [mistakeReport]
  } satisfies AccountExportDocument,
  listSessions: {
    sessions: [
      {
        id: "0c9a4a7e-3f5d-4b62-9d11-5a7c2e8f4b10",
        created_at: "2026-03-01T18:20:00.000Z",
        last_seen_at: "2026-03-12T06:20:00.000Z",
        browser: "Firefox on Linux",
        current: true
      }
    ]
  } satisfies AccountSessions,
  reportMistake: mistakeReport,
  getEmailPrefs: emailPrefs,
  updateEmailPrefs: emailPrefs,
  listSavedSearches: { saved_searches: [savedSearch] } satisfies SavedSearches,
  saveSearch: savedSearch,
  showUnsubscribe: "<!doctype html>…",
  unsubscribe: "<!doctype html>…"
}
