import { Data } from "effect"

/**
 * A recording could not be read, or nothing could be made from it. `message` is meant for an operator's log: the last
 * thing ffmpeg said, without any path of this machine.
 */
export class RendererError extends Data.TaggedError("RendererError")<{
  readonly reason: "ffmpeg_missing" | "input_unreadable" | "timed_out" | "failed"
  readonly message: string
}> {}
