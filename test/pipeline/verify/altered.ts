import { Effect, Schema } from "effect"
import { BundleTranscript } from "../../../schema/bundle.ts"
import { sampleEntities } from "../../../src/record/sample/sample.ts"
import type { Utterance } from "../../../src/text/verify/words.ts"
import type { Line } from "../../support/real-transcripts.ts"

export const kinds = ["number", "name", "negation", "vote", "speaker"] as const
type Kind = (typeof kinds)[number]

/** A claim about somebody's words, as spoken or altered by one rule, with the evidence that it cites. */
export interface Altered {
  readonly claim: string
  readonly evidence: ReadonlyArray<Utterance>
  readonly kind: Kind | "as said"
}

/** Numbers from 0 to below 1, reproducible by seed (mulberry32). */
export const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const isTranscript = Schema.is(BundleTranscript)

type Said = ReadonlyArray<Utterance>

/** The refined transcripts of the sample record. */
export const sampleTranscripts: ReadonlyArray<Said> = (await Effect.runPromise(sampleEntities("2026-03-10")))
  .filter(isTranscript)
  .filter(({ version }) => version === "refined")
  .map(({ segments }) => segments)

const speakersOf = (said: Said) => [...new Set(said.flatMap(({ speaker }) => speaker ?? []))]
const names = sampleTranscripts.flatMap(speakersOf)

/** Real transcripts name no speakers; each run of one to four lines is assigned to one of five. */
export const withSpeakers = (transcripts: Iterable<ReadonlyArray<Line>>, seed: number): ReadonlyArray<Said> => {
  const random = seeded(seed)
  return Array.from(transcripts, (lines) => {
    const present = Array.from({ length: 5 }, () => names[Math.floor(random() * names.length)])
    let [speaker, left] = [present[0], 0]
    return lines.map(({ text }) => {
      if (left-- === 0) {
        speaker = present[Math.floor(random() * present.length)]
        left = Math.floor(random() * 4)
      }
      return { text, speaker }
    })
  })
}

const wordFor: Readonly<Record<string, string>> = {
  two: "nine",
  three: "eleven",
  four: "twelve",
  five: "sixteen",
  six: "thirteen",
  seven: "two",
  eight: "three",
  nine: "four",
  ten: "forty",
  twelve: "thirty",
  twenty: "ninety",
  thirty: "eighty",
  forty: "seventy"
}

/** Each rule alters a sentence, or leaves it alone if nothing in it can be altered: then the claim is not used. */
const rules: Readonly<Record<Exclude<Kind, "vote" | "speaker">, (text: string, other: string) => string>> = {
  number: (text) =>
    /\d/u.test(text)
      ? text.replace(/\d+/u, (digits) => String(Number(digits) * 3 + 17))
      : text.replace(
          /\b(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty)\b/u,
          (word) => wordFor[word] ?? word
        ),
  name: (text, other) =>
    text.replace(
      /(?<=[a-z,] )(?:Ms\.|Mr\.|Dr\.|Miss|Commissioner|Council(?:man|woman|member)|Member|Mayor|Chief|Director) [A-Z][a-z]+/u,
      (named) => named.replace(/\S+$/u, other)
    ),
  negation: (text) =>
    / not /u.test(text)
      ? text.replace(" not ", " ")
      : text.replace(/\b(is|are|was|were|will|can|should|would|has|have)\b(?! not|n|['’])/u, "$1 not")
}

const clerk = "Clerk"

/** A vote in the words of a chair, for transcripts with few votes. */
const voteBy = (random: () => number) => {
  const ayes = 4 + Math.floor(random() * 3)
  const nays = Math.floor(random() * 3)
  return { ayes, nays, text: `All in favor? The motion carries ${ayes} to ${nays}.` }
}

const outcome =
  /\b(motion|item|resolution|ordinance) (carries|carried|passes|passed|fails|failed)\b(?: (\d+)[- ](?:to )?(\d+))?/iu

/** The other outcome of a vote, and if it has a tally, another tally. */
const otherOutcome = (text: string): string =>
  text.replace(outcome, (_, what: string, how: string, ayes?: string, nays?: string) =>
    ayes === undefined || nays === undefined
      ? `${what} ${/^fail/iu.test(how) ? "passes" : "fails"}`
      : `${what} ${how} ${Number(ayes) - 2}-${Number(nays) + 2}`
  )

/** A sentence of a transcript; a run of more words than this is not a sentence. */
const mostWords = 60

/** So many claims, half of them altered, the kinds in turn. */
export const alteredClaims = (
  transcripts: ReadonlyArray<Said>,
  count: number,
  seed: number
): ReadonlyArray<Altered> => {
  const random = seeded(seed)
  const pick = <A>(list: ReadonlyArray<A>): A | undefined => list[Math.floor(random() * list.length)]
  const votes = transcripts.flatMap((said) =>
    said.flatMap(({ text }, at) => (outcome.test(text) ? [{ said, at }] : []))
  )
  const made: Array<Altered> = []
  for (let tries = 0; made.length < count && tries < 500_000; tries++) {
    const kind = made.length % 2 === 0 ? "as said" : (kinds[((made.length - 1) / 2) % kinds.length] ?? "number")
    const said = pick(transcripts) ?? []
    const of = { said, at: Math.floor(random() * said.length), ...(kind === "vote" && random() < 0.5 && pick(votes)) }
    const segment = of.said[of.at]
    const length = segment?.text.split(" ").length ?? 0
    if (segment?.speaker === undefined || length > mostWords) continue
    const evidence = of.said.slice(Math.max(0, of.at - 1), of.at + 2).map(({ text, speaker }) => ({ text, speaker }))
    if (kind === "vote" && outcome.test(segment.text)) {
      made.push({ kind, evidence: [segment], claim: otherOutcome(segment.text) })
      continue
    }
    if (length < 8) continue
    if (kind === "vote") {
      const { ayes, nays, text } = voteBy(random)
      evidence.push({ text, speaker: clerk })
      made.push({ kind, evidence, claim: `The motion carried ${ayes - 1}-${nays + 1}.` })
      continue
    }
    const { speaker, text } = segment
    const others = speakersOf(of.said).filter((name) => name.split(" ").at(-1) !== speaker.split(" ").at(-1))
    const other = kind === "speaker" ? pick(others) : speaker
    const heard = evidence.map(({ text, speaker }) => `${text} ${speaker}`).join("\n")
    const stranger = pick(names.filter((name) => !heard.includes(name.split(" ").at(-1) ?? name)))
    if (other === undefined || stranger === undefined) continue
    const altered =
      kind === "as said" || kind === "speaker" ? text : rules[kind](text, stranger.split(" ").at(-1) ?? stranger)
    if (kind !== "as said" && kind !== "speaker" && altered === text) continue
    made.push({ kind, evidence, claim: `${other} said: ${altered}` })
  }
  return made
}
