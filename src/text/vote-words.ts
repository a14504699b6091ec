import type { Vote, VoteOption, VoteResult } from "../../schema/vote.ts"

/** How people call each option. */
export const optionWords: Readonly<Record<VoteOption, string>> = {
  yes: "Yes",
  no: "No",
  abstain: "Abstained",
  absent: "Absent",
  excused: "Excused",
  not_voting: "Not voting",
  present: "Present",
  other: "Other"
}

/** Options in the order in which they are shown. */
export const optionOrder = Object.keys(optionWords) as ReadonlyArray<VoteOption>

export const resultWords: Readonly<Record<VoteResult, string>> = { pass: "Passed", fail: "Failed", other: "Other" }

export type Counted = Pick<Vote, "counts">

const numberOf = ({ counts }: Counted, wanted: VoteOption): number =>
  counts.find(({ option }) => option === wanted)?.value ?? 0

/** `5–1`, or `12 present`: the figure of a vote; undefined if nobody's vote is known. */
export const figureOf = (vote: Counted): string | undefined => {
  const [yes, no, present] = [numberOf(vote, "yes"), numberOf(vote, "no"), numberOf(vote, "present")]
  if (yes + no > 0) return `${yes}–${no}`
  return present > 0 ? `${present} present` : undefined
}

/** `5 yes, 1 no, 2 absent` */
export const countsInWords = ({ counts }: Counted): string =>
  counts
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => optionOrder.indexOf(a.option) - optionOrder.indexOf(b.option))
    .map(({ option, value }) => `${value} ${optionWords[option].toLowerCase()}`)
    .join(", ")

/** What came of a vote, in a few words: `passed, 5–1`; undefined if nothing is known. */
export const outcomeOf = ({ result, ...vote }: Counted & { readonly result?: VoteResult | undefined }) => {
  const said = result === undefined || result === "other" ? undefined : resultWords[result].toLowerCase()
  const parts = [said, figureOf(vote)].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(", ")
}
