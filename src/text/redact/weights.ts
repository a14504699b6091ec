import type { TokenSpan } from "./homes.ts"
import { answersOf, inputOf, nearbyOf, responsesTo } from "./nearby.ts"
import type { Tokens } from "./tokens.ts"
import weighed from "./weights.json" with { type: "json" }

const floats = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, "base64")
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
}

const modelOf = () => ({
  weights: new Map(Object.entries(weighed.weights)),
  filters: floats(weighed.filters),
  offsets: floats(weighed.offsets),
  answers: floats(weighed.answers)
})
/** Made when the first candidate is judged: most processes judge none. */
let made: ReturnType<typeof modelOf> | undefined

/** The most words whose responses are remembered: 1.5 KB each. */
const mostKnown = 4000
const known = new Map<string, Float32Array>()

const responsesToWord = (word: string, filters: Float32Array): Float32Array => {
  const before = known.get(word)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const responses = responsesTo(inputOf(word), filters)
  known.set(word, responses)
  return responses
}

/** Whether the features of an address, a phone or a mail address and the words nearby weigh more for a private one. */
export const weighsAsPrivate = (features: ReadonlySet<string>, span: TokenSpan, tokens: Tokens): boolean => {
  made ??= modelOf()
  const { weights, filters, offsets, answers } = made
  let sum = weighed.bias
  for (const feature of features) sum += weights.get(feature) ?? 0
  const responses = nearbyOf(tokens, span).map((word) =>
    word === undefined ? undefined : responsesToWord(word, filters)
  )
  answersOf(responses, offsets).most.forEach((most, at) => {
    sum += most * (answers[at] ?? 0)
  })
  return sum > 0
}
