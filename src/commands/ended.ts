import { Data, Runtime } from "effect"

/** Ends a command with an exit code of its own, when it has said all there is to say. */
export class Ended extends Data.TaggedError("Ended")<{ readonly code: number }> {
  override readonly [Runtime.errorExitCode] = this.code
  override readonly [Runtime.errorReported] = true
}
