import { shorten, tidy } from "../../record/formats/text.ts"
import type { ItemVote } from "./calendar.ts"

const labels =
  /^(yeas?|yes|ayes?|nays?|no|noes|abstain(?:ed|ing)?|absent|not present(?: at vote)?|recused?|excused)\s*:\s*(.*)$/i

/** The labels that mean what another says; the rest are known by themselves. */
const words: ReadonlyArray<readonly [RegExp, string]> = [
  [/^yeas$/i, "yea"],
  [/^noes$/i, "no"],
  [/^abstaining$/i, "abstain"],
  [/^not present/i, "absent"],
  [/^recuse$/i, "recused"]
]

/** The names of a list: a title after the name ("Robyn Lady - Chair") is none, and neither is ", Jr.". */
const namesIn = (list: string): ReadonlyArray<string> =>
  list
    .split(/,(?!\s*(?:Jr|Sr|I{2,3}|IV|Ph\.?D|Ed\.?D|M\.?D|Esq)\b)/i)
    .map((name) => tidy(name).replace(/\s+[-–]\s+.*$/, ""))
    .filter((name) => name !== "" && name.length <= 100 && !/^(?:none|n\/a)$/i.test(name))

/** What a motion says of itself, and what an agenda says came of it. */
export type Motion = Omit<ItemVote, "item"> & { readonly outcome: string | undefined }

/**
 * A motion as BoardDocs prints it, a line for each part: the motion, "Motion by X, second by Y.", "Final Resolution:
 * Motion Carries", and the names behind "Yes:", "No:" and the like.
 */
export const motionIn = (text: string): Motion => {
  const lines = text.split("\n").map(tidy)
  const wording = lines
    .slice(
      0,
      lines.findIndex((line) => /^(?:motion by|final resolution:)/i.test(line))
    )
    .filter((line) => line !== "" && !labels.test(line))
    .join(" ")
    .replace(/^motion(?: & voting)?\s*:?\s+(?=\S)/i, "")
  const by = lines.map((line) => /^motion by (.+?)(?:, second(?:ed)? by (.+?))?\.?$/i.exec(line)).find(Boolean)
  const [, resolution = ""] = lines.map((line) => /^final resolution:\s*(.+)$/i.exec(line)).find(Boolean) ?? []
  const ballots = lines.flatMap((line) => {
    const [, label = "", list = ""] = labels.exec(line) ?? []
    const word = words.find(([written]) => written.test(label))?.[1] ?? label
    return namesIn(list).map((name) => ({ name, word }))
  })
  const of = (side: RegExp) => ballots.filter(({ word }) => side.test(word)).length
  const count = `${of(/^(?:y|aye)/i)}:${of(/^n/i)}`
  const passed = /\b(?:carrie[sd]|pass(?:es|ed)|approved|adopted)\b/i.test(resolution)
  const failed = /\b(?:fail(?:s|ed)|defeated|rejected|denied)\b/i.test(resolution)
  const [mover, seconder] = [namesIn(by?.[1] ?? "")[0], namesIn(by?.[2] ?? "")[0]]
  return {
    ...(wording === "" ? {} : { motion: shorten(wording, 1000) }),
    ...(resolution === "" ? {} : { result: passed ? "pass" : failed ? "fail" : "other" }),
    ...(mover === undefined ? {} : { moved_by: mover }),
    ...(seconder === undefined ? {} : { seconded_by: seconder }),
    ballots,
    outcome: resolution === "" ? undefined : count === "0:0" ? resolution : `${resolution} (${count})`
  }
}
