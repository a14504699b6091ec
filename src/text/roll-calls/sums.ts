import type { Announcement } from "./announcements.ts"
import type { Option } from "./ballots.ts"

export type Counts = Readonly<Partial<Record<Option, number>>>

type Ballots = ReadonlyArray<{ readonly option: Option }>

const count = (ballots: Ballots, option: Option): number => ballots.filter((one) => one.option === option).length

/**
 * The votes for and against as announced; undefined if the numbers can be read either way, as in `fails six to five`.
 * Some chairs say the votes against first where a motion fails.
 */
const announcedCounts = (announced: Announcement | undefined): Counts | undefined => {
  const [yes, no, ...others] = announced?.tally?.said ?? []
  if (announced?.tally === undefined || yes === undefined || no === undefined) return undefined
  if (announced.tally.named !== undefined) return announced.tally.named
  const isPlain = announced.result === "failed" ? yes <= no : yes > no
  // A third number counts abstentions for some and absences for others.
  return isPlain && others.every((other) => other === 0) ? { yes, no } : undefined
}

/** Whether the numbers that are announced cannot be those of the members' answers. */
export const differs = (ballots: Ballots, isWhole: boolean, announced: Announcement | undefined): boolean => {
  const tally = announced?.tally
  if (tally === undefined || ballots.length === 0) return false
  const [yes, no] = [count(ballots, "yes"), count(ballots, "no")]
  const fits = (ayes = 0, nays = 0) => (isWhole ? yes === ayes && no === nays : yes <= ayes && no <= nays)
  const [first, second] = tally.said
  return tally.named === undefined
    ? !fits(first, second) && !fits(second, first)
    : !fits(tally.named.yes, tally.named.no)
}

/** Whether the result that is announced cannot be that of the votes: nothing passes without a majority. */
export const deniesResult = (ballots: Ballots, isWhole: boolean, announced: Announcement | undefined): boolean => {
  const { yes: ayes = 0, no: nays = 0 } = announced?.tally?.named ?? {}
  if (announced?.result === "passed" && nays > 0 && nays >= ayes) return true
  const [yes, no] = [count(ballots, "yes"), count(ballots, "no")]
  return isWhole && ((announced?.result === "passed" && yes <= no) || (announced?.result === "failed" && yes > 2 * no))
}

/** The counts that are sure: of a roll that is heard whole, or as announced. */
export const countsOf = (
  ballots: Ballots,
  isWhole: boolean,
  announced: Announcement | undefined
): Counts | undefined => {
  if (!isWhole) return announcedCounts(announced)
  const options = [...new Set(ballots.map(({ option }) => option))]
  return Object.fromEntries([["yes", 0], ["no", 0], ...options.map((option) => [option, count(ballots, option)])])
}

/**
 * The result as announced or, if nobody says it, what any rule would make of the counts: some need two thirds, and none
 * passes what has no majority.
 */
export const resultOf = (
  announced: "passed" | "failed" | undefined,
  counts: Counts | undefined
): "passed" | "failed" | "other" => {
  if (announced !== undefined) return announced
  const { yes, no } = counts ?? {}
  if (yes === undefined || no === undefined) return "other"
  return yes > 2 * no ? "passed" : yes <= no ? "failed" : "other"
}
