import type { MatterRef } from "../../../schema/matter.ts"
import type { Membership } from "../../../schema/people.ts"
import type { Ballot, VoteOrigin, VoteResult } from "../../../schema/vote.ts"
import { type El, el, type Kid, prose, web } from "../../page-tree/tree.ts"
import { type Counted, figureOf, optionOrder, optionWords, resultWords } from "../../text/vote-words.ts"

/** Where a vote is known from, as a note beside it. What the city says itself needs none. */
export const originWords: Readonly<Record<VoteOrigin, string | undefined>> = {
  source: undefined,
  minutes: "From the minutes",
  transcript: "Read from the words",
  import: undefined
}

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
  const options = optionOrder.filter((option) => by.has(option))
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
