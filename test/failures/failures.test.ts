import { assert, describe, it } from "@effect/vitest"
import { Data, Effect } from "effect"
import { SqlError } from "effect/sql"
import { DataInUse } from "../../layers/data-folder/data-lock.ts"
import { Draining } from "../../layers/drain.ts"
import { UnknownProvider } from "../../layers/identity/identity.ts"
import { MailRefused } from "../../layers/mailer.ts"
import { SignatureExpired, SignatureInvalid } from "../../layers/signer/signer.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { classOf, wireError } from "../../src/api/errors/classes.ts"
import { InvalidForm } from "../../src/console/forms.ts"
import type { commandFailures } from "../../src/failures/commands.ts"
import {
  type Door,
  explain,
  type FailureAt,
  refusalOf,
  register,
  signInTroubleOf,
  type Tag,
  troubleOf,
  wire
} from "../../src/failures/failures.ts"
import { signInReasons } from "../../src/failures/sign-in.ts"
import { ShareGrantInvalid, ShareGrantOtherMeeting, SignInRequired } from "../../src/services/accounts/access.ts"
import { NoPhone, PhoneInvalid } from "../../src/services/accounts/accounts.ts"
import { TooOften } from "../../src/services/accounts/allowance.ts"
import { CalendarNotFound, NoCalendarAddress } from "../../src/services/accounts/calendar-addresses.ts"
import { EmailChangeRefused } from "../../src/services/accounts/email-changes.ts"
import { UnsubscribeLinkInvalid } from "../../src/services/accounts/email-prefs.ts"
import { TooManyFollows, UnknownFollows } from "../../src/services/accounts/follows.ts"
import { PasswordTooWeak } from "../../src/services/accounts/password-strength.ts"
import { PasswordIncorrect, RecentSignInRequired } from "../../src/services/accounts/passwords.ts"
import {
  ReaderTokenInvalid,
  ReaderTokenNameTaken,
  TooManyReaderTokens
} from "../../src/services/accounts/reader-tokens.ts"
import { TooManySearches } from "../../src/services/accounts/saved-searches.ts"
import { ShareAlreadyRedeemed } from "../../src/services/accounts/shares.ts"
import { SignInFailed, type SignInFailure } from "../../src/services/accounts/sign-in-attempts.ts"
import { AutoClipRefused } from "../../src/services/clips/auto-clips.ts"
import { ClipNotFound } from "../../src/services/clips/curated-clips.ts"
import {
  ClipLimitReached,
  ClipNotReady,
  ClipOutOfRange,
  ClipTooLong,
  SharedClipNotFound
} from "../../src/services/clips/user-clips.ts"
import { SameBody } from "../../src/services/directory/agency-merge.ts"
import { PlaceInUse } from "../../src/services/directory/place-removal.ts"
import { MergedSince, ReversalNotFound } from "../../src/services/directory/reversals.ts"
import {
  BodyElsewhere,
  BodyUnsettled,
  meetingNotFound,
  Removed,
  savedSearchNotFound,
  stageNotFound,
  UnknownAgency,
  UnlistedBody
} from "../../src/services/failures.ts"
import { InvalidCorrection } from "../../src/services/feed/meeting-corrections.ts"
import { OutOfStep, UnfitUpload } from "../../src/services/making/given-recordings.ts"
import { TranscriptImported, WordsNotKept, WordsNotSaid } from "../../src/services/making/removals.ts"
import { MissingPart } from "../../src/services/meetings/missing-part.ts"
import { AgentTokenInvalid, AgentTokenReadOnly, AgentTokenRequired } from "../../src/services/operators/agent-tokens.ts"
import { BuildTooOld, NotMigrated } from "../../src/services/operators/health.ts"
import { SamePerson } from "../../src/services/people/person-merge.ts"
import { NewerFlow } from "../../src/services/queue/flows.ts"
import { UnfitParameter } from "../../src/services/search/found/listing.ts"
import { SearchesBusy, SearchOverBudget } from "../../src/services/search/query/query-budget.ts"
import { InvalidValue, UnknownSetting } from "../../src/services/settings/settings.ts"
import { NoCalendarThere } from "../../src/services/sources/address-check.ts"
import { PastRefused } from "../../src/services/sources/past-estimate.ts"
import { SourceKnown } from "../../src/services/sources/source-changes.ts"
import { PlaceUnclear } from "../../src/services/sources/typed-places.ts"

const meetingId = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")
const usedUp = new TooOften({
  policy: { name: "tries", limit: 5, windowSeconds: 900 },
  standing: { allowed: false, remaining: 0, resetSeconds: 1 }
})
const reasons = Object.keys(signInReasons) as ReadonlyArray<SignInFailure>

