import { Data, Runtime } from "effect"

/** Ends a command with an exit code of its own, once it has printed everything itself. */
export class Ended extends Data.TaggedError("Ended")<{ readonly code: number }> {
  override readonly [Runtime.errorExitCode] = this.code
  override readonly [Runtime.errorReported] = true
}
