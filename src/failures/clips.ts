import { longestUserClip, mostUserClips, shortestUserClip } from "../../schema/user-clip.ts"
import { wireError } from "../api/errors/classes.ts"
import type { AutoClipRefused } from "../services/clips/auto-clips.ts"
import type { ClipNotReady, ClipOutOfRange, ClipTooLong } from "../services/clips/user-clips.ts"

const byHand = "Choose start and end yourself with POST /api/user-clips"

/** The first two concern the deployment, the others the meeting or the start requested. */
const autoClipRefusals = {
  auto_clips_disabled: ["Automatic clips are turned off on this service.", `${byHand}.`],
  cloud_model_unavailable: [
    "The model that finds the discussion is not configured, or does not answer.",
    `${byHand}, or try again later.`
  ],
  transcript_missing: ["This meeting has no transcript in which to look for the discussion.", `${byHand}.`],
  recording_missing: [
    "This meeting has no recording to cut a clip from.",
    "Choose a meeting whose links include video; GET /api/meetings/browse?has=video lists them."
  ],
  recording_too_short: [
    "Less than 5 seconds of the recording are left after start.",
    "Send an earlier start; GET /api/meetings/{id} gives the length of the recording."
  ],
  span_not_found: [
    "No discussion was found around start.",
    `Send another start. ${byHand} if none is found there either.`
  ]
} as const satisfies Record<AutoClipRefused["reason"], readonly [string, string]>

/** Failures of readers' clips. */
export const clipFailures = {
  ClipTooLong: {
    api: ({ seconds }: ClipTooLong) =>
      wireError(
        "clip_too_long",
        `end is ${seconds} seconds after start, and a clip is at most ${longestUserClip} seconds long.`,
        `Send an end that is at most ${longestUserClip} seconds after start.`
      )
  },

  ClipOutOfRange: {
    api: ({ recording }: ClipOutOfRange) =>
      recording === 0
        ? wireError(
            "clip_out_of_range",
            "start and end are out of range: this meeting has no recording.",
            "Choose a meeting whose links include video."
          )
        : wireError(
            "clip_out_of_range",
            `start and end do not enclose at least ${shortestUserClip} second of the recording, which is ${recording} seconds long.`,
            `Send a start of 0 or more, and an end at least ${shortestUserClip} second after it and no later than ${recording}.`
          )
  },

  ClipLimitReached: {
    api: () =>
      wireError(
        "clip_limit_reached",
        `This account has ${mostUserClips} clips of this meeting, which is the limit.`,
        "Delete one of them with DELETE /api/user-clips/{id}, then send the request again."
      )
  },

  ClipNotReady: {
    api: ({ state }: ClipNotReady) =>
      state === "rendering"
        ? wireError(
            "not_found",
            "This clip has not been rendered yet.",
            "Try again in a few seconds: GET /api/user-clips shows its state as ready once it has."
          )
        : wireError(
            "not_found",
            "This clip could not be rendered.",
            "Delete it with DELETE /api/user-clips/{id}, then create it again."
          )
  },

  /** The same answer for an unknown slug, a clip not rendered, and a deleted one (spec section 7, rule 5). */
  SharedClipNotFound: {
    api: () =>
      wireError(
        "not_found",
        "No clip is shared at this address.",
        "Ask the person who sent you the link whether the clip still exists."
      )
  },

  AutoClipRefused: {
    api: ({ reason }: AutoClipRefused) => {
      const [message, hint] = autoClipRefusals[reason]
      // The contract has one code for both: a missing recording counts as too short.
      return wireError(reason === "recording_missing" ? "recording_too_short" : reason, message, hint)
    }
  }
}
