import { Effect } from "effect"
import { Signer } from "../../layers/signer/signer.ts"
import { AccountId } from "../../schema/primitives.ts"
import { agendaKey, posterKey } from "../../src/services/meetings/media-tier.ts"
import type { Credentials } from "../support/actors.ts"
import { ask, begin } from "../support/asked.ts"
import { documentId, meetingId } from "../support/builders.ts"
import { requestOf } from "../support/call.ts"
import type { Operated } from "../support/operators.ts"
import { TestSigner } from "../support/service.ts"
import { agentCallsOf } from "./agent-calls.ts"
import type { Call, Calls } from "./call.ts"

/** The meeting of every call that needs one (see `fullRecord`). */
export const id = meetingId("full")

const open = (good: string, bad: string, status: number, error: string): Calls => ({
  good: { path: good },
  bad: { path: bad, answer: [status, error] }
})

const onlyGet = (path: string): Calls => ({
  good: { path },
  bad: { path, method: "DELETE", answer: [405, "method_not_allowed"] }
})

const gated = (part: string, who: Credentials): Calls => ({
  good: { path: `/api/meetings/${id}/${part}`, who },
  bad: { path: `/api/meetings/${id}/${part}`, answer: [401, "sign_in_required"] }
})

const ofMeeting = (part: string): Calls =>
  open(`/api/meetings/${id}/${part}`, `/api/meetings/${meetingId("none")}/${part}`, 404, "not_found")

/** A clip that is ready, and its owner. */
interface OwnClip {
  readonly id: string
  readonly slug: string
}

/** An unsubscribe link of somebody whose account is gone: it changes nothing. */
const unsubscribeLink = `/api/email/unsubscribe?t=${Effect.runSync(
  Signer.use((signer) =>
    signer.signUnsubscribe({ accountId: AccountId.make("5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11"), list: "all" })
  ).pipe(Effect.provide(TestSigner))
)}`

const writing = (method: string, path: string, who: Credentials, body?: unknown): Call => ({
  path,
  who,
  method,
  ...(body === undefined ? {} : { body })
})

/** Reads of an account: refused to nobody. */
const ofAccount = (path: string, who: Credentials): Calls => ({
  good: { path, who },
  bad: { path, answer: [401, "sign_in_required"] }
})

/** Changes of an account: by a body, and by one that does not decode or breaks a rule. */
const changing = (
  method: string,
  path: string,
  who: Credentials,
  good: unknown,
  bad: unknown,
  ...answer: readonly [status: number, error: string]
): Calls => ({
  good: writing(method, path, who, good),
  bad: { ...writing(method, path, who, bad), answer }
})

/**
 * A good call and a bad one of every operation, by its `operationId`; `who` is a reader, `grant` opens the meeting,
 * `kept` is a search that the reader has saved and another session, and `clip` is the reader's; each may be used up.
 * `operated` has the objects for operators.
 */
