import { Data } from "effect"

/**
 * A recording could not be read or processed. `message` is for an operator's log: ffmpeg's last lines, without any path
 * on this machine.
 */
export class RendererError extends Data.TaggedError("RendererError")<{
  readonly reason: "ffmpeg_missing" | "input_unreadable" | "timed_out" | "failed"
  readonly message: string
}> {}
