import { MemberRole } from "../../../schema/people.ts"
import { VoteOption } from "../../../schema/vote.ts"

/** What one person says without a break, as written in a script. */
interface Turn {
  readonly speaker: string
  readonly text: string
  readonly label: string | undefined
}

/** A part of a script: the turns under one heading. */
export interface Part {
  readonly title: string
  /** Number of the agenda item that begins here. */
  readonly number: string | undefined
  readonly turns: ReadonlyArray<Turn>
}

/** The lines of a text that are not empty. */
export const writtenLines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** The lines of a table by their fields, separated by `|`; a field that is empty or missing is undefined. */
export const rowsOf = (table: string): ReadonlyArray<ReadonlyArray<string | undefined>> =>
  writtenLines(table).map((line) => line.split(/\s\|(?=\s)/).map((field) => field.trim() || undefined))

/** The second field of each line by its first. */
export const byNumber = (table: string): ReadonlyMap<string, string> =>
  new Map(rowsOf(table).map(([number = "", field = ""]) => [number, field]))

/** A turn: `Name: text`, or `Name #label: text`. */
export const turnForm = /^([^:#]+?)(?: #([\w-]+))?: (.+)$/u

/** Reads a script; a part without a title has the one in `titles`, the agenda's. */
export const readScript = (script: string, titles: ReadonlyMap<string, string>): ReadonlyArray<Part> => {
  const parts: Array<Part & { readonly turns: Array<Turn> }> = []
  for (const line of writtenLines(script)) {
    if (line.startsWith("@")) {
      const [number = "", chapter = ""] = line
        .slice(1)
        .split("|", 2)
        .map((field) => field.trim())
      parts.push({ title: chapter || (titles.get(number) ?? ""), number: number || undefined, turns: [] })
      continue
    }
    const [, speaker = "", label, text = ""] = turnForm.exec(line) ?? []
    parts.at(-1)?.turns.push({ speaker, text, label })
  }
  return parts
}

/** Somebody with a seat on a body, by the name that votes have. */
export interface WrittenMember {
  readonly key: string
  readonly name: string
  readonly role: MemberRole
  readonly label: string
}

/** `Name | whole name | role | title` */
export const memberForm = new RegExp(`^\\S+ \\| [^|]+ \\| (${MemberRole.literals.join("|")}) \\| [^|]+$`, "u")

export const membersIn = (text: string): ReadonlyArray<WrittenMember> =>
  rowsOf(text).flatMap(([key = "", name = "", written = "", label = ""]) => {
    const role = MemberRole.literals.find((one) => one === written)
    return role === undefined ? [] : [{ key, name, role, label }]
  })

interface WrittenVote {
  readonly number: string
  readonly motion: string
  /** `roll`: attendance. */
  readonly result: "pass" | "fail" | "roll"
  readonly ballots: ReadonlyArray<{ readonly key: string; readonly option: VoteOption }>
  /** The label of the turn in which it is announced. */
  readonly label: string | undefined
}

/** `number | motion | pass, fail or roll | yes: Name, Name; no: Name | label` */
export const voteForm = new RegExp(
  `^\\S+ \\| [^|]+ \\| (pass|fail|roll) \\| (${VoteOption.literals.join("|")}): [^|]+( \\| [\\w-]+)?$`,
  "u"
)

export const votesIn = (text: string): ReadonlyArray<WrittenVote> =>
  rowsOf(text).map(([number = "", motion = "", written, ballots = "", label]) => ({
    ...{ number, motion, label, result: written === "fail" || written === "roll" ? written : "pass" },
    ballots: ballots.split(";").flatMap((side) => {
      const [word = "", names = ""] = side.split(":").map((part) => part.trim())
      const option = VoteOption.literals.find((one) => one === word)
      return option === undefined ? [] : names.split(",").map((name) => ({ key: name.trim(), option }))
    })
  }))
