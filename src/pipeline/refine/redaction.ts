import type { Segment } from "../../../schema/transcript.ts"

/**
 * The seam for what may not be published: everything that is refined passes through here, after the model and before the
 * record. `agenda` is what the agenda says, which is public. Answers the segments that may be published, and how many
 * passages were removed.
 */
export const redaction = (
  segments: ReadonlyArray<Segment>,
  _agenda: ReadonlyArray<string>
): { readonly segments: ReadonlyArray<Segment>; readonly removed: number } => ({ segments, removed: 0 })