/** At least one of each failure, and one for each variant of its words. */
const failures: {
  readonly [T in Exclude<Tag, keyof typeof commandFailures>]: ReadonlyArray<FailureAt<Door> & { _tag: T }>
} = {
  NotFound: [meetingNotFound("none"), savedSearchNotFound("x".repeat(200)), stageNotFound("sing")],
  Removed: [
    new Removed({ ref: "3f2b8c1e", reason: "The recording was published by mistake." }),
    new Removed({ ref: "3f2b8c1e", reason: undefined })
  ],
  BodyUnsettled: [new BodyUnsettled({ source: meetingId, sourceBody: "City Council" })],
  BodyElsewhere: [new BodyElsewhere({ field: "agency_slug", slug: "county-board" })],
  UnfitUpload: [new UnfitUpload({ field: "name", problem: "must be a file's name of 1 to 255 characters" })],
  OutOfStep: [new OutOfStep({ received: 8, bytes: 20, next: 8 }), new OutOfStep({ received: 20, bytes: 20, next: 0 })],
  UnlistedBody: [new UnlistedBody({ field: "bodies.0.source_body", name: "City Council" })],
  UnknownAgency: [new UnknownAgency({ field: "bodies.0.agency_slug", slug: "atlantis" })],
  MissingPart: [
    new MissingPart({ meetingId, part: "recap" }),
    new MissingPart({ meetingId, part: "raw_transcript" }),
    new MissingPart({ meetingId, part: "agenda_copy" })
  ],
  SignatureInvalid: [new SignatureInvalid({ signedFor: "media" })],
  SignatureExpired: [new SignatureExpired({ signedFor: "media" })],
  NotMigrated: [new NotMigrated()],
  BuildTooOld: [new BuildTooOld({ build: 134, schema: 150, oldest: 148 })],
  Draining: [new Draining()],
  ClipTooLong: [new ClipTooLong({ seconds: 412.5 })],
  ClipOutOfRange: [new ClipOutOfRange({ recording: 0 }), new ClipOutOfRange({ recording: 5412.5 })],
  ClipLimitReached: [new ClipLimitReached()],
  ClipNotReady: [new ClipNotReady({ state: "rendering" }), new ClipNotReady({ state: "failed" })],
  SharedClipNotFound: [new SharedClipNotFound()],
  AutoClipRefused: [
    new AutoClipRefused({ reason: "auto_clips_disabled" }),
    new AutoClipRefused({ reason: "cloud_model_unavailable" }),
    new AutoClipRefused({ reason: "transcript_missing" }),
    new AutoClipRefused({ reason: "recording_missing" }),
    new AutoClipRefused({ reason: "recording_too_short" }),
    new AutoClipRefused({ reason: "span_not_found" })
  ],
  AgentTokenRequired: [new AgentTokenRequired()],
  AgentTokenInvalid: [new AgentTokenInvalid()],
  AgentTokenReadOnly: [new AgentTokenReadOnly()],
  SearchOverBudget: [
    new SearchOverBudget({}),
    new SearchOverBudget({ excess: { what: "phrases", found: 31, most: 4 } }),
    new SearchOverBudget({ excess: { what: "words_of_phrase", found: 9, most: 8 } }),
    new SearchOverBudget({ excess: { what: "words", found: 17, most: 16 } }),
    new SearchOverBudget({ isPageTooLarge: true })
  ],
  SearchesBusy: [new SearchesBusy()],
  UnfitParameter: [new UnfitParameter({ field: "after", why: "does not go with page", instead: "Send one of them." })],
  SignInRequired: [new SignInRequired({}), new SignInRequired({ orGrant: true })],
  ShareGrantInvalid: [new ShareGrantInvalid()],
  ShareGrantOtherMeeting: [new ShareGrantOtherMeeting()],
  ShareAlreadyRedeemed: [new ShareAlreadyRedeemed()],
  TooOften: [usedUp],
  EmailChangeRefused: [
    new EmailChangeRefused({ reason: "code_incorrect" }),
    new EmailChangeRefused({ reason: "code_expired" }),
    new EmailChangeRefused({ reason: "email_in_use" })
  ],
  MailRefused: [
    new MailRefused({ kind: "email_change_code", reason: "recipient" }),
    new MailRefused({ kind: "email_change_code", reason: "unreachable" })
  ],
  PasswordTooWeak: [new PasswordTooWeak({ advice: [] }), new PasswordTooWeak({ advice: ["Add another word."] })],
  PasswordIncorrect: [new PasswordIncorrect()],
  RecentSignInRequired: [new RecentSignInRequired()],
  PhoneInvalid: [new PhoneInvalid()],
  NoPhone: [new NoPhone()],
  NoCalendarAddress: [new NoCalendarAddress()],
  CalendarNotFound: [new CalendarNotFound()],
  UnknownFollows: [
    new UnknownFollows({ field: "agencies", slugs: ["atlantis-city-council"] }),
    new UnknownFollows({ field: "places", slugs: ["atlantis", "lemuria"] })
  ],
  TooManyFollows: [new TooManyFollows({ field: "agencies", limit: 500 })],
  TooManySearches: [new TooManySearches({ limit: 50 })],
  TooManyReaderTokens: [new TooManyReaderTokens({ limit: 10 })],
  ReaderTokenNameTaken: [new ReaderTokenNameTaken()],
  ReaderTokenInvalid: [new ReaderTokenInvalid()],
  UnsubscribeLinkInvalid: [new UnsubscribeLinkInvalid()],
  SignInFailed: reasons.map((reason) => new SignInFailed({ reason, provider: "local", returnTo: "/in/springfield" })),
  UnknownProvider: [new UnknownProvider({ provider: "none" })],
  ClipNotFound: [new ClipNotFound({ id: "none" })],
  InvalidCorrection: [new InvalidCorrection({ field: "title" }), new InvalidCorrection({ field: "date" })],
  InvalidForm: [new InvalidForm({ message: "machine is empty: fill it in." })],
  UnknownSetting: [new UnknownSetting({ setting: "lanes.sky" })],
  InvalidValue: [new InvalidValue({ setting: "lanes.web" }), new InvalidValue({ setting: "pipeline.ClaimCheck" })],
  NewerFlow: [new NewerFlow({ flow: meetingId })],
  PlaceInUse: [
    new PlaceInUse({ slug: "atlantis", bodies: ["council"], sources: 0 }),
    new PlaceInUse({ slug: "atlantis", bodies: [], sources: 2 })
  ],
  ReversalNotFound: [new ReversalNotFound({ id: "none" })],
  MergedSince: [new MergedSince({ slug: "parks-board" })],
  TranscriptImported: [new TranscriptImported({ meetingId })],
  WordsNotKept: [new WordsNotKept({ id: meetingId })],
  WordsNotSaid: [new WordsNotSaid({ second: 62 })],
  PastRefused: [new PastRefused({}), new PastRefused({ withoutPast: "rss" })],
  PlaceUnclear: [
    new PlaceUnclear({ typed: "Oak Ridge", near: ["Oak Ridge, TN", "Oak Ridge, NC"] }),
    new PlaceUnclear({ typed: "Atlantis", near: [] })
  ],
  NoCalendarThere: [new NoCalendarThere({ message: "The server answered with HTTP 403." })],
  SourceKnown: [new SourceKnown({ id: meetingId })],
  SameBody: [new SameBody({ slug: "parks-board" })],
  SamePerson: [new SamePerson({ slug: "springfield-ada-marsh" })]
}

