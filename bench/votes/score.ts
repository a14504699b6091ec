import type { Segment } from "../../schema/transcript.ts"
import { type SpokenVote, spokenVotes } from "../../src/text/roll-calls/roll-calls.ts"

/** A vote as labeled: the second at which its result is told, and what the words say about it. */
interface Label {
  readonly second: number
  /** `?`: nobody says it, or what is said contradicts itself. */
  readonly result: "passed" | "failed" | "?"
  /** `5-2`, or `-` where no counts may be stated. */
  readonly counts: string
  /** A member's initial and `+`, `-`, `~` (abstains) or `0` (absent). */
  readonly ballots: ReadonlyArray<string>
}

/** A stretch of a meeting in which every vote is labeled. */
export interface Stretch {
  readonly meeting: string
  readonly from: number
  readonly to: number
  readonly isHeldOut: boolean
  readonly votes: ReadonlyArray<Label>
}

/** Reads the labels. The stretches below `# held out` are. */
export const stretchesIn = (tsv: string): ReadonlyArray<Stretch> => {
  const stretches: Array<Omit<Stretch, "votes"> & { readonly votes: Array<Label> }> = []
  let isHeldOut = false
  for (const line of tsv.split("\n").filter((one) => one !== "")) {
    if (line.startsWith("#")) {
      isHeldOut ||= line === "# held out"
      continue
    }
    const [meeting = "", second = "", result = "", counts = "", ballots = ""] = line.split("\t")
    if (meeting !== "") {
      stretches.push({ meeting, from: Number(second), to: Number(result), isHeldOut, votes: [] })
    } else {
      stretches.at(-1)?.votes.push({
        second: Number(second),
        result: result === "passed" || result === "failed" ? result : "?",
        counts,
        ballots: ballots === "-" ? [] : ballots.split(" ")
      })
    }
  }
  return stretches
}

/** Statements of one kind: how many there are to find, how many are made, and how many of these are right. */
export interface Tally {
  readonly wanted: number
  readonly made: number
  readonly right: number
}

export interface Score {
  readonly votes: Tally
  readonly results: Tally
  readonly counts: Tally
  readonly ballots: Tally
  readonly errors: ReadonlyArray<string>
}

/** The most seconds between a vote's end and where it is labeled. */
const near = 10

const signs = { yes: "+", no: "-", abstain: "~", absent: "0" } as const

const initialOf = (name: string): string => (/[^\s-]*$/u.exec(name)?.[0] ?? "").slice(0, 1).toUpperCase()

const countsOf = ({ counts }: SpokenVote): string =>
  counts === undefined ? "-" : `${counts.yes ?? 0}-${counts.no ?? 0}`

/** How many of some things are also among others, each counted once. */
const shared = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): number => {
  const left = [...others]
  return some.filter((one) => {
    const at = left.indexOf(one)
    if (at !== -1) left.splice(at, 1)
    return at !== -1
  }).length
}

const sum = (tallies: ReadonlyArray<Tally>): Tally =>
  tallies.reduce((a, b) => ({ wanted: a.wanted + b.wanted, made: a.made + b.made, right: a.right + b.right }), {
    ...{ wanted: 0, made: 0, right: 0 }
  })

/** Compares the votes found in stretches with the labels. */
export const scoreOf = (
  stretches: ReadonlyArray<Stretch>,
  read: (meeting: string) => ReadonlyArray<Segment>
): Score => {
  const known = new Map<string, ReadonlyArray<SpokenVote>>()
  const votesOf = (meeting: string) => {
    const votes = known.get(meeting) ?? spokenVotes(read(meeting))
    known.set(meeting, votes)
    return votes
  }
  const errors: Array<string> = []
  const rows = stretches.flatMap(({ meeting, from, to, votes }) => {
    const left = votesOf(meeting).filter(({ end }) => end >= from && end <= to)
    const pairs = votes.map((label) => {
      const [best] = left
        .filter(
          ({ start, end }) => Math.abs(end - label.second) <= near || (start <= label.second && label.second <= end)
        )
        .toSorted((a, b) => Math.abs(a.end - label.second) - Math.abs(b.end - label.second))
      if (best !== undefined) left.splice(left.indexOf(best), 1)
      return { label, found: best }
    })
    const told = (what: string, second: number) => errors.push(`${meeting} ${second}: ${what}`)
    for (const found of left) told(`no vote, but ${found.how} ${found.result} ${countsOf(found)}`, found.end)
    return [
      ...left.map((found) => ({
        votes: { wanted: 0, made: 1, right: 0 },
        results: { wanted: 0, made: found.result === "other" ? 0 : 1, right: 0 },
        counts: { wanted: 0, made: found.counts === undefined ? 0 : 1, right: 0 },
        ballots: { wanted: 0, made: found.ballots.length, right: 0 }
      })),
      ...pairs.map(({ label, found }) => {
        if (found === undefined) told(`missing ${label.result} ${label.counts}`, label.second)
        const ballots = found?.ballots.map(({ name, option }) => `${initialOf(name)}${signs[option]}`) ?? []
        const isTold = found !== undefined && found.result !== "other"
        const isRight = isTold && label.result === found.result
        const counts = found === undefined ? "-" : countsOf(found)
        if (isTold && !isRight && label.result !== "?") told(`${found.result} is ${label.result}`, label.second)
        if (counts !== label.counts && found !== undefined) told(`counts ${counts}, not ${label.counts}`, label.second)
        const right = shared(ballots, label.ballots)
        if (right < ballots.length) told(`ballots ${ballots.join(" ")}, not ${label.ballots.join(" ")}`, label.second)
        return {
          votes: { wanted: 1, made: found === undefined ? 0 : 1, right: found === undefined ? 0 : 1 },
          results:
            label.result === "?"
              ? { wanted: 0, made: 0, right: 0 }
              : { wanted: 1, made: isTold ? 1 : 0, right: isRight ? 1 : 0 },
          counts: {
            wanted: label.counts === "-" ? 0 : 1,
            made: counts === "-" ? 0 : 1,
            right: counts !== "-" && counts === label.counts ? 1 : 0
          },
          ballots: { wanted: label.ballots.length, made: ballots.length, right }
        }
      })
    ]
  })
  return {
    votes: sum(rows.map(({ votes }) => votes)),
    results: sum(rows.map(({ results }) => results)),
    counts: sum(rows.map(({ counts }) => counts)),
    ballots: sum(rows.map(({ ballots }) => ballots)),
    errors
  }
}

export const precisionOf = ({ made, right }: Tally): number => (made === 0 ? 1 : right / made)
export const recallOf = ({ wanted, right }: Tally): number => (wanted === 0 ? 1 : right / wanted)
