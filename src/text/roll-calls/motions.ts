import { Struct } from "effect"
import type { Segment } from "../../../schema/transcript.ts"
import { namedAt } from "./ballots.ts"
import type { Token } from "./tokens.ts"

/** What is voted on, as far as it is said shortly before. */
export interface Motion {
  /** The motion in the words of whoever puts it: `postpone for 60 days`. */
  readonly motion?: string
  readonly mover?: string
  readonly seconder?: string
  /** What the motion asks for, if everything said of it before the vote is one and the same. */
  readonly action?: Action
}

/** What a motion can ask for, with the words that ask for it. */
const asked = {
  approve: "approve approval approving adopt adoption accept pass ratify confirm",
  deny: "deny denial reject",
  postpone: "postpone postponement defer deferral delay",
  table: "table",
  withdraw: "withdraw withdrawal",
  refer: "refer send forward",
  amend: "amend amendment",
  adjourn: "adjourn",
  reconsider: "reconsider"
} as const

export type Action = keyof typeof asked

const actions = new Map(
  Struct.keys(asked).flatMap((action) => asked[action].split(" ").map((word) => [word, action] as const))
)

/**
 * What is moved in some words: `move to approve`, `motion for approval`. Whoever approves a recommendation may deny what
 * the item is about, so that tells nothing.
 */
const actionIn = (tokens: ReadonlyArray<Token>, from: number, until: number): Action | undefined => {
  const words = tokens.slice(from, until).map(({ word }) => word)
  const found = words.flatMap((word, at) => {
    if (!/^(?:motion|move|moved|moves|moving)$/u.test(word)) return []
    const next = words.slice(at + 1, at + 5)
    const verb = next.findIndex((one) => !/^(?:to|for|we|that|it|is|was|a|the|of|made|now|would|be|please)$/u.test(one))
    const action = actions.get(next[verb] ?? "")
    return action === undefined ? [] : [action]
  })
  return new Set(found).size === 1 && !words.some((word) => /^recommend/u.test(word)) ? found[0] : undefined
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
  const action = actionIn(tokens, from, until)
  return {
    ...(action === undefined ? {} : { action }),
    ...(motion === undefined ? {} : { motion }),
    ...(mover === undefined ? {} : { mover }),
    ...(seconder === undefined ? {} : { seconder })
  }
}
