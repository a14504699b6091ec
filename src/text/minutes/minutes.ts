import { type Attended, attendanceIn } from "./attendance.ts"
import { itemsIn, linesOf, type MinutesItem } from "./lines.ts"
import { nameOf, namePattern } from "./names.ts"
import { type Outcome, outcomeIn } from "./outcomes.ts"

/** A motion as minutes tell of it. */
export interface MinutesMotion extends Outcome {
  readonly page: number
  /** The heading that it stands under. */
  readonly item?: Pick<MinutesItem, "number" | "title">
  /** What was moved, in the words of the minutes. */
  readonly motion?: string
  readonly moved_by?: string
  readonly seconded_by?: string
}

/** What code reads from minutes. */
export interface Minutes {
  readonly attendance: ReadonlyArray<Attended>
  readonly items: ReadonlyArray<Omit<MinutesItem, "line">>
  readonly motions: ReadonlyArray<MinutesMotion>
}

const one = `(${namePattern})`
const backs = "(?:[Ss]econd(?:ed)?|SECOND(?:ED)?|[Ss]upported|[Ss]upport|2nd)"
const moves = "(?:moved|made a motion|made the motion|motioned|offered a motion|offered the following)"
/** Words of a motion: a period ends them, unless it is that of an abbreviation. */
const action =
  "(?<action>(?:[^.]|\\.(?!\\s+\\p{Lu})|(?<=\\b(?:Inc|No|Nos|St|Co|Corp|Ltd|Mr|Mrs|Ms|Dr|Sec|Ord|Res))\\.){3,300}?)"
const sentence = "(?:^|\\n|[.;] )"

/** The ways in which sentences tell of a motion: who moves it, then who seconds it. */
const told: ReadonlyArray<RegExp> = [
  `(?:\\b(?:[Mm]otion|MOTION) (?:was )?(?:made )?(?:by|of)|\\b(?:[Mm]oved|MOVED) by|\\b(?:[Oo]n|Upon) (?:a )?motion (?:made )?(?:by|of))\\s+${one},?\\s+(?:and\\s+)?(?:was\\s+)?(?:duly\\s+)?(?:a\\s+)?${backs}(?:\\s+(?:was\\s+)?(?:made\\s+)?by)?\\s+${one}`,
  `${sentence}${one}\\s+${moves}\\b${action}[.,;]?\\s+(?:and\\s+)?(?:(?:the\\s+)?(?:motion\\s+)?(?:was\\s+)?(?:duly\\s+)?${backs}\\s+by\\s+)${one}`,
  `${sentence}${one}\\s+${moves}\\b${action}[.,;]\\s+(?:and\\s+)?${one}\\s+(?:duly\\s+)?(?:seconded|supported)\\b`,
  `\\bM/S(?:/[CPU])?\\s*:?\\s*\\(?${one}\\s*/\\s*${one}\\)?`
].map((source) => new RegExp(source, "gu"))

const mover = /^(?:mover|moved by|motion(?: made)? by|moved|motion)\s*:\s*(.+)$/iu
const seconder =
  /^(?:seconder|seconded by|second(?:ed)?(?: by)?|support(?:ed by)?|motion seconded by|motion second by)\s*:\s*(.+)$/iu
const result = /^(?:result|action|outcome|vote|voting|motion)\s*:\s*(.+)$/iu

const spaced = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** The most characters from a motion to the end of its vote. */
const longest = 1500

interface Begun {
  readonly from: number
  readonly to: number
  readonly action: string | undefined
  readonly moved: string
  readonly seconded: string | undefined
  readonly isLabeled: boolean
}

/** Name after a label: `John Smith, Council Member`. */
const labeled = (text: string): string | undefined => nameOf(text.split(",")[0] ?? "")

