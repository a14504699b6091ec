import { Effect, Schema } from "effect"
import { CloudModel, CloudModelUnavailable, type ObjectRequest } from "../../layers/cloud-model/cloud-model.ts"
import { asData } from "../../layers/cloud-model/data-envelope.ts"
import { quoted } from "../../src/text/verify/quotes.ts"
import { type Quote, quotesOf, saidIn } from "../../src/text/verify/said.ts"
import { contentOf, sentencesOf, shareIn, wordsOf } from "../../src/text/verify/words.ts"
import type { Claim } from "./claims.ts"

/** What a judge says of a claim. */
interface Answer {
  readonly verdict: Claim["verdict"]
  readonly quotes: ReadonlyArray<Quote>
}

const whole = ({ evidence }: Claim, utterance: number): Answer => ({
  verdict: "supported",
  quotes: [{ utterance, from: 0, to: evidence[utterance]?.text.length ?? 0 }]
})

/** A place of 0 to `below`, always the same for the same text. */
const placeOf = (text: string, below: number): number =>
  [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003, 7) % below

/** The two sentences of the evidence that share most words with the claim. */
const likest = ({ text, evidence }: Claim): Answer => {
  const wanted = contentOf(wordsOf(text))
  const quotes = saidIn(evidence)
    .flatMap(({ words }) => sentencesOf(words))
    .toSorted((one, other) => shareIn(wanted, contentOf(other)) - shareIn(wanted, contentOf(one)))
    .slice(0, 2)
    .flatMap(quotesOf)
  return { verdict: "supported", quotes }
}

/**
 * Judges by name: three who believe everything, one who believes everything but the altered twin of a claim, and one
 * whose answers were made by hand.
 */
const answers = {
  first: (claim: Claim) => whole(claim, 0),
  random: (claim: Claim) => whole(claim, placeOf(claim.text, claim.evidence.length)),
  likest,
  wary: likest,
  careful: ({ verdict, quotes }: Claim): Answer => ({ verdict, quotes })
}

/** What a judge answers about a twin if it can tell it from the claim. */
const ofTwin: Answer = { verdict: "unsupported", quotes: [] }

export const judges = ["first", "random", "likest", "wary", "careful"] as const
/** Who judges what code leaves open. */
export type Judge = "nobody" | (typeof judges)[number]

/** The judge as the checking model of one claim, whose answer is decoded as that of a real one. */
export const modelOf = (judge: Judge, claim: Claim): CloudModel["Service"] | undefined => {
  if (judge === "nobody") return undefined
  const answerTo = (prompt: string) => {
    const knowsTwin = (judge === "careful" || judge === "wary") && !prompt.includes(`\n${asData(claim.text)}\n`)
    const { verdict, quotes } = knowsTwin ? ofTwin : answers[judge](claim)
    return {
      verdict,
      quotes: quotes.map((quote) => ({ passage: quote.utterance + 1, words: quoted(claim.evidence, quote) }))
    }
  }
  return CloudModel.of({
    isConfigured: true,
    name: judge,
    place: judge,
    generateObject: <A, E extends Record<string, unknown>>({ schema, prompt }: ObjectRequest<A, E>) =>
      Schema.decodeUnknownEffect(schema)(answerTo(prompt)).pipe(
        Effect.map((value) => ({ value, usage: { inputTokens: 0, outputTokens: 0 }, model: judge })),
        Effect.mapError(() => new CloudModelUnavailable({ reason: "bad_answer" }))
      )
  })
}
