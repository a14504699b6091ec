import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { CloudModel, type CloudModelUnavailable } from "../../../../layers/cloud-model/cloud-model.ts"
import { asData, dataEnvelope } from "../../../../layers/cloud-model/data-envelope.ts"
import { quoteIn } from "../../../text/verify/quotes.ts"
import type { Judgement } from "../../../text/verify/rules.ts"
import type { Utterance } from "../../../text/verify/words.ts"

/** The version of the prompt: its file's name. A changed prompt is a new file. */
export const promptVersion = "verify-1"

const instructions = fs.readFileSync(path.join(import.meta.dirname, `${promptVersion}.md`), "utf8")

/** The model's answer, in the words of the prompt: a passage is an utterance of the evidence, numbered from 1. */
const Answer = Schema.Struct({
  verdict: Schema.Literals(["supported", "unsupported", "contradicted"]),
  quotes: Schema.Array(
    Schema.Struct({
      passage: Schema.Int.annotate({ description: "The number of the passage." }),
      words: Schema.String.annotate({ description: "Words of that passage, exactly as they stand there." })
    })
  )
})

/** Room for a verdict with a few quotes, and for a model's reasoning. */
const maxOutputTokens = 4000
/** The most characters of evidence that a model reads; a citation is a few sentences. */
const longestEvidence = 24_000

/**
 * The request to the model. The claim and what was said go into the user message as data, between tags with a `nonce`
 * that is unguessable and new for each request.
 */
const promptFor = (claim: string, evidence: ReadonlyArray<Utterance>, nonce: string) => {
  const lines = evidence.map(({ speaker, text }, at) => {
    const who = speaker === undefined ? "" : `${asData(speaker)}: `
    return `[${at + 1}] ${who}${asData(text)}`
  })
  const said = lines.join("\n").slice(0, longestEvidence)
  return {
    system: instructions.replaceAll("NONCE", nonce),
    prompt: dataEnvelope({ claim: asData(claim), evidence: said }, nonce)
  }
}

/**
 * Added for the second and last attempt. It repeats nothing of the first answer, which the transcript may have
 * dictated.
 */
const repair =
  "Your previous answer could not be used: it did not have the form that was asked for, or quoted words that are not in the passages. Quote exactly, and answer again."

/** The answer with its quotes located in the evidence; undefined if one is not there, or if a verdict has none. */
const checked = (
  { verdict, quotes }: typeof Answer.Type,
  evidence: ReadonlyArray<Utterance>
): Judgement | undefined => {
  const found = quotes.map(({ passage, words }) => quoteIn(evidence, passage - 1, words))
  const there = found.filter((quote) => quote !== undefined)
  return there.length < found.length || (verdict !== "unsupported" && there.length === 0)
    ? undefined
    : { verdict, quotes: there }
}

/**
 * Asks the model at most twice: again if its first answer does not decode or quotes words that nobody said. If the
 * second fails too, the verdict is `unknown`. Fails if the model is unavailable.
 */
export const askModel = Effect.fn("Verify.askModel")(function* <E, R>(
  claim: string,
  evidence: ReadonlyArray<Utterance>,
  beforeCall: Effect.Effect<void, E, R>
): Effect.fn.Return<Judgement, CloudModelUnavailable | E, CloudModel | R> {
  const model = yield* CloudModel
  for (const hint of ["", repair]) {
    const { system, prompt } = promptFor(claim, evidence, randomBytes(16).toString("hex"))
    yield* beforeCall
    const answer = yield* model
      .generateObject({
        system: hint === "" ? system : `${system}\n${hint}`,
        prompt,
        schema: Answer,
        name: "verdict",
        maxOutputTokens,
        purpose: "verify"
      })
      .pipe(
        Effect.map(({ value }) => checked(value, evidence)),
        Effect.catchIf(
          ({ reason }) => reason === "bad_answer" || reason === "declined",
          () => Effect.succeed(undefined)
        )
      )
    if (answer !== undefined) return answer
  }
  return { verdict: "unknown", quotes: [] }
})
