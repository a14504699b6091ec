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
 * What is moved in some words: `move to approve`, `motion for approval`. Whoever approves a recommendation may deny
 * what the item is about, so that tells nothing.
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

/** The places of a vote: its first word, and the one after its last. */
interface Places {
  readonly from: number
  readonly to: number
}

/** What the chair or the mover says of the motion between the vote before, which ends at `after`, and this one. */
export const motionBefore = (
  segments: ReadonlyArray<Segment>,
  tokens: ReadonlyArray<Token>,
  after: number,
  vote: Places,
  hasCapitals: boolean
): Motion => {
  const from = Math.max(after, vote.from - reach)
  const places = Array.from({ length: Math.max(0, vote.from - from) }, (_, offset) => from + offset)
  const word = (at: number) => tokens[at]?.word ?? ""
  const whoAt = (at: number): string | undefined => {
    const named = word(at) === "by" ? namedAt(tokens, at + 1, hasCapitals) : undefined
    return named?.isTitled ? textOf(segments, tokens.slice(named.from, named.to)) : undefined
  }
  const isSecond = (at: number) => /^second(?:ed)?$/u.test(word(at - 1))
  const moves = places.filter((at) => /^(?:motion|move|moved|moves)$/u.test(word(at)))
  /** The place after the sentence in which something is moved. */
  const endOf = (move: number): number => {
    let end = move + 1
    while (end < vote.from && end - move <= longest && !tokens[end]?.opens && whoAt(end) === undefined) end++
    return end
  }
  const mover = moves
    .map((move) => endOf(move))
    .findLast((end) => whoAt(end) !== undefined && !isSecond(end) && !tokens[end]?.opens)
  const seconder = places.findLast((at) => isSecond(at) && whoAt(at) !== undefined)
  const put = moves.findLast((move) => word(move + 1) === "to" && !tokens[move + 1]?.opens)
  const end = put === undefined ? 0 : endOf(put)
  const isPut = put !== undefined && end - put <= longest && end > put + 2
  const action = actionIn(tokens, from, vote.to)
  const [movedBy, secondedBy] = [whoAt(mover ?? -1), whoAt(seconder ?? -1)]
  return {
    ...(action === undefined ? {} : { action }),
    ...(isPut ? { motion: textOf(segments, tokens.slice(put + 2, end)) } : {}),
    ...(movedBy === undefined ? {} : { mover: movedBy }),
    ...(secondedBy === undefined ? {} : { seconder: secondedBy })
  }
}
