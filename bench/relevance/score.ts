import * as fs from "node:fs"
import * as path from "node:path"

/** Half of the judgments are held out: the service was tuned only on the others. */
type Half = "tuned" | "held out"

/** The judge's verdict on a query. Meetings are named by the end of their source's address. */
export interface Judgment {
  readonly kind: string
  readonly q: string
  /** One of these must come first; if empty, nothing may be found. */
  readonly best: ReadonlyArray<string>
  /** All of these must be among the first twenty. */
  readonly found?: ReadonlyArray<string>
  /** None of these may be found. */
  readonly not?: ReadonlyArray<string>
  /**
   * The seconds at which the words are spoken, by meeting: the first moment shown must be within three seconds of one.
   */
  readonly at?: Readonly<Record<string, ReadonlyArray<number>>>
  /** The corrected query that must be reported if the query is corrected at all. */
  readonly corrected?: string
  /** Whether it may also be offered beside what the query finds as typed, and then counts as found first. */
  readonly offered?: boolean
  readonly half: Half
}

/** The results: the first twenty meetings and, for each, the seconds of the transcript matches shown. */
export interface Found {
  readonly keys: ReadonlyArray<string>
  readonly moments: ReadonlyArray<ReadonlyArray<number>>
  /** The number of meetings found in all. */
  readonly total: number
  readonly corrected?: string
  /** What the searcher is asked to have meant, beside what was found. */
  readonly offered?: string
}

export interface Score {
  readonly kind: string
  readonly q: string
  readonly half: Half
  /** The rank, from 1, of the first meeting that should come first. */
  readonly rank?: number
  /** Whether everything required was found, nothing forbidden was, and any correction was the right one. */
  readonly isWhole: boolean
  /** Whether the first moment shown is right, if moments are judged. */
  readonly moment?: boolean
}

/** The tolerated distance of a moment from the words, in seconds. */
const tolerance = 3

export const readJudgments = (): ReadonlyArray<Judgment> =>
  fs
    .readFileSync(path.join(import.meta.dirname, "judgments.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

export const kinds = (judgments: ReadonlyArray<Judgment>) => [...new Set(judgments.map(({ kind }) => kind))]

export const scoreOf = (judgment: Judgment, { keys, moments, corrected, offered }: Found): Score => {
  const { kind, q, half, best, found = [], not = [], at } = judgment
  const isOffered = judgment.offered === true && offered?.toLowerCase() === judgment.corrected
  const place = isOffered ? 0 : best.length === 0 && keys.length === 0 ? 0 : keys.findIndex((key) => best.includes(key))
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
 * A Markdown table of success@1, success@5, MRR, whole answers and moments, for each kind and for all, per contender.
 */
export const table = (
  contenders: Readonly<Record<string, ReadonlyArray<Score>>>,
  half: Half,
  kinds: ReadonlyArray<string>
): string => {
  const rows = [...kinds, "all"].flatMap((kind) =>
    Object.entries(contenders).flatMap(([name, all]) => {
      const scores = all.filter((score) => score.half === half && (kind === "all" || score.kind === kind))
      // An earlier version was not asked what was judged later.
      if (scores.length === 0) return []
      const cells = [
        share(scores, ({ rank }) => rank === 1),
        share(scores, ({ rank = 99 }) => rank <= 5),
        meanReciprocal(scores),
        share(scores, ({ isWhole }) => isWhole),
        name === "plain PostgreSQL" || name === "SQLite FTS5"
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
