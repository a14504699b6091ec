import { Schema } from "effect"
import { Email } from "./email.ts"
import { AccountId, Instant, Slug } from "./primitives.ts"

/** What people call someone; one line of text. */
const AccountName = Schema.String.check(
  Schema.makeFilter((value) => !/\p{Cc}/u.test(value) || "must be one line of text"),
  Schema.isMaxLength(120)
)

const Code = Schema.String.check(Schema.isPattern(/^\d{6}$/u, { message: "must be the 6 digits of the code" }))

const Password = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))

export const Account = Schema.Struct({
  id: AccountId,
  email: Schema.String.annotate({ description: "As it was given.", examples: ["reader@example.org"] }),
  name: Schema.optionalKey(Schema.String),
  phone: Schema.optionalKey(Schema.String),
  has_password: Schema.Boolean,
  created_at: Instant
}).annotate({ identifier: "Account", description: "The account that is signed in." })
export interface Account extends Schema.Schema.Type<typeof Account> {}

export const Session = Schema.Struct({
  account: Schema.optionalKey(Account),
  providers: Schema.Array(
    Schema.Struct({ id: Schema.String, name: Schema.String, start_url: Schema.String }).annotate({
      identifier: "SignInProvider",
      description: "A way to sign in."
    })
  ),
  publishable_key: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Session", description: "Who is signed in, and how to sign in." })
export interface Session extends Schema.Schema.Type<typeof Session> {}

export const AccountSession = Schema.Struct({
  id: Schema.String.annotate({ description: "Names the session, and opens nothing." }),
  created_at: Instant,
  last_seen_at: Instant.annotate({ description: "When it was last used, to within 12 hours." }),
  browser: Schema.optionalKey(
    Schema.String.annotate({
      description: "The family of browser and system that signed in, if it is known.",
      examples: ["Firefox on Linux"]
    })
  ),
  current: Schema.Boolean.annotate({ description: "Whether it is the session of this request." })
}).annotate({ identifier: "AccountSession", description: "A browser that is signed in to the account." })
export interface AccountSession extends Schema.Schema.Type<typeof AccountSession> {}
export const AccountSessions = Schema.Struct({ sessions: Schema.Array(AccountSession) }).annotate({
  identifier: "AccountSessions",
  description: "The browsers that are signed in to the account, the last one seen first."
})
export interface AccountSessions extends Schema.Schema.Type<typeof AccountSessions> {}

/** The most bodies, and the most places, that one account may follow. */
export const mostFollowed = 500

/** The bodies and places an account follows. As a request, it replaces the whole list. */
const follows = {
  agencies: Schema.Array(Slug).check(Schema.isMaxLength(mostFollowed)),
  places: Schema.Array(Slug).check(Schema.isMaxLength(mostFollowed))
}
export const AccountFollows = Schema.Struct(follows).annotate({
  identifier: "Follows",
  description: "What the account follows, by slug."
})
export interface AccountFollows extends Schema.Schema.Type<typeof AccountFollows> {}
export const FollowsRequest = Schema.Struct(follows).annotate({
  identifier: "FollowsRequest",
  description: "What the account is to follow, by slug: the whole list."
})
export interface FollowsRequest extends Schema.Schema.Type<typeof FollowsRequest> {}

const recaps = Schema.Literals(["each", "daily", "weekly", "off"])
const savedSearches = Schema.Literals(["daily", "weekly", "off"])
export const EmailPreferences = Schema.Struct({ recaps, saved_searches: savedSearches }).annotate({
  identifier: "EmailPrefs",
  description: "How often recaps of followed meetings, and new results of saved searches, are mailed."
})
export interface EmailPreferences extends Schema.Schema.Type<typeof EmailPreferences> {}
export const UpdateEmailPrefsRequest = Schema.Struct({
  recaps: Schema.optionalKey(recaps),
  saved_searches: Schema.optionalKey(savedSearches)
}).annotate({ identifier: "UpdateEmailPrefsRequest", description: "The e-mail preferences to change." })
export interface UpdateEmailPrefsRequest extends Schema.Schema.Type<typeof UpdateEmailPrefsRequest> {}

export const CalendarAddress = Schema.Struct({
  active: Schema.Boolean,
  created_at: Schema.optionalKey(Instant),
  url: Schema.optionalKey(
    Schema.String.annotate({ description: "The secret address itself, only in the response that creates it." })
  )
}).annotate({
  identifier: "CalendarAddress",
  description: "Whether there is a secret address at which the account's follows are a calendar."
})
export interface CalendarAddress extends Schema.Schema.Type<typeof CalendarAddress> {}

/** The most live tokens for programs that one account may have. */
export const mostReaderTokens = 10

export const MakeReaderTokenRequest = Schema.Struct({
  token_name: Schema.String.check(
    Schema.isMinLength(1),
    Schema.isMaxLength(60),
    Schema.makeFilter((value) => !/\p{C}/u.test(value) || "must be one line of text")
  )
})

/** The mail that an unsubscribe link ends: one kind, or all of it. */
export const MailingList = Schema.Literals(["recaps", "saved_searches", "all"])
export type MailingList = typeof MailingList.Type

export const UpdateProfileRequest = Schema.Struct({
  name: AccountName.annotate({ description: "An empty name removes it.", examples: ["Robin Vale"] })
}).annotate({ identifier: "UpdateProfileRequest", description: "The profile to set." })
/** Proof in place of a recent sign-in, for changes that could take the account from its owner. */
const proof = {
  current_password: Schema.optionalKey(
    Password.annotate({ description: "Needed unless the caller signed in within the last 10 minutes." })
  )
}
export const DeleteAccountRequest = Schema.Struct(proof).annotate({
  identifier: "DeleteAccountRequest",
  description: "Proof that the account's owner is asking."
})
export const EndSessionRequest = Schema.Struct(proof).annotate({
  identifier: "EndSessionRequest",
  description: "Proof that the account's owner is asking."
})
export const StartEmailChangeRequest = Schema.Struct({ email: Email, ...proof }).annotate({
  identifier: "StartEmailChangeRequest",
  description: "The new e-mail address."
})
export const ConfirmEmailChangeRequest = Schema.Struct({ email: Email, code: Code }).annotate({
  identifier: "ConfirmEmailChangeRequest",
  description: "The new address, with the code that was mailed to it."
})
export const SetPasswordRequest = Schema.Struct({
  password: Password,
  current_password: Schema.optionalKey(Password)
}).annotate({
  identifier: "SetPasswordRequest",
  description: "The password to set, and the current one if there is one."
})
export const SetPhoneRequest = Schema.Struct({
  phone: Schema.String.check(Schema.isMaxLength(32)).annotate({
    description: "A phone number in E.164 format.",
    examples: ["+12175550123"]
  })
}).annotate({ identifier: "SetPhoneRequest", description: "The phone number to set." })
