import { Schema } from "effect"
import { BundleTranscript } from "../../../schema/bundle.ts"
import type { Segment } from "../../../schema/transcript.ts"
import type { Passage } from "../../../src/pipeline/verify/words.ts"
import { sampleEntities } from "../../../src/record/sample/sample.ts"

export const kinds = ["number", "name", "negation", "vote", "speaker"] as const
export type Kind = (typeof kinds)[number]

/** A claim of what somebody said, as it was said or altered by one rule, with the passages that it cites. */
export interface Altered {
  readonly claim: string
  readonly passages: ReadonlyArray<Passage>
  readonly kind: Kind | "as said"
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const isTranscript = Schema.is(BundleTranscript)

const transcripts = [...sampleEntities("2026-03-10")]
  .filter(isTranscript)
  .filter(({ version }) => version === "refined")
const speakersOf = (segments: ReadonlyArray<Segment>) => [...new Set(segments.flatMap(({ speaker }) => speaker ?? []))]
const names = transcripts.flatMap(({ segments }) => speakersOf(segments))

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

/** Each rule alters a sentence, or leaves it alone where there is nothing to alter: then the claim is not used. */
const rules: Readonly<Record<Exclude<Kind, "vote" | "speaker">, (text: string, other: string) => string>> = {
  number: (text) =>
    /\d/u.test(text)
      ? text.replace(/\d+/u, (digits) => String(Number(digits) * 3 + 17))
      : text.replace(
          /\b(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty)\b/u,
          (word) => wordFor[word] ?? word
        ),
  name: (text, other) =>
    text.replace(/(?<=[a-z,] )(?:Ms\.|Mr\.|Commissioner|Member|Mayor|Chief) [A-Z][a-z]+/u, (named) =>
      named.replace(/\S+$/u, other)
    ),
  negation: (text) =>
    / not /u.test(text)
      ? text.replace(" not ", " ")
      : text.replace(/\b(is|are|was|were|will|can|should|would|has|have)\b(?! not|n|['’])/u, "$1 not")
}

const clerk = "Clerk"

/** A passage of a vote in the words of a chair, for transcripts in which few are. */
const voteBy = (random: () => number) => {
  const ayes = 4 + Math.floor(random() * 3)
  const nays = Math.floor(random() * 3)
  return { ayes, nays, text: `All in favor? The motion carries ${ayes} to ${nays}.` }
}

/** So many claims, half of them altered, the kinds in turn. */
export const alteredClaims = (count: number, seed: number): ReadonlyArray<Altered> => {
  const random = seeded(seed)
  const pick = <A>(list: ReadonlyArray<A>): A | undefined => list[Math.floor(random() * list.length)]
  const made: Array<Altered> = []
  for (let tries = 0; made.length < count && tries < 500_000; tries++) {
    const kind = made.length % 2 === 0 ? "as said" : (kinds[((made.length - 1) / 2) % kinds.length] ?? "number")
    const of = pick(transcripts)
    const at = Math.floor(random() * (of?.segments.length ?? 0))
    const segment = of?.segments[at]
    if (of === undefined || segment?.speaker === undefined || segment.text.split(" ").length < 8) continue
    const cited = of.segments.slice(Math.max(0, at - 1), at + 2)
    const passages = cited.map(({ text, speaker }) => ({ text, speaker }))
    if (kind === "vote") {
      const { ayes, nays, text } = voteBy(random)
      passages.push({ text, speaker: clerk })
      made.push({ kind, passages, claim: `The motion carried ${ayes - 1}-${nays + 1}.` })
      continue
    }
    const { speaker, text } = segment
    const others = speakersOf(of.segments).filter((name) => name.split(" ").at(-1) !== speaker.split(" ").at(-1))
    const other = kind === "speaker" ? pick(others) : speaker
    const stranger = pick(
      names.filter(
        (name) => !cited.some((said) => `${said.text} ${said.speaker}`.includes(name.split(" ").at(-1) ?? name))
      )
    )
    if (other === undefined || stranger === undefined) continue
    const altered =
      kind === "as said" || kind === "speaker" ? text : rules[kind](text, stranger.split(" ").at(-1) ?? stranger)
    if (kind !== "as said" && kind !== "speaker" && altered === text) continue
    made.push({ kind, passages, claim: `${other} said: ${altered}` })
  }
  return made
}