export const callsOf = (
  who: Credentials,
  grant: string,
  kept: { readonly search: string; readonly session: string },
  clip: OwnClip,
  operated: Operated
): Readonly<Record<string, Calls>> => ({
  ...agentCallsOf(operated),
  getHealth: onlyGet("/health"),
  getReadiness: onlyGet("/health/ready"),
  getVersion: onlyGet("/version"),
  getApiVersion: onlyGet("/api/version"),
  getIndex: onlyGet("/api"),
  getMeeting: open(`/api/meetings/${id}`, "/api/meetings/nothing-like-it", 404, "not_found"),
  browseMeetings: open(
    "/api/meetings/browse?q=greenway&state=IL&county=Sangamon+County&city=Springfield&type=city_council&agency=old-council&year=2026&agency_slug=springfield-council&place_slug=springfield&follow_agency=springfield-council&follow_place=springfield&page=1&page_size=5&group_by=agency&per_group=2&facet=person&person=springfield-ada-marsh",
    "/api/meetings/browse?page=0",
    400,
    "invalid_request"
  ),
  readTrends: open(
    "/api/trends?q=greenway&by=month&measure=share&group=agency&state=IL",
    "/api/trends",
    400,
    "invalid_request"
  ),
  checkQuote: {
    good: {
      path: "/api/quotes/check",
      method: "POST",
      body: { text: "the greenway extension is two years late", place_slug: "springfield" }
    },
    bad: {
      path: "/api/quotes/check",
      method: "POST",
      body: { text: "two years late" },
      answer: [400, "invalid_request"]
    }
  },
  listAgencies: onlyGet("/api/agencies"),
  getAgency: open("/api/agencies/old-council", "/api/agencies/none", 404, "not_found"),
  listUpcomingOfAgency: open(
    "/api/agencies/springfield-council/upcoming",
    "/api/agencies/none/upcoming",
    404,
    "not_found"
  ),
  getAgencyAt: open("/api/in/springfield/council", "/api/in/springfield/nobody", 404, "not_found"),
  listPlaces: onlyGet("/api/places"),
  getPlace: open("/api/places/springfield", "/api/places/atlantis", 404, "not_found"),
  listPeople: open(
    "/api/people?agency_slug=springfield-council&on=2026-03-10",
    "/api/people?on=soon",
    400,
    "invalid_request"
  ),
  getPerson: open("/api/people/springfield-ada-marsh", "/api/people/nobody", 404, "not_found"),
  listPersonVotes: open(
    "/api/people/springfield-ada-marsh/votes?year=2026&option=yes&majority=with",
    "/api/people/nobody/votes",
    404,
    "not_found"
  ),
  listPersonSaid: open("/api/people/springfield-ada-marsh/said", "/api/people/nobody/said", 404, "not_found"),
  listMatters: open(
    "/api/matters?q=ord+2026-14&place_slug=springfield&kind=ordinance&sponsor=springfield-ada-marsh",
    "/api/matters?kind=wish",
    400,
    "invalid_request"
  ),
  getMatter: open("/api/matters/springfield-ord-2026-14", "/api/matters/none", 404, "not_found"),
  listVotes: ofMeeting("votes"),
  listDocuments: ofMeeting("documents"),
  getDocument: open(`/api/documents/${documentId("packet")}`, "/api/documents/none", 404, "not_found"),
  getDocumentText: open(
    `/api/documents/${documentId("packet")}/text?page=2&page_size=1&version=1`,
    `/api/documents/${documentId("packet")}/text?page_size=51`,
    400,
    "invalid_request"
  ),
  searchLocations: open(
    "/api/search/locations?q=sprngfield",
    `/api/search/locations?q=${"x".repeat(201)}`,
    400,
    "invalid_request"
  ),
  matchGeo: open("/api/geo?city=Springfield&region=Illinois", "/api/geo?city=Springfield", 400, "invalid_request"),
  suggestGeo: open("/api/search/geo?q=spring&session=a", "/api/search/geo", 400, "invalid_request"),
  resolveGeo: open(
    "/api/search/geo/resolve?place_id=zip:62701",
    "/api/search/geo/resolve?place_id=zip:00000",
    404,
    "not_found"
  ),
  getDrillSchedule: open(`/api/drills/${operated.drill}/schedule`, "/api/drills/k1.none.x/schedule", 404, "not_found"),
  getDrillMeeting: open(`/api/drills/${operated.drill}/meeting`, "/api/drills/k1.none.x/meeting", 404, "not_found"),
  getUpcomingCalendar: open(
    "/upcoming.ics?place_slug=springfield",
    "/upcoming.ics?within_days=0",
    400,
    "invalid_request"
  ),
  listUpcoming: open("/api/upcoming?place_slug=springfield", "/api/upcoming?within_days=31", 400, "invalid_request"),
  getTranscript: gated("transcript", who),
  getNewsletter: gated("newsletter", who),
  getClaims: gated("claims", who),
  getRecap: gated("recap", who),
  getGraphics: gated("graphics", who),
  getVideo: gated("video", who),
  getAgendaCopy: gated("agenda", who),
  getAgendaSummary: ofMeeting("agenda-summary"),
  getClips: ofMeeting("clips"),
  getCommunityClips: ofMeeting("community-clips"),
  getMedia: open(`/api/media/${posterKey(id)}`, `/api/media/${agendaKey(id)}`, 403, "signature_required"),
  mintShareGrant: gated("share", who),
  recordShare: {
    good: { path: "/api/share/record", who, method: "POST", body: { meeting_id: id, channel: "sms" } },
    status: 204,
    bad: {
      path: "/api/share/record",
      who,
      method: "POST",
      body: { meeting_id: id, channel: "pigeon" },
      answer: [400, "invalid_request"]
    }
  },
  redeemShare: {
    good: { path: "/api/share/redeem", method: "POST", body: { token: grant } },
    bad: {
      path: "/api/share/redeem",
      method: "POST",
      body: { token: `${grant}x` },
      answer: [401, "share_grant_invalid"]
    }
  },
  reportMistake: {
    good: {
      path: "/api/mistake-reports",
      who,
      method: "POST",
      body: { meeting_id: id, said: "It says bonds.", wording: "Bands", quote: "Bonds", start: 12.5 }
    },
    status: 201,
    bad: {
      path: "/api/mistake-reports",
      who,
      method: "POST",
      body: { meeting_id: id, said: " " },
      answer: [400, "invalid_request"]
    }
  },
  createUserClip: {
    good: {
      path: "/api/user-clips",
      who,
      method: "POST",
      body: { meeting_id: id, start: 10, end: 40, title: "Bonds" }
    },
    status: 201,
    bad: {
      path: "/api/user-clips",
      who,
      method: "POST",
      body: { meeting_id: id, start: 10, end: 310.001 },
      answer: [422, "clip_too_long"]
    }
  },
  listUserClips: {
    good: { path: `/api/user-clips?meeting_id=${id}`, who },
    bad: { path: "/api/user-clips?meeting_id=everything", who, answer: [400, "invalid_request"] }
  },
  suggestUserClip: {
    good: { path: "/api/user-clips/auto", who, method: "POST", body: { meeting_id: id, start: 12 } },
    bad: {
      path: "/api/user-clips/auto",
      who,
      method: "POST",
      body: { meeting_id: id, start: 499 },
      answer: [409, "recording_too_short"]
    }
  },
  downloadUserClip: {
    good: { path: `/api/user-clips/${clip.id}/download`, who },
    bad: { path: `/api/user-clips/${meetingId("none")}/download`, who, answer: [404, "not_found"] }
  },
  getSharedClip: open(`/api/user-clips/shared/${clip.slug}`, "/api/user-clips/shared/nothing", 404, "not_found"),
  countClipShare: {
    good: { path: `/api/user-clips/shared/${clip.slug}/share`, who, method: "POST" },
    status: 204,
    bad: { path: "/api/user-clips/shared/nothing/share", who, method: "POST", answer: [404, "not_found"] }
  },
  countClipVisit: {
    good: { path: `/api/user-clips/shared/${clip.slug}/visit`, method: "POST" },
    status: 204,
    bad: { path: "/api/user-clips/shared/nothing/visit", method: "POST", answer: [404, "not_found"] }
  },
  deleteUserClip: {
    good: { path: `/api/user-clips/${clip.id}`, who, method: "DELETE" },
    status: 204,
    bad: { path: `/api/user-clips/${meetingId("none")}`, who, method: "DELETE", answer: [404, "not_found"] }
  },
  getEmailPrefs: ofAccount("/api/me/email-prefs", who),
  updateEmailPrefs: {
    good: { path: "/api/me/email-prefs", who, method: "PUT", body: { recaps: "each" } },
    bad: {
      path: "/api/me/email-prefs",
      who,
      method: "PUT",
      body: { recaps: "hourly" },
      answer: [400, "invalid_request"]
    }
  },
  listSavedSearches: ofAccount("/api/me/saved-searches", who),
  saveSearch: {
    good: { path: "/api/me/saved-searches", who, method: "POST", body: { query: "q=greenway", name: "Greenway" } },
    status: 201,
    bad: {
      path: "/api/me/saved-searches",
      who,
      method: "POST",
      body: { query: "year=soon" },
      answer: [400, "invalid_request"]
    }
  },
  listSessions: ofAccount("/api/me/sessions", who),
  endSession: {
    good: { path: `/api/me/sessions/${kept.session}`, who, method: "DELETE" },
    status: 204,
    bad: { path: "/api/me/sessions/none", who, method: "DELETE", answer: [404, "not_found"] }
  },
  removeSavedSearch: {
    good: { path: `/api/me/saved-searches/${kept.search}`, who, method: "DELETE" },
    status: 204,
    bad: { path: "/api/me/saved-searches/none", who, method: "DELETE", answer: [404, "not_found"] }
  },
  showUnsubscribe: open(unsubscribeLink, `${unsubscribeLink}x`, 400, "invalid_request"),
  unsubscribe: {
    good: { path: unsubscribeLink, method: "POST" },
    bad: { path: unsubscribeLink, method: "POST", body: {}, answer: [415, "unsupported_media_type"] }
  },
  streamMeetings: {
    good: { path: "/api/meetings/stream", streams: true },
    bad: { path: "/api/meetings/stream?since=yesterday", answer: [400, "invalid_request"] }
  },
  streamMeetingEvents: {
    good: { path: `/api/events?meeting_id=${id}`, who, streams: true },
    bad: { path: "/api/events", who, answer: [400, "invalid_request"] }
  },
  getSession: onlyGet("/api/auth/session"),
  startSignIn: {
    ...open("/api/auth/oidc/local/start?return_to=/in/springfield", "/api/auth/oidc/atlantis/start", 404, "not_found"),
    status: 302
  },
  // One that was never begun: test/http/sign-in.test.ts covers those that were.
  completeSignIn: {
    good: { path: "/api/auth/oidc/local/callback?code=a&state=b" },
    status: 400,
    bad: { path: "/api/auth/oidc/local/callback", answer: [400, "invalid_request"] }
  },
  getAccount: ofAccount("/api/me/account", who),
  updateAccount: changing("PATCH", "/api/me/account", who, { name: "Robin" }, { name: 1 }, 400, "invalid_request"),
  startEmailChange: {
    ...changing(
      "POST",
      "/api/me/account/email/start",
      who,
      { email: "new@example.org" },
      { email: "new" },
      400,
      "invalid_request"
    ),
    status: 202
  },
  // For an address that got no code: test/http/account.test.ts covers those that did.
  confirmEmailChange: {
    ...changing(
      "POST",
      "/api/me/account/email/confirm",
      who,
      { email: "never@example.org", code: "123456" },
      { email: "never@example.org", code: "12345" },
      400,
      "invalid_request"
    ),
    status: 422
  },
  setPassword: changing(
    "PUT",
    "/api/me/account/password",
    who,
    { password: "lantern orchard gravel tide" },
    { password: "lantern orchard gravel tide", current_password: "another" },
    422,
    "password_incorrect"
  ),
  setPhone: changing(
    "PUT",
    "/api/me/account/phone",
    who,
    { phone: "+12175550123" },
    { phone: "+1217" },
    422,
    "phone_invalid"
  ),
  removePhone: {
    good: writing("DELETE", "/api/me/account/phone", who),
    status: 204,
    bad: { ...writing("DELETE", "/api/me/account/phone", who), answer: [404, "not_found"] }
  },
  getFollows: ofAccount("/api/me/follows", who),
  setFollows: changing(
    "PUT",
    "/api/me/follows",
    who,
    { agencies: ["old-council"], places: ["springfield"] },
    { agencies: [], places: ["atlantis"] },
    400,
    "invalid_request"
  ),
  getCalendarAddress: ofAccount("/api/me/calendar", who),
  resetCalendarAddress: {
    good: writing("POST", "/api/me/calendar", who),
    status: 201,
    bad: { path: "/api/me/calendar", method: "POST", answer: [401, "sign_in_required"] }
  },
  removeCalendarAddress: {
    good: writing("DELETE", "/api/me/calendar", who),
    status: 204,
    bad: { ...writing("DELETE", "/api/me/calendar", who), answer: [404, "not_found"] }
  },
  exportAccount: ofAccount("/api/me/export", who),
  deleteAccount: {
    good: writing("DELETE", "/api/me/account", who),
    status: 204,
    bad: { ...writing("DELETE", "/api/me/account", who), answer: [401, "sign_in_required"] }
  },
  logOut: {
    good: { path: "/api/auth/logout", method: "POST", who },
    status: 204,
    bad: {
      path: "/api/auth/logout",
      method: "POST",
      who: { ...who, headers: { ...who.headers, origin: "https://elsewhere.example" } },
      answer: [403, "cross_origin"]
    }
  }
})

/** Sends a call to the service under test; redirects count as responses. */
export const send = Effect.fnUntraced(function* ({ path, who, method = "GET", body, streams }: Call) {
  const { url, init } = yield* requestOf(method, path, who, body)
  const asked: RequestInit = { ...init, redirect: "manual" }
  return yield* streams ? begin(url, asked) : ask(url, asked)
})
