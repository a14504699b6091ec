import { roundSeconds } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { type Announcement, announcementsIn } from "./announcements.ts"
import type { Option } from "./ballots.ts"
import { voiceCallsIn } from "./closings.ts"
import { type Motion, motionBefore } from "./motions.ts"
import { type HeardBallot, type Roll, rollsIn } from "./rolls.ts"
import { type Counts, countsOf, deniesResult, differs, resultOf } from "./sums.ts"
import { showsNames, type Token, tokensOf } from "./tokens.ts"

/** Characters of a segment's text: `from` up to but not including `to`. */
interface SaidAt {
  readonly segment: number
  readonly from: number
  readonly to: number
}

/** A member's vote: the name as it is said, which recognizers misspell. */
interface Ballot {
  readonly name: string
  readonly option: Option
}

/** A vote as it is heard. What is not said is left out. */
export interface SpokenVote extends Motion {
  /** Seconds: the segments in which it is taken and announced. */
  readonly start: number
  readonly end: number
  /** The place of its item in the agenda, by the second at which the item begins. */
  readonly item?: number
  readonly how: "tally" | "roll call" | "voice"
  /** `other`: nobody says whether it carried, and the numbers alone do not tell. */
  readonly result: "passed" | "failed" | "other"
  /** Votes by option; missing where none are counted aloud, not everyone is heard, or sources disagree. */
  readonly counts?: Counts
  /** The numbers as announced, for against first. */
  readonly tally?: ReadonlyArray<number>
  readonly ballots: ReadonlyArray<Ballot>
  /** Whether what is announced and what members answer contradict each other. */
  readonly disagrees: boolean
  readonly quote: ReadonlyArray<SaidAt>
}

/** The most words from the end of a roll, or from `all in favor`, to the result. */
const soon = 45
/** The most words to a roll that repeats a vote by voice. */
const recount = 60

/** The most words to the same result said again. */
const repeated = 40

/** A vote's parts by their places. */
interface Taken {
  readonly from: number
  readonly to: number
  readonly roll: Roll | undefined
  readonly announced: Announcement | undefined
  readonly isAsked: boolean
}

/** Puts together what belongs to one vote: the call for it, the roll and the result. */
const takenIn = (tokens: ReadonlyArray<Token>, hasCapitals: boolean): ReadonlyArray<Taken> => {
  const announcements = announcementsIn(tokens)
  const voices = voiceCallsIn(tokens)
  const rolls = rollsIn(tokens, hasCapitals, [...announcements.map(({ from }) => from), ...voices])
  const taken: Array<Taken> = []
  const used = new Set<Announcement>()
  for (const [at, roll] of rolls.entries()) {
    const until = Math.min(
      rolls[at + 1]?.from ?? Number.POSITIVE_INFINITY,
      roll.to + soon,
      voices.find((voice) => voice > roll.to + 1) ?? Number.POSITIVE_INFINITY
    )
    const after = announcements.filter(({ from }) => from >= roll.to - 1 && from < until)
    const told = after.find(({ result }) => result !== undefined) ?? after[0]
    const tally = told?.tally ?? after.find((one) => one.tally !== undefined)?.tally
    const to = Math.max(roll.to, told?.to ?? 0, tally?.to ?? 0)
    for (const one of announcements) if (one.from >= roll.from && one.from < to) used.add(one)
    const isAsked = voices.some((voice) => voice < roll.from && roll.from - voice < recount)
    // Members are also called to say whom they nominate, or whether they stand.
    const before = tokens.slice(Math.max(0, roll.from - 2 * recount), roll.from)
    const isVote =
      before.some(({ word }) => /^(?:motion|move[sd]?|second|seconded|favor|vote|voting)$/u.test(word)) &&
      !before.some(({ word }) => /^(?:nominat|nominee|candidate|elect)/u.test(word))
    if (told === undefined && !isVote) continue
    taken.push({ from: roll.from, to, roll, announced: told && { ...told, tally }, isAsked })
  }
  for (const [at, announced] of announcements.entries()) {
    if (used.has(announced)) continue
    const before = Math.max(announcements[at - 1]?.to ?? 0, rolls.findLast(({ to }) => to <= announced.from)?.to ?? 0)
    const asked = voices.filter((voice) => voice > before && voice < announced.from && announced.from - voice < soon)
    const last = announcements[at - 1]
    const isSame =
      (announced.result === undefined || last?.result === undefined || announced.result === last.result) &&
      (announced.tally === undefined ||
        last?.tally === undefined ||
        announced.tally.said.join() === last.tally.said.join()) &&
      !tokens
        .slice(before, announced.from)
        .some(({ word }) => /^(?:move[sd]?|second|seconded|next|item|approve|roll|role)$/u.test(word))
    const isRepeat = asked.length === 0 && before > 0 && announced.from - before < repeated && isSame
    // A recount by roll call decides, and not what was heard before it.
    const isRecounted =
      rolls.some(({ from }) => from >= announced.to && from - announced.to < 12) ||
      (announced.result === undefined &&
        tokens.slice(announced.to, announced.to + 12).some(({ word }) => word === "roll"))
    // Numbers of which nobody says what they come to may be corrected, or tell of something else.
    const isOpen = resultOf(announced.result, announced.tally?.named) === "other"
    if (isRepeat || isRecounted || isOpen || (asked.length === 0 && !announced.isPresent)) continue
    const from = Math.min(asked[0] ?? announced.from, announced.from)
    taken.push({ from, to: announced.to, roll: undefined, announced, isAsked: asked.length > 0 })
  }
  return taken.toSorted((a, b) => a.from - b.from)
}

