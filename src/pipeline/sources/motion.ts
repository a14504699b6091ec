import type { AgendaItemId } from "../../../schema/primitives.ts"
import { shorten, tidy } from "../../record/formats/text.ts"
import type { ItemVote } from "./calendar.ts"

/** What a motion says of itself, and what an agenda says came of it. */
export type Motion = Omit<ItemVote, "item"> & { readonly outcome: string | undefined }

const sides = "yeas?|yes|ayes?|nays?|no|noes|abstain(?:ed|ing)?|absent|away|not present(?: at vote)?|recused?|excused"
const labeled = new RegExp(`^(${sides})\\s*:\\s*(.*)$`, "i")

/** The labels that mean what another says; the rest are known by themselves. */
const words: ReadonlyArray<readonly [RegExp, string]> = [
  [/^yeas$/i, "yea"],
  [/^noes$/i, "no"],
  [/^abstaining$/i, "abstain"],
  [/^(?:not present|away)/i, "absent"],
  [/^recuse$/i, "recused"]
]

/** The names of a list: a title after the name ("Robyn Lady - Chair") is none, and neither is ", Jr.". */
export const namesIn = (list: string): ReadonlyArray<string> =>
  list
    .split(/,(?!\s*(?:Jr|Sr|I{2,3}|IV|Ph\.?D|Ed\.?D|M\.?D|Esq)\b)/i)
    .map((name) => tidy(name).replace(/\s+[-–]\s+.*$/, ""))
    .filter((name) => name !== "" && name.length <= 100 && !/^(?:none|n\/a)$/i.test(name))

/** A label of one side and the names behind it. */
type Side = readonly [label: string, names: ReadonlyArray<string>]

/** The side of a line such as "Ayes: Ilse Moon, Sema Dix"; undefined if it is none. */
export const sideIn = (line: string): Side | undefined => {
  const [, label, list] = labeled.exec(line) ?? []
  return label === undefined || list === undefined ? undefined : [label, namesIn(list)]
}

/** A motion by its wording, what came of it, who made it, and who was on which side. */
export const motionOf = (said: {
  readonly wording?: string
  readonly resolution: string
  readonly mover?: string | undefined
  readonly seconder?: string | undefined
  readonly sides: ReadonlyArray<Side>
}): Motion => {
  const { wording = "", resolution, mover = "", seconder = "" } = said
  const ballots = said.sides.flatMap(([label, names]) => {
    const word = words.find(([written]) => written.test(label))?.[1] ?? label
    return names.filter((name) => name !== "").map((name) => ({ name, word }))
  })
  const of = (side: RegExp) => ballots.filter(({ word }) => side.test(word)).length
  const count = `${of(/^(?:y|aye)/i)}:${of(/^n/i)}`
  const passed = /\b(?:carrie[sd]|pass(?:es|ed)?|approved|adopted)\b/i.test(resolution)
  const failed = /\b(?:fail(?:s|ed)?|defeated|rejected|denied)\b/i.test(resolution)
  return {
    ...(wording === "" ? {} : { motion: shorten(wording, 1000) }),
    ...(resolution === "" ? {} : { result: passed ? "pass" : failed ? "fail" : "other" }),
    ...(mover === "" ? {} : { moved_by: mover }),
    ...(seconder === "" ? {} : { seconded_by: seconder }),
    ballots,
    outcome: resolution === "" ? undefined : count === "0:0" ? resolution : `${resolution} (${count})`
  }
}

/** Motions as votes on an item. */
export const votesBy = (motions: ReadonlyArray<Motion>, item: AgendaItemId): ReadonlyArray<ItemVote> =>
  motions.map(({ outcome: _, ...motion }) => ({ item, ...motion }))
