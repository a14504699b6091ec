import type { VoteOption } from "../../../schema/vote.ts"
import type { Line } from "./lines.ts"
import { nameOf, namesIn } from "./names.ts"

/** Whether a member attended, as the minutes have it. */
export interface Attended {
  readonly name: string
  readonly option: Extract<VoteOption, "present" | "absent" | "excused">
  /** `late`, where it says so. */
  readonly note?: "late"
}

const labels: Readonly<Record<string, Attended["option"]>> = {
  present: "present",
  absent: "absent",
  excused: "excused",
  tardy: "present",
  late: "present"
}

const bodies =
  "(?:(?:city |town |village |board |county |school |planning )*(?:council|board|commission(?:ers?)?|committee|trustees?|directors?|supervisors?|members?|council ?members?|aldermen)(?: members?)?)"

/** `Members present: A, B`, `ABSENT: None`, `Present: 6 - A, B`. Lists of staff and of others are not about members. */
const label = new RegExp(
  `^(?:roll call\\s*[:.–-]*\\s*)?(?:(?:the following )?${bodies}\\s+(?:were\\s+|was\\s+)?)?(present|absent|excused|tardy|late)(?:\\s+(?:were|was|members))?\\s*(?::|\\s[-–]\\s|(?=\\d+\\s*[-–])|$)\\s*(.*)$`,
  "iu"
)
const listEnd =
  /:|\b(?:staff|others?|also|guests?|quorum|absent|present|excused|attend|meeting|order|pledge|motion)\b/iu

/** A row of an attendance table: name, title, how, and when somebody came. */
const row = /^(.{3,60}?)\s+(present|absent|excused|late|tardy)(?:\s+(?:at\s+)?(\d{1,2}:\d{2}\s*[ap]\.?m\.?)?)?$/iu

const rolesAtEnd =
  /\s*[,|]?\s+(?:(?:vice|council|board|deputy)[ -]?)?(?:council ?member|council(?:man|woman|or)|mayor(?: pro[ -]tem)?|chair(?:man|woman|person)?|president|trustee|commissioner|supervisor|member|director|alder(?:man|woman|person)|secretary|treasurer)\s*\|?\s*$/iu

/** Lines at the beginning in which attendance is looked for. */
const reach = 120

/** Where another list of people begins in a line. */
const another = /(?<=[.;])\s+(?=(?:absent|excused|tardy|staff|also|others?|members? absent)\b)/iu

/** The attendance of members. One who is listed twice differently is left out. */
export const attendanceIn = (lines: ReadonlyArray<Line>): ReadonlyArray<Attended> => {
  const found: Array<Attended> = []
  // Some have all of it in one line: `PRESENT: A and B. ABSENT: C. STAFF PRESENT: D`.
  const head = lines
    .slice(0, reach)
    .flatMap(({ text, page }) => text.split(another).map((part) => ({ text: part, page })))
  for (const [at, { text }] of head.entries()) {
    const [, word = "", rest = ""] = label.exec(text) ?? []
    const option = labels[word.toLowerCase()]
    if (option !== undefined) {
      const more: Array<string> = []
      for (const next of head.slice(at + 1, at + 20)) {
        const isGoingOn = rest === "" || /[,;&]$|\band$/iu.test(more.at(-1) ?? rest) || nameOf(next.text) !== undefined
        if ((next.text === "" && (rest !== "" || more.length > 0)) || listEnd.test(next.text) || !isGoingOn) break
        if (next.text !== "") more.push(next.text)
      }
      const joined = [rest, ...more].filter((part) => part !== "").join("\n")
      const isLate = /^(?:tardy|late)$/iu.test(word)
      // A wrapped line goes on with its list; a list of one name a line has them apart.
      const { names } = namesIn(joined.replace(/([,;&]|\band)\n/giu, "$1 "))
      found.push(...names.map((name) => ({ name, option, ...(isLate ? { note: "late" as const } : {}) })))
      continue
    }
    const [, written = "", how = "", time] = row.exec(text) ?? []
    const name = nameOf(
      written
        .replace(rolesAtEnd, "")
        .replace(/\s*\|\s*/gu, " ")
        .replace(rolesAtEnd, "")
    )
    const said = labels[how.toLowerCase()]
    if (name === undefined || said === undefined || !name.includes(" ")) continue
    const isLate = /^(?:late|tardy)$/iu.test(how)
    found.push({
      name,
      option: said,
      ...(isLate && time !== undefined ? { note: "late" } : isLate ? { note: "late" } : {})
    })
  }
  const byName = Map.groupBy(found, ({ name }) => name)
  return [...byName.values()].flatMap((own) => {
    const late = own.find(({ note }) => note === "late")
    const isOne = new Set(own.map(({ option }) => option)).size === 1
    return isOne ? [late ?? own[0]].flatMap((one) => (one === undefined ? [] : [one])) : []
  })
}
