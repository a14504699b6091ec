import type { Context } from "../rules.ts"
import type { Quote } from "../said.ts"
import type { Utterance, Word } from "../words.ts"
import { lackOfDecision } from "./decisions.ts"
import { lacksPolarity, lacksTense } from "./frames.ts"
import { heldOf } from "./held.ts"
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
  return (
    lackOfWords(held) ??
    lackOfNumbers(held) ??
    lackOfNames(held) ??
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
