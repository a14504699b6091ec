import { isLone } from "./features.ts"
import type { IsPrivate } from "./homes.ts"
import { nearbyOf, wordOf } from "./nearby.ts"
import { judgeWith, type Reader, tagWith } from "./reader.ts"
import type { Tokens } from "./tokens.ts"
import weighed from "./weights.json" with { type: "json" }
import { vectorsOf } from "./word-vectors.ts"

/** Numbers of four bytes each, the least first. */
export const floats = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, "base64")
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
}

const readerOf = (network: "judge" | "tagger"): Reader => {
  const { marks, offset, directions, hidden, hiddenOffset, output, bias } = weighed[network]
  return {
    vectorOf: vectorsOf(network),
    marks: floats(marks),
    offset: floats(offset),
    directions: directions.map(({ ofWord, ofState, wordOffset, stateOffset }) => ({
      ofWord: floats(ofWord),
      ofState: floats(ofState),
      wordOffset: floats(wordOffset),
      stateOffset: floats(stateOffset)
    })),
    hidden: floats(hidden),
    hiddenOffset: floats(hiddenOffset),
    output: floats(output),
    bias
  }
}

const modelOf = () => ({
  features: new Map(Object.entries(weighed.features)),
  judge: judgeWith(readerOf("judge")),
  tag: tagWith(readerOf("tagger"))
})
/** Made when the first candidate is judged: most processes judge none. */
let made: ReturnType<typeof modelOf> | undefined

/**
 * In a meeting an address goes at a probability of a half, as does a street without a number. Where nothing is said
 * around an address, it goes at 0.28, because one that is left harms more than one that is taken; and what the reader
 * of all its words makes of it counts, too. Whoever speaks for a client or an office most likely gives its address,
 * which goes at 0.75 (bench/redaction/fit.ts).
 */
const [alone, tagged] = [Math.log(0.72 / 0.28), 0.4]

/** Reading changed no judgment of the sets held out and blind where the features sum up to less or more than this. */
const [surelyNot, surely] = [-3, 5]

/** What is private in a text. */
export interface Judgment {
  /** Whether the features of an address, a phone or a mail address and the words nearby weigh for a private one. */
  readonly isPrivate: IsPrivate
  /** How private each word is, where nothing is said around the text: the logarithm of its odds. Read when asked. */
  readonly words: () => ReadonlyArray<number>
}

/** Judges a text by the weights that were fitted (bench/redaction). */
export const judgedBy = (tokens: Tokens): Judgment => {
  // What is left beside a mark was judged when the mark was made.
  const isAlone = isLone(tokens) && tokens.every(({ word }) => word !== "")
  const model = () => (made ??= modelOf())
  let tags: ReadonlyArray<number> | undefined
  const words = () => (tags ??= isAlone ? model().tag(tokens.map(wordOf)) : [])
  return {
    isPrivate: (features, span) => {
      const { features: weights, judge } = model()
      let sum = 0
      if (isAlone && !features.has("form:typed") && !features.has("form:bare")) {
        sum = tagged * Math.max(...words().slice(span.from, span.to)) + (features.has("isOffice") ? 0 : alone)
      }
      for (const feature of features) sum += weights.get(feature) ?? 0
      return sum < surelyNot || sum > surely ? sum > 0 : sum + judge(nearbyOf(tokens, span)) > 0
    },
    words
  }
}
