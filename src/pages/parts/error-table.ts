import { type ErrorCode, wireError } from "../../api/errors/classes.ts"
import { type El, el } from "../../page-tree/tree.ts"

/** When each error is sent (contract section 2). A code that is missing here does not compile. */
const causes: Readonly<Record<ErrorCode, string>> = {
  invalid_request: "A parameter, header or body cannot be decoded, or a search costs more than its budget.",
  sign_in_required: "The operation needs a session, or a share grant to this meeting.",
  share_grant_invalid: "The share grant is unknown, expired or already redeemed.",
  agent_token_required: "Operations for operators need an operator's token.",
  agent_token_invalid: "The operator's token is unknown or revoked.",
  share_grant_other_meeting: "The share grant is for another meeting.",
  agent_token_read_only: "The operator's token may read, but not change anything.",
  signature_required: "This media is served only through a signed address.",
  signature_invalid: "The signature of a media address is wrong.",
  signature_expired: "The signed media address is more than six hours old. Ask for a new one.",
  media_forbidden: "No object with this key is served, whatever the credential.",
  cross_origin: "A page on another origin sent a write with a cookie.",
  not_found: "There is nothing with this name, id or address.",
  removed: "The meeting was taken off the record; message gives the reason.",
  method_not_allowed: "The path does not have this method; Allow lists those it has.",
  ambiguous_body: "It is not settled which body on record a body of a source is; map it first.",
  clip_limit_reached: "The account already has as many clips of this meeting as it may.",
  share_already_redeemed: "The share grant was redeemed before.",
  transcript_missing: "An automatic clip needs a transcript, and the meeting has none.",
  recording_too_short: "Too little of the recording is left for an automatic clip.",
  span_not_found: "No discussion was found around this moment.",
  body_too_large: "The body is larger than 64 KB.",
  unsupported_media_type: "The body is not of a type that the operation accepts.",
  range_not_satisfiable: "The range is outside the object.",
  clip_too_long: "The clip is longer than a clip may be.",
  clip_out_of_range: "The clip is outside the recording.",
  code_incorrect: "The code is wrong.",
  code_expired: "The code is no longer valid.",
  password_too_weak: "The password is too easy to guess.",
  password_incorrect: "The current password is missing or wrong.",
  phone_invalid: "The phone number is not in E.164 format.",
  email_in_use: "Another account has this e-mail address.",
  rate_limited: "Too many requests. Wait as many seconds as Retry-After says.",
  internal: "A fault of this service; the hint carries the request id.",
  format_not_supported: "oEmbed is asked for in another format than json or xml.",
  unavailable:
    "The service is starting or busy, or something it depends on is away. Retry-After says when to try again.",
  auto_clips_disabled: "Automatic clips are turned off on this service.",
  cloud_model_unavailable: "The model that finds automatic clips cannot be reached."
}

const isCode = (text: string): text is ErrorCode => text in causes

/** Every error of the API: its status, code and cause, ordered by status. */
export const errorTable: El = el(
  "table",
  {},
  el(
    "thead",
    {},
    el(
      "tr",
      {},
      el("th", { scope: "col" }, "Status"),
      el("th", { scope: "col" }, "error"),
      el("th", { scope: "col" }, "When")
    )
  ),
  el(
    "tbody",
    {},
    Object.keys(causes)
      .filter(isCode)
      .map((code) => ({ code, status: wireError(code, "", "").status }))
      .toSorted((a, b) => a.status - b.status)
      .map(({ code, status }) =>
        el("tr", {}, el("td", {}, String(status)), el("td", {}, el("code", {}, code)), el("td", {}, causes[code]))
      )
  )
)
