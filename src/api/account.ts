import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  Account,
  ConfirmEmailChangeRequest,
  DeleteAccountRequest,
  Follows,
  FollowsRequest,
  SetPasswordRequest,
  SetPhoneRequest,
  StartEmailChangeRequest,
  UpdateProfileRequest
} from "../../schema/account.ts"
import { AccountExport } from "../../schema/account-export.ts"
import { Access } from "./access.ts"
import {
  Forbidden,
  Internal,
  NotFound,
  RateLimited,
  Unauthorized,
  Unavailable,
  Unprocessable
} from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

const reads = [Unauthorized, Internal, Unavailable] as const
const writes = [...reads, Forbidden] as const

const proof =
  "Needs a sign-in within the last 10 minutes, or the account's password as `current_password`: `sign_in_required` where there is neither."

const optionalBody = (schema: string) => ({
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
  required: false
})

/** Spec 4.8: what an account is and owns; for its session alone. */
export const AccountGroup = HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("get", "/api/me/account", { success: Account, error: reads }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAccount",
        summary: "The account",
        description: "The account that is signed in."
      })
    ),
    HttpApiEndpoint.patch("update", "/api/me/account", {
      payload: UpdateProfileRequest,
      success: Account,
      error: writes
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "updateAccount",
        summary: "Change the name",
        description: "White space around the name is left out; an empty one removes it."
      })
    ),
    HttpApiEndpoint.delete("remove", "/api/me/account", {
      payload: [DeleteAccountRequest, Schema.Undefined],
      success: HttpApiSchema.NoContent,
      error: [...writes, Unprocessable, RateLimited]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "deleteAccount",
        summary: "Delete the account",
        description: `Ends its sessions and removes its clips with their share links, its share grants, follows and personal data, for good. ${proof}`,
        // The library has no word for a body that may be left out.
        transform: (operation) => ({ ...operation, requestBody: optionalBody("DeleteAccountRequest") })
      })
    ),
    HttpApiEndpoint.post("startEmail", "/api/me/account/email/start", {
      payload: StartEmailChangeRequest,
      success: HttpApiSchema.Accepted,
      error: [...writes, Unprocessable, RateLimited]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "startEmailChange",
        summary: "Begin to change the e-mail address",
        description: `Mails a code of 6 digits to the new address, good for 10 minutes and five tries. The answer is the same whether or not somebody has the address. ${proof}`
      })
    ),
    HttpApiEndpoint.post("confirmEmail", "/api/me/account/email/confirm", {
      payload: ConfirmEmailChangeRequest,
      success: Account,
      error: [...writes, Unprocessable, RateLimited]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "confirmEmailChange",
        summary: "Confirm the e-mail address",
        description:
          "Takes the code that was mailed: `code_incorrect` and `code_expired` where it is not good, `email_in_use` where another account has the address."
      })
    ),
    HttpApiEndpoint.put("setPassword", "/api/me/account/password", {
      payload: SetPasswordRequest,
      success: Account,
      error: [...writes, Unprocessable, RateLimited]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "setPassword",
        summary: "Set the password",
        description:
          "A second way in beside the e-mail code. `current_password` is needed where one is set. Every other session of the account is ended."
      })
    ),
    HttpApiEndpoint.put("setPhone", "/api/me/account/phone", {
      payload: SetPhoneRequest,
      success: Account,
      error: [...writes, Unprocessable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "setPhone",
        summary: "Set the telephone number",
        description: "A number that can exist, written as E.164: a plus, the country code, the number."
      })
    ),
    HttpApiEndpoint.delete("removePhone", "/api/me/account/phone", {
      success: HttpApiSchema.NoContent,
      error: [...writes, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "removePhone",
        summary: "Remove the telephone number",
        description: "Answers 404 where there is none."
      })
    ),
    HttpApiEndpoint.get("follows", "/api/me/follows", { success: Follows, error: reads }).annotateMerge(
      OpenApi.annotations({
        identifier: "getFollows",
        summary: "What the account follows",
        description: "Bodies and places by their slugs, in order."
      })
    ),
    HttpApiEndpoint.put("setFollows", "/api/me/follows", {
      payload: FollowsRequest,
      success: Follows,
      error: writes
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "setFollows",
        summary: "Set what the account follows",
        description:
          "Replaces all of it at once. A retired slug stands for the body that it became; one that names nothing is refused, and nothing changes."
      })
    ),
    HttpApiEndpoint.get("export", "/api/me/export", {
      success: HttpApiSchema.WithHeaders(AccountExport, {
        "content-disposition": Schema.String.annotate({
          description: "Names the file.",
          examples: ['attachment; filename="civic-record-account-2026-03-12.json"']
        })
      }),
      error: reads
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "exportAccount",
        summary: "Everything that is kept of the account",
        description: "One JSON document, as an attachment. It holds no token, hash or password."
      })
    )
  )
  .annotate(Security, sessionOnly)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "What a signed-in reader is and owns." }))
