import type { Membership } from "../../../schema/people.ts"
import type { Ballot, MatterRef, Vote, VoteOption, VoteOrigin, VoteResult } from "../../../schema/vote.ts"
import { type El, el, type Kid, prose, web } from "../../page-tree/tree.ts"

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
const order = Object.keys(optionWords) as ReadonlyArray<VoteOption>

export const resultWords: Readonly<Record<VoteResult, string>> = { pass: "Passed", fail: "Failed", other: "Other" }

/** Where a vote is known from, as a note beside it. What the city says itself needs none. */
export const originWords: Readonly<Record<VoteOrigin, string | undefined>> = {
  source: undefined,
  minutes: "From the minutes",
  transcript: "Read from the words",
  import: undefined
}

type Counted = Pick<Vote, "counts">

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
    .toSorted((a, b) => order.indexOf(a.option) - order.indexOf(b.option))
    .map(({ option, value }) => `${value} ${optionWords[option].toLowerCase()}`)
    .join(", ")

const named = ({ person, name, note }: Ballot): El =>
  el(
    "li",
    {},
    person === undefined ? name : el("a", { href: person.path }, person.name),
    note !== undefined && ` (${note})`
  )

/** Who voted how: a row of seats for the eye, and the names by option. */
export const ballotsShown = (ballots: ReadonlyArray<Ballot>): Kid => {
  if (ballots.length === 0) return false
  const by = Map.groupBy(ballots, ({ option }) => option)
  const options = order.filter((option) => by.has(option))
  return [
    web(
      el(
        "p",
        { class: "seats", "aria-hidden": true },
        options.flatMap((option) => (by.get(option) ?? []).map(() => el("span", { class: `seat ${option}` }, " ")))
      )
    ),
    el(
      "dl",
      { class: "ballots" },
      options.map((option) => [
        el("dt", { class: `option ${option}` }, `${optionWords[option]} (${by.get(option)?.length ?? 0})`),
        el("dd", {}, el("ul", { inline: true }, (by.get(option) ?? []).map(named)))
      ])
    )
  ]
}

export const matterLink = ({ identifier, path }: MatterRef): El => el("a", { class: "file", href: path }, identifier)

/** The office, as written where that says more than its role: `Majority Leader`. */
export const officeOf = ({ role, label }: Pick<Membership, "role" | "label">): string => {
  const roles = {
    member: "Member",
    chair: "Chair",
    vice_chair: "Vice chair",
    mayor: "Mayor",
    clerk: "Clerk",
    staff: "Staff",
    other: "Member"
  }
  if (label === undefined) return roles[role]
  return label === label.toUpperCase() ? label[0] + label.slice(1).toLowerCase() : label
}

/** `5–1`, with what it means in words for who does not see it, and a note of where it is known from. */
export const tally = (vote: Counted & { readonly from: VoteOrigin; readonly result?: VoteResult }): Kid => {
  const figure = figureOf(vote)
  const note = originWords[vote.from]
  return [
    vote.result !== undefined && vote.result !== "other" && [el("strong", {}, resultWords[vote.result]), " "],
    figure !== undefined && el("span", { class: "num" }, figure),
    note !== undefined && [prose(", "), " ", el("span", { class: "note" }, note)]
  ]
}
