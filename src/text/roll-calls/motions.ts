import type { Segment } from "../../../schema/transcript.ts"
import { namedAt } from "./ballots.ts"
import type { Token } from "./tokens.ts"

/** What is voted on, as far as it is said shortly before. */
export interface Motion {
  /** The motion in the words of whoever puts it: `postpone for 60 days`. */
  readonly motion?: string
  readonly mover?: string
  readonly seconder?: string
}

/** How many words before a vote its motion is looked for, and the most words of one. */
const reach = 150
const longest = 25

const textOf = (segments: ReadonlyArray<Segment>, words: ReadonlyArray<Token>): string =>
  [...Map.groupBy(words, ({ segment }) => segment)]
    .map(([segment, own]) => segments[segment]?.text.slice(own[0]?.start, own.at(-1)?.end) ?? "")
    .join(" ")

/** What the chair or the mover says of the motion between the vote before and this one. */
export const motionBefore = (
  segments: ReadonlyArray<Segment>,
  tokens: ReadonlyArray<Token>,
  after: number,
  until: number,
  hasCapitals: boolean
): Motion => {
  const from = Math.max(after, until - reach)
  const places = Array.from({ length: Math.max(0, until - from) }, (_, offset) => from + offset)
  const word = (at: number) => tokens[at]?.word ?? ""
  const whoAt = (at: number): string | undefined => {
    const named = namedAt(tokens, at, hasCapitals)
    return named?.isTitled ? textOf(segments, tokens.slice(named.from, named.to)) : undefined
  }
  const moved = places.findLast(
    (at) => word(at) === "by" && /^(?:motion|made)$/u.test(word(at - 1)) && whoAt(at + 1) !== undefined
  )
  const seconded = places.findLast(
    (at) => word(at) === "by" && /^second(?:ed)?$/u.test(word(at - 1)) && whoAt(at + 1) !== undefined
  )
  const put = places.findLast(
    (at) => word(at) === "to" && /^(?:motion|move|moved|moves)$/u.test(word(at - 1)) && !tokens[at]?.opens
  )
  const mover = moved === undefined ? undefined : whoAt(moved + 1)
  const seconder = seconded === undefined ? undefined : whoAt(seconded + 1)
  let end = put === undefined ? 0 : put + 1
  while (put !== undefined && end < until && end - put <= longest && !tokens[end]?.opens) end++
  const motion =
    put !== undefined && end - put <= longest && end > put + 1
      ? textOf(segments, tokens.slice(put + 1, end))
      : undefined
  return {
    ...(motion === undefined ? {} : { motion }),
    ...(mover === undefined ? {} : { mover }),
    ...(seconder === undefined ? {} : { seconder })
  }
}
