import { Conflict, Unavailable, Unprocessable } from "./classes.ts"
import { errorBody, notFound } from "./common.ts"

/** The same for a slug that nobody has, a clip that is not rendered, and one that was deleted (spec section 7, rule 5). */
export const noSuchSharedClip = () =>
  notFound("No clip is shared at this address.", "Ask whoever sent the link whether the clip is still there.")

export const clipNotReady = (state: "rendering" | "failed") =>
  notFound(
    state === "rendering" ? "This clip is not rendered yet." : "This clip could not be rendered.",
    state === "rendering"
      ? "Ask again in a few seconds: GET /api/user-clips says when its state is ready."
      : "Delete it with DELETE /api/user-clips/{id}, and cut it again."
  )

export const clipTooLong = (seconds: number, longest: number) =>
  new Unprocessable(
    errorBody(
      "clip_too_long",
      `end is ${seconds} seconds after start, and a clip is at most ${longest} seconds long.`,
      `Send an end that is at most ${longest} seconds after start.`
    )
  )

/** `recording` in seconds, 0 where the meeting has none. */
export const clipOutOfRange = (recording: number, shortest: number) =>
  new Unprocessable(
    recording === 0
      ? errorBody(
          "clip_out_of_range",
          "start and end are outside of the recording: this meeting has none.",
          "Choose a meeting whose links name a video."
        )
      : errorBody(
          "clip_out_of_range",
          `start and end are not a stretch of at least ${shortest} second within the recording, which ends at ${recording} seconds.`,
          `Send a start of 0 or more, and an end at least ${shortest} second after it and no later than ${recording}.`
        )
  )

export const clipLimitReached = (most: number) =>
  new Conflict(
    errorBody(
      "clip_limit_reached",
      `This account has ${most} clips of this meeting, which is as many as it may have.`,
      "Delete one of them with DELETE /api/user-clips/{id}, then send the request again."
    )
  )

/** What holds for a meeting, or for where in it was asked, and not for the deployment. */
const autoClipRefusals = {
  transcript_missing: {
    message: "This meeting has no transcript, which is what the discussion is found in.",
    hint: "Choose start and end yourself, with POST /api/user-clips."
  },
  recording_too_short: {
    message: "Less than 5 seconds of the recording are left after start.",
    hint: "Send an earlier start; GET /api/meetings/{id} has the recording's duration."
  },
  span_not_found: {
    message: "No discussion was found around start.",
    hint: "Send another start, or choose start and end yourself with POST /api/user-clips."
  }
} as const

export const autoClipRefused = (reason: keyof typeof autoClipRefusals) =>
  new Conflict(errorBody(reason, autoClipRefusals[reason].message, autoClipRefusals[reason].hint))

const byHand = "Choose start and end yourself, with POST /api/user-clips"

export const autoClipsDisabled = () =>
  new Unavailable(errorBody("auto_clips_disabled", "Automatic clips are switched off on this service.", `${byHand}.`))

export const cloudModelUnavailable = () =>
  new Unavailable(
    errorBody(
      "cloud_model_unavailable",
      "There is no model to find the discussion with: this service has none, or it does not answer.",
      `${byHand}, or try again later.`
    )
  )
