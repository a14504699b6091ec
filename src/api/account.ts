import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  Account,
  AccountFollows,
  AccountSessions,
  ConfirmEmailChangeRequest,
  DeleteAccountRequest,
  EndSessionRequest,
  FollowsRequest,
  SetPasswordRequest,
  SetPhoneRequest,
  StartEmailChangeRequest,
  UpdateProfileRequest
} from "../../schema/account.ts"
import { AccountExportDocument } from "../../schema/account-export.ts"
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
  "Needs a sign-in within the last 10 minutes, or the account's password as `current_password`; without either, the answer is `sign_in_required`."

const optionalBody = (schema: string) => ({
  content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
  required: false
})

/** Spec 4.8: what an account is and owns; only for its own session. */
export const AccountGroup = HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("get", "/api/me/account", { success: Account, error: reads }).annotateMerge(
      OpenApi.annotations({
        identifier: "getAccount",
        summary: "Get the account",
        description: "Returns the account that is signed in."
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
        description:
          "Changes the name of the account. Leading and trailing white space is trimmed, and an empty name removes it."
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
        description: `Permanently deletes the account: ends its sessions and removes its clips and their share links, its share grants, its follows and its personal data. ${proof}`,
        // The library cannot say that a body may be left out.
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
        summary: "Start changing the e-mail address",
        description: `Mails a 6-digit code to the new address, valid for 10 minutes and five tries. The response is the same whether or not another account has the address. ${proof}`
      })
    ),
    HttpApiEndpoint.post("confirmEmail", "/api/me/account/email/confirm", {
      payload: ConfirmEmailChangeRequest,
      success: Account,
      error: [...writes, Unprocessable, RateLimited]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "confirmEmailChange",
        summary: "Confirm the new e-mail address",
        description:
          "Changes the address once it is confirmed with the code that was mailed. A wrong code gets `code_incorrect`, one that is no longer valid `code_expired`, and an address that another account has `email_in_use`."
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
          "Sets a password, which is a second way to sign in besides the e-mail code. `current_password` is required if a password is already set; the first one needs a sign-in within the last 10 minutes, or the answer is `sign_in_required`. All other sessions of the account are ended."
      })
    ),
    HttpApiEndpoint.put("setPhone", "/api/me/account/phone", {
      payload: SetPhoneRequest,
      success: Account,
      error: [...writes, Unprocessable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "setPhone",
        summary: "Set the phone number",
        description:
          "Sets the phone number of the account. It must be a valid number in E.164 format: a plus sign, the country code and the number, without spaces."
      })
    ),
    HttpApiEndpoint.delete("removePhone", "/api/me/account/phone", {
      success: HttpApiSchema.NoContent,
      error: [...writes, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "removePhone",
        summary: "Remove the phone number",
        description: "Removes the phone number of the account. Returns 404 if it has none."
      })
    ),
    HttpApiEndpoint.get("follows", "/api/me/follows", { success: AccountFollows, error: reads }).annotateMerge(
      OpenApi.annotations({
        identifier: "getFollows",
        summary: "Get what the account follows",
        description: "Returns the slugs of the bodies and places that the account follows, sorted."
      })
    ),
    HttpApiEndpoint.put("setFollows", "/api/me/follows", {
      payload: FollowsRequest,
      success: AccountFollows,
      error: writes
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "setFollows",
        summary: "Set what the account follows",
        description:
          "Replaces the whole list. A retired slug stands for the body it now belongs to. If any slug is not on record, the request is refused and nothing changes."
      })
    ),
    HttpApiEndpoint.get("sessions", "/api/me/sessions", { success: AccountSessions, error: reads }).annotateMerge(
      OpenApi.annotations({
        identifier: "listSessions",
        summary: "List your sessions",
        description:
          "Returns the browsers that are signed in to the account, the last one seen first. Nothing else is known of them."
      })
    ),
    HttpApiEndpoint.delete("endSession", "/api/me/sessions/:id", {
      params: {
        id: Schema.String.pipe(
          Schema.annotateKey({
            description: "The id of one of your sessions.",
            examples: ["0c9a4a7e-3f5d-4b62-9d11-5a7c2e8f4b10"]
          })
        )
      },
      payload: [EndSessionRequest, Schema.Undefined],
      success: HttpApiSchema.NoContent,
      error: [...writes, NotFound, Unprocessable, RateLimited]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "endSession",
        summary: "End a session",
        description: `Signs a browser out. Returns 404 if the account has no such session any more. ${proof}`,
        transform: (operation) => ({ ...operation, requestBody: optionalBody("EndSessionRequest") })
      })
    ),
    HttpApiEndpoint.get("export", "/api/me/export", {
      success: HttpApiSchema.WithHeaders(AccountExportDocument, {
        "content-disposition": Schema.String.annotate({
          description: "The file name to save it under.",
          examples: ['attachment; filename="civic-record-account-2026-03-12.json"']
        })
      }),
      error: reads
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "exportAccount",
        summary: "Export the account's data",
        description:
          "Returns everything that is stored about the account as one JSON document, sent as an attachment. It contains no tokens, hashes or passwords."
      })
    )
  )
  .annotate(Security, sessionOnly)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "The profile and data of a signed-in reader." }))
