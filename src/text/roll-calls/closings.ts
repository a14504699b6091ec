import { type Tally, tallyAt } from "./tallies.ts"
import type { Token } from "./tokens.ts"

/** The words at some places; none before the first. */
export const wordsBetween = (tokens: ReadonlyArray<Token>, from: number, to: number): ReadonlyArray<string> =>
  tokens.slice(Math.max(0, from), to).map(({ word }) => word)

/** The first word of the sentence around a place, at most `most` words before it. */
export const sentenceFrom = (tokens: ReadonlyArray<Token>, at: number, most: number): number => {
  let from = at
  while (from > 0 && at - from < most && !tokens[from]?.opens) from--
  return from
}

/** Where members are asked to vote by voice: the place of `all in favor` or `any opposed`. */
export const voiceCallsIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<number> =>
  tokens.flatMap(({ word }, at) => {
    const near = wordsBetween(tokens, at - 4, at)
    const isFavor =
      word === "favor" && tokens[at - 1]?.word === "in" && near.some((one) => /^(?:all|those|everyone)$/u.test(one))
    const isOpposed =
      /^opposed?$/u.test(word) &&
      (near.some((one) => /^(?:any|all|those|anyone)$/u.test(one)) || tokens[at]?.opens === true)
    return isFavor || isOpposed ? [at] : []
  })

/** The most words from a call for votes to what can only be the end of that vote. */
const soon = 24

/** Words that open another vote. */
const reopening = /^(?:moved?|second|seconded|next|roll|withdrawn|added)$/u

/**
 * Whether members were asked to vote just before a place, and nothing else began since: what is said there in a few
 * words tells how the vote went.
 */
export const isJustAsked = (tokens: ReadonlyArray<Token>, calls: ReadonlyArray<number>, at: number): boolean => {
  const call = calls.findLast((one) => one < at)
  return call !== undefined && at - call <= soon && !wordsBetween(tokens, call, at).some((word) => reopening.test(word))
}

/** Where the end of a vote by voice is told in words that mean it only there. */
interface Closing {
  readonly from: number
  /** The place after it. */
  readonly to: number
}

/** How recognizers hear the `ayes` of `the ayes have it`. */
const likeAyes = new Set("as guys eye ice is just aye yes ayes eyes".split(" "))

const unanimous = /^(?:okay|ok|alright|all|right|and|so|its|it|is|was|that|thats|the|vote|we|have|a|aye|no|thank|you)$/u

/** What has happened once a motion has passed. Where something is denied, it may be the motion. */
const done = /^(?:postponed|deferred|granted|tabled|referred|adjourned)$/u
const doneBefore =
  /^(?:okay|ok|alright|all|right|so|and|then|that|thats|this|those|these|it|its|the|item|items|motion|matter|meeting|we|were|are|is|will|be|been|has|have|stand|very|good|thank|you)$/u

/** What tells at a place, right after members were asked, that a vote has passed. */
export const closingAt = (tokens: ReadonlyArray<Token>, at: number): Closing | undefined => {
  const [before = "", word = "", next = ""] = wordsBetween(tokens, at - 1, at + 2)
  if (/^ha(?:ve|s)$/u.test(word) && next === "it" && likeAyes.has(before)) return { from: at - 1, to: at + 2 }
  if (word === "ordered" && before === "so") return { from: at - 1, to: at + 1 }
  const from = sentenceFrom(tokens, at, 8)
  const lead = wordsBetween(tokens, from, at)
  if (word === "unanimous" && lead.every((one) => unanimous.test(one))) return { from, to: at + 1 }
  const isDone = done.test(word) || (/^moves?$/u.test(word) && next === "forward")
  return isDone && lead.every((one) => doneBefore.test(one)) ? { from, to: at + 1 } : undefined
}

/** Votes counted aloud in a sentence of their own: `That's seven to two.` A bare `11-0` may also be an item. */
export const countAlone = (tokens: ReadonlyArray<Token>, at: number): Tally | undefined => {
  const from = sentenceFrom(tokens, at, 4)
  const lead = wordsBetween(tokens, from, at)
  const tally = lead.every((one) => /^(?:okay|ok|so|its|it|thats|that|the|vote|is|was|and|be)$/u.test(one))
    ? tallyAt(tokens, at)
    : undefined
  const [yes = 0, no = 0, ...others] = tally?.said ?? []
  const isSaid = lead.length > 0 || wordsBetween(tokens, at, tally?.to ?? at).includes("to")
  const isEnd = tokens[tally?.to ?? 0]?.opens !== false
  const isSure = others.length === 0 && isSaid && isEnd && yes > 2 * no && yes + no > 2
  return tally !== undefined && isSure ? { ...tally, named: { yes, no } } : undefined
}
