import { isLone } from "./features.ts"
import type { TokenSpan } from "./homes.ts"
import { nearbyOf } from "./nearby.ts"
import { readWith } from "./reader.ts"
import type { Tokens } from "./tokens.ts"
import weighed from "./weights.json" with { type: "json" }

/** Numbers of four bytes each, the least first. */
export const floats = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, "base64")
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
}

const modelOf = () => ({
  weights: new Map(Object.entries(weighed.weights)),
  read: readWith({
    marks: floats(weighed.marks),
    offset: floats(weighed.offset),
    directions: weighed.directions.map(({ ofWord, ofState, wordOffset, stateOffset }) => ({
      ofWord: floats(ofWord),
      ofState: floats(ofState),
      wordOffset: floats(wordOffset),
      stateOffset: floats(stateOffset)
    })),
    hidden: floats(weighed.hidden),
    hiddenOffset: floats(weighed.hiddenOffset),
    output: floats(weighed.output)
  })
})
/** Made when the first candidate is judged: most processes judge none. */
let made: ReturnType<typeof modelOf> | undefined

/**
 * Where nothing is said around it, an address goes at a probability of 0.35, because one that is left harms more than
 * one that is taken; in a meeting at a half. Whoever speaks for a client or an office most likely gives its address,
 * which goes at 0.75 (bench/redaction/fit.ts).
 */
const leaning = Math.log(0.65 / 0.35)

/** Reading changed no judgment of the sets held out and blind where the features sum up to less or more than this. */
const [surelyNot, surely] = [-3, 5]

/** Whether the features of an address, a phone or a mail address and the words nearby weigh more for a private one. */
export const weighsAsPrivate = (features: ReadonlySet<string>, span: TokenSpan, tokens: Tokens): boolean => {
  made ??= modelOf()
  const { weights, read } = made
  let sum = weighed.bias + (isLone(tokens) && !features.has("isOffice") ? leaning : 0)
  for (const feature of features) sum += weights.get(feature) ?? 0
  if (sum < surelyNot || sum > surely) return sum > 0
  return sum + read(nearbyOf(tokens, span)) > 0
}
