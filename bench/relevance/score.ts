import * as fs from "node:fs"
import * as path from "node:path"

/** Half of the judgments are set aside: the service was tuned on the others alone. */
type Half = "tuned" | "held out"

/** What a judge says about a query. Meetings are named by the end of their source's address. */
export interface Judgment {
  readonly kind: string
  readonly q: string
  /** One of these must come first; if there are none, nothing may be found. */
  readonly best: ReadonlyArray<string>
  /** All of these must be among the first twenty. */
  readonly found?: ReadonlyArray<string>
  /** None of these may be found. */
  readonly not?: ReadonlyArray<string>
  /**
   * The seconds at which it is said, by meeting: the first moment shown must be within three seconds of one of them.
   */
  readonly at?: Readonly<Record<string, ReadonlyArray<number>>>
  /** What must be said to have been searched for, if it was anything else than the query. */
  readonly corrected?: string
  readonly half: Half
}

/** What was found: the first twenty meetings and, for each, the seconds shown of what was said. */
export interface Found {
  readonly keys: ReadonlyArray<string>
  readonly moments: ReadonlyArray<ReadonlyArray<number>>
  /** How many meetings were found in all. */
  readonly total: number
  readonly corrected?: string
}

export interface Score {
  readonly kind: string
  readonly q: string
  readonly half: Half
  /** The place of the first meeting that should be first, from 1. */
  readonly rank?: number
  /** Whether all that must be found was, nothing that must not be, and nothing was corrected but as it should. */
  readonly isWhole: boolean
  /** Whether the first moment shown is right, where moments are judged. */
  readonly moment?: boolean
}

/** How far a moment may be from the words, in seconds. */
const tolerance = 3

export const readJudgments = (): ReadonlyArray<Judgment> =>
  fs
    .readFileSync(path.join(import.meta.dirname, "judgments.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

export const kinds = (judgments: ReadonlyArray<Judgment>) => [...new Set(judgments.map(({ kind }) => kind))]

export const scoreOf = (judgment: Judgment, { keys, moments, corrected }: Found): Score => {
  const { kind, q, half, best, found = [], not = [], at } = judgment
  const place = best.length === 0 && keys.length === 0 ? 0 : keys.findIndex((key) => best.includes(key))
  const isRight = Object.entries(at ?? {}).map(([key, seconds]) => {
    const [shown] = moments[keys.indexOf(key)] ?? []
    return shown !== undefined && seconds.some((second) => Math.abs(second - shown) <= tolerance)
  })
  return {
    kind,
    q,
    half,
    ...(place === -1 ? {} : { rank: place + 1 }),
    isWhole:
      found.every((key) => keys.includes(key)) &&
      !not.some((key) => keys.includes(key)) &&
      (corrected === undefined || corrected.toLowerCase() === judgment.corrected),
    ...(at === undefined ? {} : { moment: isRight.every((right) => right) })
  }
}

const share = (scores: ReadonlyArray<Score>, is: (score: Score) => boolean): string =>
  scores.length === 0 ? "–" : `${scores.filter(is).length}/${scores.length}`

const meanReciprocal = (scores: ReadonlyArray<Score>): string =>
  (scores.reduce((sum, { rank }) => sum + (rank === undefined ? 0 : 1 / rank), 0) / scores.length).toFixed(2)

/**
 * A Markdown table: for each kind, then for all, success@1, success@5, MRR, whole answers and moments of each
 * contender.
 */
export const table = (
  contenders: Readonly<Record<string, ReadonlyArray<Score>>>,
  half: Half,
  kinds: ReadonlyArray<string>
): string => {
  const rows = [...kinds, "all"].flatMap((kind) =>
    Object.entries(contenders).map(([name, all]) => {
      const scores = all.filter((score) => score.half === half && (kind === "all" || score.kind === kind))
      const cells = [
        share(scores, ({ rank }) => rank === 1),
        share(scores, ({ rank = 99 }) => rank <= 5),
        meanReciprocal(scores),
        share(scores, ({ isWhole }) => isWhole),
        name === "plain PostgreSQL"
          ? "–"
          : share(
              scores.filter(({ moment }) => moment !== undefined),
              ({ moment }) => moment === true
            )
      ]
      return `| ${kind} | ${name} | ${cells.join(" | ")} |`
    })
  )
  return [
    "| kind | contender | success@1 | success@5 | MRR | whole | moments |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows
  ].join("\n")
}
