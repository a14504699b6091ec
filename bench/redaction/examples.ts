import type { Segment } from "../../schema/transcript.ts"
import { marks } from "../../src/text/redact/marks.ts"
import { type Nearby, nearbyOf, wordOf } from "../../src/text/redact/nearby.ts"
import { removalsIn } from "../../src/text/redact/redact.ts"
import { type Tokens, tokensIn } from "../../src/text/redact/tokens.ts"
import { unpack } from "../real-captions.ts"
import { linesIn } from "./lines.ts"
import { type Range, rangesIn } from "./phrases.ts"

/** What the rules saw of one candidate, the words nearby, and whether it is private. */
interface Example {
  readonly features: ReadonlyArray<string>
  readonly nearby: Nearby
  readonly isPrivate: boolean
  readonly weight: number
}

/** A text's words as `wordOf` writes them: each private (1) or not (0). */
interface Text {
  readonly words: ReadonlyArray<string>
  readonly tags: ReadonlyArray<number>
  readonly weight: number
}

interface Examples {
  readonly candidates: ReadonlyArray<Example>
  readonly texts: ReadonlyArray<Text>
}

/** A street without a number tells little of a home, and is said in most meetings: what stays of them counts twice. */
const weighed = (example: Example): Example =>
  !example.isPrivate && (example.features.includes("form:bare") || example.features.includes("form:typed"))
    ? { ...example, weight: 2 * example.weight }
    : example

/** The lines of phrasings that the tests hold the rules to. */
const tested = ["phrases.txt", "held-out.txt", "held-out-2.txt", "held-out-3.txt"]

const upper = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> =>
  segments.map((segment) => ({ ...segment, text: segment.text.toUpperCase() }))

const tokensFor = (segments: ReadonlyArray<Segment>): Tokens => tokensIn(segments.map(({ text }) => text))

const isIn =
  (ranges: ReadonlyArray<Range>) =>
  ({ segment, start, end }: Tokens[number]): boolean =>
    ranges.some((range) => range.segment === segment && start < range.to && range.from < end)

/** Every candidate in these segments: its features, and whether it touches one of the ranges. */
const candidatesIn = (
  segments: ReadonlyArray<Segment>,
  ranges: ReadonlyArray<Range>,
  isRemoved: (touches: boolean, features: ReadonlySet<string>) => boolean
) => {
  const found: Array<Pick<Example, "features" | "nearby"> & { readonly touches: boolean }> = []
  removalsIn(segments, new Set(), (tokens) => ({
    isPrivate: (features, span) => {
      const touches = tokens.slice(span.from, span.to).some(isIn(ranges))
      found.push({ features: [...features], nearby: nearbyOf(tokens, span), touches })
      return isRemoved(touches, features)
    },
    words: () => []
  }))
  return found
}

/** A line once what must go is gone: nothing else of it may go then. */
const withoutMarked = (line: string): ReadonlyArray<string> =>
  line.includes("[[") ? [line.replaceAll(/\[\[.*?\]\]/gu, marks.home)] : []

const phraseExamples = (lines: ReadonlyArray<string>, weight: number): Examples => {
  const all = lines
    .flatMap((line) => [line, ...withoutMarked(line)])
    .map((line) => {
      const { segments, marked } = rangesIn(line)
      return { said: segments.map((text, at) => ({ start: at * 5, end: at * 5 + 5, text })), marked }
    })
  return {
    candidates: all.flatMap(({ said, marked }) =>
      [said, upper(said)].flatMap((lines) =>
        candidatesIn(lines, marked, (touches) => touches).map(({ touches, features, nearby }) => ({
          features,
          nearby,
          isPrivate: touches,
          weight
        }))
      )
    ),
    texts: all.map(({ said, marked }) => {
      const tokens = tokensFor(said)
      return { words: tokens.map(wordOf), tags: tokens.map((token) => Number(isIn(marked)(token))), weight }
    })
  }
}

const phrasesIn = (file: string, weight: number): Examples =>
  phraseExamples(
    linesIn(file).map((line) => line.split("\t")[1] ?? ""),
    weight
  )

/** What the rules alone would remove, so that the examples of a caption follow what is removed before them. */
const isRuled = (features: ReadonlySet<string>): boolean =>
  [...features].some((feature) => /^(?:email )?rule:(?!undefined)|own:true/u.test(feature))

/** How many lines before and after a candidate are read. */
const [before, after] = [40, 25]

const captionExamples = (data: string, file: string, weight: number): ReadonlyArray<Example> => {
  const captions = unpack(data)
  const known = new Map<string, ReadonlyArray<Segment>>()
  const examples = linesIn(file).flatMap((line) => {
    const [meeting = "", , cue = "", at = "", length = "", label = ""] = line.split("\t")
    if (label === "unclear") return []
    const all = known.get(meeting) ?? captions.read(meeting)
    known.set(meeting, all)
    const first = Math.max(0, Number(cue) - before)
    const range = { segment: Number(cue) - first, from: Number(at), to: Number(at) + Number(length) }
    const lines = all.slice(first, Number(cue) + after)
    return [lines, upper(lines)].flatMap((said) =>
      candidatesIn(said, [range], (_, features) => isRuled(features))
        .filter(({ touches }) => touches)
        .slice(0, 1)
        .map(({ features, nearby }) => ({ features, nearby, isPrivate: label !== "stays", weight }))
    )
  })
  captions.remove()
  return examples
}

/**
 * Every candidate of the sets that the weights are fitted on, as they are and in capitals; and the texts of phrasings,
 * in which all that is private is marked.
 */
export const examplesIn = (data: string): Examples => {
  const phrases = [
    phraseExamples(
      tested.flatMap((file) => linesIn(`../../test/text/redact/${file}`)),
      2
    ),
    phrasesIn("phrases.tsv", 1),
    phrasesIn("phrases-wide.tsv", 0.5),
    phrasesIn("phrases-hard.tsv", 0.25)
  ]
  return {
    candidates: [
      ...phrases.flatMap(({ candidates }) => candidates),
      ...captionExamples(data, "captions.tsv", 2),
      ...captionExamples(data, "captions-read.tsv", 1),
      ...captionExamples(data, "captions-drawn.tsv", 0.25)
    ].map(weighed),
    texts: phrases.flatMap(({ texts }) => texts)
  }
}