const quoteOf = (tokens: ReadonlyArray<Token>, from: number, to: number): ReadonlyArray<SaidAt> =>
  [...Map.groupBy(tokens.slice(from, to), ({ segment }) => segment)].map(([segment, words]) => ({
    segment,
    from: words[0]?.start ?? 0,
    to: words.at(-1)?.end ?? 0
  }))

const nameOf = (segments: ReadonlyArray<Segment>, tokens: ReadonlyArray<Token>, { from, to }: HeardBallot): string =>
  quoteOf(tokens, from, to)
    .map((part) => segments[part.segment]?.text.slice(part.from, part.to) ?? "")
    .join(" ")

/**
 * Reads the votes out of what was said: how each was taken, its result, its counts and who voted how. It finds fewer
 * rather than wrong ones: what is not certain is left out. `agenda` has the second at which each item begins.
 */
export const spokenVotes = (
  segments: ReadonlyArray<Segment>,
  agenda: ReadonlyArray<{ readonly start?: number }> = []
): ReadonlyArray<SpokenVote> => {
  const tokens = tokensOf(segments)
  const hasCapitals = showsNames(tokens)
  const taken = takenIn(tokens, hasCapitals)
  return taken.map((vote, at): SpokenVote => {
    const { from, to, roll, announced } = vote
    const [first, last] = [segments[tokens[from]?.segment ?? 0], segments[tokens[to - 1]?.segment ?? 0]]
    const start = first?.start ?? 0
    const ballots = (roll?.ballots ?? []).map((ballot) => ({
      name: nameOf(segments, tokens, ballot),
      option: ballot.answer
    }))
    const isWhole = roll?.isWhole ?? false
    const isReversed = deniesResult(ballots, isWhole, announced)
    const disagrees = isReversed || differs(ballots, isWhole, announced)
    const counts = disagrees ? undefined : countsOf(ballots, isWhole, announced)
    const item = itemAt(agenda, start)
    return {
      start: roundSeconds(start),
      end: roundSeconds(last?.end ?? start),
      ...(item === undefined ? {} : { item }),
      ...motionBefore(segments, tokens, taken[at - 1]?.to ?? 0, vote, hasCapitals),
      how: roll !== undefined ? "roll call" : announced?.tally !== undefined ? "tally" : "voice",
      result: isReversed ? "other" : resultOf(announced?.result, counts),
      ...(counts === undefined ? {} : { counts }),
      ...(announced?.tally === undefined ? {} : { tally: announced.tally.said }),
      ballots,
      disagrees,
      quote: quoteOf(tokens, from, to)
    }
  })
}

/** The item during which something is said: the one that begins last before it. */
export const itemAt = (agenda: ReadonlyArray<{ readonly start?: number }>, second: number): number | undefined => {
  let best: number | undefined
  for (const [at, { start }] of agenda.entries()) {
    if (start !== undefined && start <= second && start >= (agenda[best ?? -1]?.start ?? 0)) best = at
  }
  return best
}
