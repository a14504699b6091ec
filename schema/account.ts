import { Schema } from "effect"
import { Email } from "./email.ts"
import { AccountId, Instant, Slug } from "./primitives.ts"

/** What people call somebody; a line of text. */
export const AccountName = Schema.String.check(
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
}).annotate({ identifier: "Account" })
export interface Account extends Schema.Schema.Type<typeof Account> {}

export const Session = Schema.Struct({
  account: Schema.optionalKey(Account),
  providers: Schema.Array(
    Schema.Struct({ id: Schema.String, name: Schema.String, start_url: Schema.String }).annotate({
      identifier: "SignInProvider"
    })
  ),
  publishable_key: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Session" })
export interface Session extends Schema.Schema.Type<typeof Session> {}

/** What an account follows; as a request the whole of it, replaced at once. */
const follows = {
  agencies: Schema.Array(Slug).check(Schema.isMaxLength(500)),
  places: Schema.Array(Slug).check(Schema.isMaxLength(500))
}
export const Follows = Schema.Struct(follows).annotate({ identifier: "Follows" })
export interface Follows extends Schema.Schema.Type<typeof Follows> {}
export const FollowsRequest = Schema.Struct(follows).annotate({ identifier: "FollowsRequest" })
export interface FollowsRequest extends Schema.Schema.Type<typeof FollowsRequest> {}

const recaps = Schema.Literals(["each", "daily", "weekly", "off"])
const savedSearches = Schema.Literals(["daily", "weekly", "off"])
export const EmailPrefs = Schema.Struct({ recaps, saved_searches: savedSearches }).annotate({
  identifier: "EmailPrefs",
  description: "When recaps of what is followed, and what saved searches found, are mailed."
})
export interface EmailPrefs extends Schema.Schema.Type<typeof EmailPrefs> {}
export const UpdateEmailPrefsRequest = Schema.Struct({
  recaps: Schema.optionalKey(recaps),
  saved_searches: Schema.optionalKey(savedSearches)
}).annotate({ identifier: "UpdateEmailPrefsRequest" })
export interface UpdateEmailPrefsRequest extends Schema.Schema.Type<typeof UpdateEmailPrefsRequest> {}

/** What may be unsubscribed from: one kind of mail, or all of it. */
export const MailingList = Schema.Literals(["recaps", "saved_searches", "all"])
export type MailingList = typeof MailingList.Type

export const UpdateProfileRequest = Schema.Struct({
  name: AccountName.annotate({ description: "Empty for none.", examples: ["Robin Vale"] })
}).annotate({ identifier: "UpdateProfileRequest" })
/** In place of a recent sign-in, where what is asked for could take the account from its owner. */
const proof = {
  current_password: Schema.optionalKey(
    Password.annotate({ description: "In place of a sign-in within the last 10 minutes." })
  )
}
export const DeleteAccountRequest = Schema.Struct(proof).annotate({ identifier: "DeleteAccountRequest" })
export const StartEmailChangeRequest = Schema.Struct({ email: Email, ...proof }).annotate({
  identifier: "StartEmailChangeRequest"
})
export const ConfirmEmailChangeRequest = Schema.Struct({ email: Email, code: Code }).annotate({
  identifier: "ConfirmEmailChangeRequest"
})
export const SetPasswordRequest = Schema.Struct({
  password: Password,
  current_password: Schema.optionalKey(Password)
}).annotate({ identifier: "SetPasswordRequest" })
export const SetPhoneRequest = Schema.Struct({
  phone: Schema.String.check(Schema.isMaxLength(32)).annotate({ description: "E.164.", examples: ["+12175550123"] })
}).annotate({ identifier: "SetPhoneRequest" })
