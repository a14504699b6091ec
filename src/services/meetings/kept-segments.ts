import { Effect } from "effect"
import { unpackText } from "../../../layers/db/packed-text.ts"
import type { Segment } from "../../../schema/transcript.ts"

/** The segments of a transcript from the column that keeps them, `transcript.segments`. */
export const segmentsFrom = (packed: Uint8Array): Effect.Effect<ReadonlyArray<Segment>> =>
  Effect.map(unpackText(packed), (json) => {
    // Written by `writeTranscript`, from what the schema had decoded.
    const segments: ReadonlyArray<Segment> = JSON.parse(json)
    return segments
  })