/** The words of a failure at each door that it reaches, as one list of sentences. */
const doors: { readonly [D in Door]: (failure: never) => ReadonlyArray<string> } = {
  api: (failure: FailureAt<"api">) => [wire(failure).message, wire(failure).hint],
  form: (failure: FailureAt<"form">) => [troubleOf(failure).text],
  signIn: (failure: FailureAt<"signIn">) => [signInTroubleOf(failure).text],
  console: (failure: FailureAt<"console">) => [refusalOf(failure).message, refusalOf(failure).hint],
  command: (failure: FailureAt<"command">) => [explain(failure)]
}

class Unspoken extends Data.TaggedError("Unspoken") {}
class Misnamed extends Data.TaggedError("ClipTooLong")<{ readonly length: number }> {}

describe("the register of failures", () => {
  it("says at each door what is wrong, in sentences", () => {
    for (const failure of Object.values(failures).flat()) {
      for (const [door, said] of Object.entries(doors)) {
        if (!(door in register[failure._tag])) continue
        for (const sentence of said(failure as never)) {
          assert.match(sentence, /^[A-Za-z].*[^.]\.$/, `${failure._tag} ${door}`)
          assert.notMatch(sentence, /undefined|null|\[object|NaN/, `${failure._tag} ${door}`)
          assert.isBelow(sentence.length, 450, `${failure._tag} ${door}`)
        }
      }
    }
  })

  it("does not compile for a failure without words, which would throw, or with words that do not fit it", () => {
    // @ts-expect-error: no line has this tag.
    assert.throws(() => wire(new Unspoken()))
    // @ts-expect-error: the line of this tag is made from `seconds`.
    assert.include(wire(new Misnamed({ length: 1 })).message, "undefined seconds")
    // @ts-expect-error: nor does it where it is used.
    Effect.mapError(Effect.fail(new Unspoken()), wire)
    // @ts-expect-error: it has words for programs, and none for an operator at the console,
    assert.isUndefined(refusalOf(new ClipLimitReached()))
    // @ts-expect-error: nor at the terminal,
    assert.throws(() => explain(new ClipLimitReached()))
    // @ts-expect-error: nor for a reader at a form.
    assert.isUndefined(troubleOf(new ClipLimitReached()))
  })

  it("has the same words for an operator at the terminal and on the console, unless a terminal needs others", () => {
    assert.strictEqual(explain(meetingNotFound("none")), "There is no meeting none on record.")
    assert.strictEqual(
      explain(new NewerFlow({ flow: meetingId })),
      "A newer flow for the same subject is under way: look at its tasks instead."
    )
    assert.strictEqual(
      explain(new DataInUse({ dataDir: "/data", holder: "civic-record 7" })).slice(0, 16),
      "/data is in use "
    )
  })

  it("never says more about the database than the server does", () => {
    const away = new SqlError.SqlError({
      reason: new SqlError.ConnectionError({ cause: new Error("ECONNREFUSED 10.1.2.3") })
    })
    assert.strictEqual(explain(away), "The database cannot be reached. Check DATABASE_URL, or run: civic-record doctor")
    const wrong = new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error("no such column") }) })
    assert.strictEqual(explain(wrong), "The database reported an error: no such column")
  })

  it("says how long to wait, where waiting helps", () => {
    assert.deepStrictEqual(wire(usedUp).headers, {
      "ratelimit-policy": '"tries";q=5;w=900',
      ratelimit: '"tries";r=0;t=1',
      "retry-after": "1"
    })
    assert.strictEqual(wire(usedUp).hint, "Wait 1 second, as Retry-After says, then send the request again.")
    assert.deepStrictEqual(wire(new NotMigrated()).headers, { "retry-after": "5" })
    assert.deepStrictEqual(wire(new MailRefused({ kind: "code", reason: "unreachable" })).headers, {
      "retry-after": "5"
    })
  })
})

