import { type MeetingId, roundSeconds } from "../../../../schema/primitives.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { keyOf, spokenWords } from "../../../text/language/spoken-words.ts"
import { type Alignment, closest } from "../../../text/quotes/align.ts"
import { namesAmong, quoteWords } from "../../../text/quotes/quote-words.ts"

/** What comes closest to a quote in one meeting. */
export interface Closest extends Alignment {
  readonly id: MeetingId
  readonly start: number
  readonly end: number
  readonly speaker: string | undefined
}

/** The words of a speaker's name; a voice that nothing names has none. */
const namesIn = (name: string): ReadonlyArray<string> =>
  /^speaker \d+$/iu.test(name)
    ? []
    : name
        .split(/\s+/u)
        .map(keyOf)
        .filter((key) => key !== "")

/** The words of the names of all who speak. */
export const namesOfSpeakers = (segments: ReadonlyArray<Segment>): ReadonlyArray<string> =>
  [...new Set(segments.map(({ speaker = "" }) => speaker))].flatMap(namesIn)

/**
 * What comes closest to a quote in some segments of a meeting, of what this speaker says if one is asked for; none if
 * nothing is said there. `names` are those of all who speak in the meeting.
 */
export const closestIn = (
  id: MeetingId,
  segments: ReadonlyArray<Segment>,
  { text, speaker = "", names }: { text: string; speaker?: string | undefined; names: ReadonlyArray<string> }
): ReadonlyArray<Closest> => {
  const asked = namesIn(speaker)
  const isAsked = segments.map(({ speaker: name = "" }) => {
    const own = new Set(namesIn(name))
    return asked.every((one) => own.has(one))
  })
  const words = spokenWords(segments).filter(({ segment }) => isAsked[segment])
  const texts = words.map((word) => word.text)
  const known = new Set([...namesAmong(texts), ...names])
  const alignment = closest(quoteWords(text.match(/\S+/gu) ?? [], known), quoteWords(texts, known))
  const [first, last] = [words[alignment?.first.at ?? -1], words[alignment?.last.at ?? -1]]
  if (alignment === undefined || first === undefined || last === undefined) return []
  return [
    {
      ...alignment,
      id,
      start: roundSeconds(first.start),
      end: roundSeconds(Math.max(first.start, last.end)),
      speaker: segments[first.segment]?.speaker
    }
  ]
}
