import { Schema } from "effect"

/** The one shape of every error (spec section 7): a code for programs, a sentence for people, and the next step. */
export const ErrorBody = Schema.Struct({
  error: Schema.String.annotate({ description: "Machine code.", examples: ["not_found"] }),
  message: Schema.String.annotate({
    description: "What is wrong, naming the field.",
    examples: ["No meeting has this id."]
  }),
  hint: Schema.String.annotate({
    description: "The exact next step.",
    examples: ["Find meetings at /api/meetings/browse."]
  })
}).annotate({ identifier: "Error" })
export interface ErrorBody extends Schema.Schema.Type<typeof ErrorBody> {}

/** Codes by status, as contract section 2 lists them. */
export const errorCodes = {
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
  503: ["unavailable", "auto_clips_disabled", "cloud_model_unavailable"]
} as const

export type ErrorStatus = keyof typeof errorCodes
export type ErrorCode = (typeof errorCodes)[ErrorStatus][number]
