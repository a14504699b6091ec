import { type NamingWords, namingWords } from "../names.ts"
import type { Context } from "../rules.ts"
import { type Heard, type Quote, type Said, saidIn } from "../said.ts"
import { type Places, placesIn } from "../senses.ts"
import type { Utterance, Word } from "../words.ts"

/** Words in order, and where each sense of them stands. */
export interface Text {
  readonly words: ReadonlyArray<Heard>
  readonly places: Places
}

/** A claim beside the words that are to carry it. */
export interface Held {
  readonly claim: ReadonlyArray<Word>
  /** The quoted words alone. */
  readonly quoted: Text
  /** The quoted utterances and two on each side: captions cut a sentence into several. */
  readonly near: Text
  /** What is cited, under the same agenda items. */
  readonly cited: Text
  /** Everything that is cited, and what is around it, under the same agenda items. */
  readonly item: Text
  /** The turns of `item`, with their speakers. */
  readonly turns: ReadonlyArray<Said>
  /** The words by which anybody or anything in the whole meeting is named. */
  readonly named: NamingWords
}

/** How many utterances on each side of a quote are read with it. */
const beside = 2

const nobodyNamed = namingWords("")

const textOf = (utterances: ReadonlyArray<Utterance>): Text => {
  const words = saidIn(utterances).flatMap((said) => said.words)
  return { words, places: placesIn(words) }
}

/** `undefined` if nothing is quoted. */
export const heldOf = (
  claim: ReadonlyArray<Word>,
  evidence: ReadonlyArray<Utterance>,
  quotes: ReadonlyArray<Quote>,
  context?: Context
): Held => {
  const items = new Set(quotes.map(({ utterance }) => evidence[utterance]?.item))
  // Where nobody knows when items began, everything may be of one.
  const isSame = ({ item }: Utterance) => item === undefined || items.has(item)
  const around = (context?.around ?? []).filter(isSame)
  const cited = evidence.filter(isSame)
  const isApart = cited.some((one) => !around.some(({ text, start }) => text === one.text && start === one.start))
  const item = isApart ? [...cited, ...around] : around
  const turns = saidIn(item)
  const words = turns.flatMap((said) => said.words)
  return {
    claim,
    quoted: textOf(
      quotes.map(({ utterance, from, to }) => ({ text: evidence[utterance]?.text.slice(from, to) ?? "" }))
    ),
    near: textOf(
      evidence.filter((one, at) => isSame(one) && quotes.some(({ utterance }) => Math.abs(utterance - at) <= beside))
    ),
    cited: textOf(cited),
    item: { words, places: placesIn(words) },
    turns,
    named: context?.names ?? nobodyNamed
  }
}