describe("a refusal of an agent's token", () => {
  it("says how to authenticate, and never names an authorization server", () => {
    const challenges = [new AgentTokenRequired(), new AgentTokenInvalid(), new AgentTokenReadOnly()].map(
      (refused) => wire(refused).headers?.["www-authenticate"]
    )
    assert.deepStrictEqual(challenges, [
      'Bearer realm="agent"',
      'Bearer realm="agent", error="invalid_token"',
      'Bearer realm="agent", error="insufficient_scope"'
    ])
  })
})

describe("an error code", () => {
  it("has the status that contract section 2 gives it", () => {
    const statuses = {
      400: ["invalid_request"],
      401: ["sign_in_required", "share_grant_invalid", "agent_token_required", "agent_token_invalid"],
      403: [
        "share_grant_other_meeting",
        "agent_token_read_only",
        "signature_required",
        "signature_invalid",
        "signature_expired",
        "media_forbidden",
        "cross_origin"
      ],
      404: ["not_found"],
      405: ["method_not_allowed"],
      409: [
        "ambiguous_body",
        "clip_limit_reached",
        "share_already_redeemed",
        "transcript_missing",
        "recording_too_short",
        "span_not_found"
      ],
      410: ["removed"],
      413: ["body_too_large"],
      415: ["unsupported_media_type"],
      416: ["range_not_satisfiable"],
      422: [
        "clip_too_long",
        "clip_out_of_range",
        "code_incorrect",
        "code_expired",
        "password_too_weak",
        "password_incorrect",
        "phone_invalid",
        "email_in_use"
      ],
      429: ["rate_limited"],
      500: ["internal"],
      // Beyond the contract: required by oEmbed.
      501: ["format_not_supported"],
      503: ["unavailable", "auto_clips_disabled", "cloud_model_unavailable"]
    }
    const codes = Object.keys(classOf) as ReadonlyArray<keyof typeof classOf>
    const found: Readonly<Partial<Record<number, ReadonlyArray<string>>>> = Object.groupBy(
      codes,
      (code) => wireError(code, "", "").status
    )
    assert.deepStrictEqual(found, statuses)
  })
})
