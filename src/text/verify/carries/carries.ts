import type { Context } from "../rules.ts"
import type { Quote } from "../said.ts"
import { runIn, type Utterance, type Word } from "../words.ts"
import { lackOfDecision } from "./decisions.ts"
import { frameAt, lacksPolarity, lacksTense } from "./frames.ts"
import { type Held, heldOf } from "./held.ts"
import { lackOfNames } from "./names-carried.ts"
import { lackOfNumbers } from "./numbers-carried.ts"
import { saysOpposite } from "./poles.ts"
import { lackOfWords } from "./words-carried.ts"

/** What of a claim is not in the words that were quoted for it. */
export type Shortfall =
  | "no evidence"
  | "words"
  | "number"
  | "unit"
  | "swapped numbers"
  | "name"
  | "role"
  | "swapped names"
  | "vote"
  | "verb"
  | "opposite"
  | "negation"
  | "tense"

/** The fewest words that say the same wherever they stand. */
const leastVerbatim = 6

/**
 * Whether what a claim says, or has somebody say, was said word for word, and not denied or put off by what is before
 * it.
 */
const isVerbatim = ({ claim, near }: Held): boolean => {
  const saying = claim.slice(0, 6).findIndex(({ word }) => /^(?:said|says)$/u.test(word))
  const run = claim.slice(saying + 1)
  const [from] = (run.length < leastVerbatim ? undefined : runIn(near.words, run)) ?? []
  if (from === undefined) return false
  const { isDenied, isAhead } = frameAt(near.words, from)
  return !isDenied && !isAhead
}

/**
 * What a claim says beyond the words that were quoted for it, whoever quoted them; undefined if they carry it. Like
 * every rule, it compares words and believes none.
 */
export const shortfallOf = (
  claim: ReadonlyArray<Word>,
  evidence: ReadonlyArray<Utterance>,
  quotes: ReadonlyArray<Quote>,
  context?: Context
): Shortfall | undefined => {
  const held = heldOf(claim, evidence, quotes, context)
  if (isVerbatim(held)) return lackOfNames(held)
  return (
    lackOfWords(held) ??
    lackOfNames(held) ??
    lackOfNumbers(held) ??
    lackOfDecision(held) ??
    (saysOpposite(held) ? "opposite" : undefined) ??
    (lacksPolarity(held) ? "negation" : undefined) ??
    (lacksTense(held) ? "tense" : undefined)
  )
}

/** Whether quoted words can bear a claim. */
export const carries = (
  claim: ReadonlyArray<Word>,
  evidence: ReadonlyArray<Utterance>,
  quotes: ReadonlyArray<Quote>,
  context?: Context
): boolean => shortfallOf(claim, evidence, quotes, context) === undefined
