import type { Segment } from "../../schema/transcript.ts"
import { personName } from "./names.ts"
import { randomOf } from "./random.ts"
import type { Speech } from "./speech.ts"

/** Seconds per word, at 150 words a minute. */
const secondsPerWord = 0.4

/**
 * A transcript's segments, used by one or more meetings. Meetings of a large record share runs, so that search prepares
 * their words once; see `distinctRuns`.
 */
export interface Run {
  readonly segments: ReadonlyArray<Segment>
  /** In seconds. */
  readonly duration: number
}

/** The most runs of a record. A record of 10,000 meetings has one for each transcript. */
export const distinctRuns = 20_000

/** One of a record's runs, with 0.4 to 1.9 times `words` words. */
export const runOf = (seed: string, speech: Speech, words: number, index: number): Run => {
  const random = randomOf(seed, "run", index)
  const wanted = words * (0.4 + 1.5 * random.next() ** 1.5)
  const speakers = Array.from({ length: 3 + random.below(4) }, () => personName(random))
  let line = random.below(speech.lines.length)
  let speaker = 0
  let said = 0
  const segments: Array<Segment> = []
  while (said < wanted) {
    const text = speech.lines[line % speech.lines.length] ?? speech.lines[0]
    const count = text.split(" ").length
    if (random.chance(0.15)) speaker = random.below(speakers.length)
    segments.push({
      start: Math.round(said * secondsPerWord),
      end: Math.round((said + count) * secondsPerWord),
      speaker: speakers[speaker] ?? "",
      text
    })
    said += count
    line++
  }
  return { segments, duration: Math.ceil(said * secondsPerWord) }
}