/** Motions in labeled lines, as agenda software prints them. */
const labeledIn = (text: string): ReadonlyArray<Begun> => {
  const lines = [...text.matchAll(/^.*$/gmu)].map((match) => ({ line: match[0], at: match.index }))
  return lines.flatMap(({ line, at }, n): ReadonlyArray<Begun> => {
    const moved = labeled(mover.exec(line)?.[1] ?? "")
    if (moved === undefined) return []
    const near = lines
      .slice(n + 1, n + 4)
      .map((next) => ({ ...next, name: labeled(seconder.exec(next.line)?.[1] ?? "") }))
    const second = near.find(({ name }) => name !== undefined)
    // The result stands before its mover in some, and after in others.
    const before = lines.slice(Math.max(0, n - 2), n).find((one) => /^result\s*:/iu.test(one.line))
    const last = second ?? { line, at }
    return [
      {
        from: before?.at ?? at,
        to: last.at + last.line.length,
        action: undefined,
        moved,
        seconded: second?.name,
        isLabeled: true
      }
    ]
  })
}

/** Motions that are told in sentences. */
const toldInText = (text: string): ReadonlyArray<Begun> =>
  told.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match): ReadonlyArray<Begun> => {
      const said = match.groups?.action
      const [, first = "", ...rest] = match
      const second = rest.findLast((group) => group !== undefined && group !== said) ?? ""
      const [moved, seconded] = [nameOf(first), nameOf(second)]
      return moved === undefined || seconded === undefined
        ? []
        : [{ from: match.index, to: match.index + match[0].length, action: said, moved, seconded, isLabeled: false }]
    })
  )

const actionAfter = (text: string): string | undefined => {
  const [, action = ""] =
    /^[\s,)]*(?:and\s+(?:unanimously\s+)?carried[^,]*,\s*)?((?:to|that|for|the \w+)\s[^.]{3,300}?)(?:[.;]|\n\s*\n|$|\n(?=(?:motion|vote|ayes?|yeas?|roll)\b))/iu.exec(
      text
    ) ?? []
  return action === "" ? undefined : spaced(action)
}

/**
 * Reads minutes, given as pages of plain text: who attended, which items there are, and what was moved, by whom, and
 * how it ended. It finds fewer rather than wrong ones: names, counts and results that are not certain are left out.
 */
export const readMinutes = (pages: ReadonlyArray<string>): Minutes => {
  const lines = linesOf(pages)
  const items = itemsIn(lines)
  const starts: Array<number> = []
  let length = 0
  for (const { text } of lines) {
    starts.push(length)
    length += text.length + 1
  }
  const text = lines.map((line) => line.text).join("\n")
  const lineAt = (place: number) => starts.findLastIndex((start) => start <= place)
  const begun = [...labeledIn(text), ...toldInText(text)]
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter((one, at, all) => !all.slice(0, at).some((other) => one.from < other.to))
  const motions = begun.map((start, at): MinutesMotion => {
    const line = lineAt(start.from)
    const heading = starts[items.find((item) => item.line > lineAt(start.to))?.line ?? -1] ?? text.length
    const until = Math.min(begun[at + 1]?.from ?? text.length, heading, start.to + longest)
    const after = text.slice(start.to, until)
    const before = start.isLabeled
      ? text
          .slice(start.from, start.to)
          .split("\n")
          .filter((own) => result.test(own))
      : []
    const item = items.findLast((known) => known.line <= line)
    const action = start.action === undefined ? actionAfter(after) : spaced(start.action)
    return {
      page: lines[line]?.page ?? 1,
      ...(item === undefined
        ? {}
        : { item: { ...(item.number === undefined ? {} : { number: item.number }), title: item.title } }),
      ...(action === undefined ? {} : { motion: action.replace(/^(?:to|that|for)\s+/iu, "") }),
      moved_by: start.moved,
      ...(start.seconded === undefined ? {} : { seconded_by: start.seconded }),
      ...outcomeIn([...before, after].join("\n"))
    }
  })
  return {
    attendance: attendanceIn(lines.slice(0, begun[0] === undefined ? lines.length : lineAt(begun[0].from))),
    items: items.map(({ line: _, ...item }) => item),
    motions
  }
}
