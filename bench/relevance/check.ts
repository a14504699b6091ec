/**
 * Checks the judgments against the captions and events themselves, without the service: those about speakers, full
 * names, quotes, misquotes, mistypings and dates, those about questions and other words by the patterns of
 * `patterns.ts`, and all for meetings that there are not:
 *
 *     node bench/relevance/check.ts [../shared/data]
 */
import * as path from "node:path"
import { subjectsOf } from "./patterns.ts"
import { type Cue, type Raw, readRaw, wordsOf } from "./raw.ts"
import { type Judgment, readJudgments } from "./score.ts"

/** Titles that a query may put before a name; the captions have none. */
const titles = /\b(?:M[rs]\.|Council ?[Mm]ember|Mayor) /

const [, , data = path.join(import.meta.dirname, "../../../shared/data")] = process.argv
const meetings = readRaw(data)
const cuesIn = (key: string): ReadonlyArray<Cue> => meetings.get(key)?.cues ?? []

/** The seconds at which a name is spoken; a name may run over into the next caption. */
const saidAt = (cues: ReadonlyArray<Cue>, name: string) =>
  cues.flatMap(({ second, words }, at) => {
    const next = cues[at + 1]?.words ?? ""
    const isHere = words.includes(wordsOf(name))
    return isHere || (`${words.trimEnd()}${next}`.includes(wordsOf(name)) && !next.includes(wordsOf(name)))
      ? [second]
      : []
  })

const answersAt = (cues: ReadonlyArray<Cue>, name: string) =>
  cues.flatMap(({ second, voice }) =>
    wordsOf(name)
      .trim()
      .split(" ")
      .every((word) => voice.includes(` ${word} `))
      ? [second]
      : []
  )

const faultsOfNames = ({ kind, q, best, found = [], not = [], at = {}, corrected = q }: Judgment) => {
  const [, excluded] = /-speaker:"([^"]+)"/.exec(q) ?? []
  const name = corrected
    .replace(/ -speaker:.*/, "")
    .replace(/speaker:|"/g, "")
    .replace(titles, "")
  const isSpeaker = kind === "speakers" && excluded === undefined
  const seconds = (cues: ReadonlyArray<Cue>) => (isSpeaker ? answersAt(cues, name) : saidAt(cues, name))
  const fits = (key: string) => {
    const cues = cuesIn(key)
    return seconds(cues).length > 0 && (excluded === undefined || answersAt(cues, excluded).length === 0)
  }
  return [
    ...[...best, ...found].filter((key) => !fits(key)).map((key) => `${key} does not fit`),
    ...not.filter(fits).map((key) => `${key} fits`),
    ...Object.entries(at).flatMap(([key, judged]) => {
      const cues = cuesIn(key)
      const right = new Set([...seconds(cues), ...(isSpeaker && !q.startsWith("speaker:") ? saidAt(cues, name) : [])])
      return judged.filter((second) => !right.has(second)).map((second) => `not said in ${key} at ${second}`)
    }),
    ...(best.length === 0 ? [...meetings.keys()].filter(fits).map((key) => `${key} fits, and nothing should`) : [])
  ]
}

/** All that is said in each meeting, with the second of each word. */
const speech = new Map(
  [...meetings]
    .filter(([, { cues }]) => cues.length > 0)
    .map(([key, { cues }]) => {
      const words = cues.flatMap(({ words, second }) =>
        words
          .trim()
          .split(" ")
          .filter((word) => word !== "")
          .map((word) => ({ word, second }))
      )
      return [key, { words, text: ` ${words.map(({ word }) => word).join(" ")} ` }] as const
    })
)

/** The seconds at which a row of words with at most so many other ones is said. */
const rowsAt = (key: string, text: string, mostOthers: number): ReadonlyArray<number> => {
  const words = speech.get(key)?.words ?? []
  const row = wordsOf(text).trim().split(" ")
  return words.flatMap(({ second }, at) => {
    let others = 0
    for (const [offset, word] of row.entries()) {
      if (words[at + offset]?.word !== word) others++
      if (others > mostOthers) return []
    }
    return [second]
  })
}

/** A row of words is said where it was judged to be, and nowhere else. */
const faultsOfRow = ({ best, at = {} }: Judgment, text: string, mostOthers: number) => [
  ...best.flatMap((key) => {
    const seconds = rowsAt(key, text, mostOthers)
    if (seconds.length === 0) return [`${key} does not say it`]
    return (at[key] ?? []).filter((second) => !seconds.includes(second)).map((second) => `not in ${key} at ${second}`)
  }),
  ...[...speech]
    .filter(([key, { text: said }]) => !best.includes(key) && said.includes(wordsOf(text)))
    .map(([key]) => `${key} says it too`)
]

/** The words that a correction replaces, and those that it puts there. */
const replaced = (q: string, corrected = q) => {
  const [typed, meant] = [wordsOf(q).trim().split(" "), wordsOf(corrected).trim().split(" ")]
  return {
    typed: typed.filter((word) => !meant.includes(word)),
    meant: meant.filter((word) => !typed.includes(word))
  }
}

const faultsOfMistyped = (judgment: Judgment) => {
  const { q, corrected = "" } = judgment
  return [
    ...faultsOfRow(judgment, corrected, 0),
    ...replaced(q, corrected).typed.flatMap((word) =>
      [...speech].filter(([, { text }]) => text.includes(` ${word} `)).map(([key]) => `${key} says ${word}`)
    )
  ]
}

const has = ({ cues, items, body }: Raw, word: string) =>
  items.includes(` ${word} `) ||
  wordsOf(body).includes(` ${word} `) ||
  cues.some(({ words }) => words.includes(` ${word} `))

/** Some caption has the name as it is mistyped, and all that must come first have it as it is. */
const faultsOfMistypedNames = ({ q, best, corrected }: Judgment) => {
  const { typed, meant } = replaced(q, corrected)
  return [
    ...typed
      .filter((word) => ![...meetings.values()].some((meeting) => has(meeting, word)))
      .map((word) => `nobody has ${word}`),
    ...best.flatMap((key) => {
      const meeting = meetings.get(key)
      return meant
        .filter((word) => meeting === undefined || !has(meeting, word))
        .map((word) => `${key} does not have ${word}`)
    })
  ]
}

const date =
  /\d{4}-\d\d-\d\d|\d+\/\d+\/\d{4}|\d+ [a-z]{3,9}\.? \d{4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d+(?:st|nd|rd|th)?,? \d{4}/i

const faultsOfDates = ({ q, best }: Judgment) => {
  const [written = ""] = date.exec(q) ?? []
  const day = new Date(`${written.replace(/(\d)(?:st|nd|rd|th)/, "$1")} UTC`)
  if (Number.isNaN(day.getTime())) return ["no date"]
  const held = day.toISOString().slice(0, 10)
  return best.filter((key) => meetings.get(key)?.date !== held).map((key) => `${key} is not of ${held}`)
}

const faultsOfSubject = subjectsOf(meetings)

const faultsOf: Readonly<Record<string, (judgment: Judgment) => ReadonlyArray<string>>> = {
  speakers: faultsOfNames,
  "full names": faultsOfNames,
  "quotes as said": (judgment) => faultsOfRow(judgment, judgment.q, 0),
  misquotes: (judgment) => faultsOfRow(judgment, judgment.q, 1),
  mistypings: faultsOfMistyped,
  "mistyped names": faultsOfMistypedNames,
  dates: faultsOfDates,
  questions: faultsOfSubject,
  "other words": faultsOfSubject
}

const faults = readJudgments().flatMap((judgment) =>
  [
    ...[...judgment.best, ...(judgment.found ?? [])]
      .filter((key) => !meetings.has(key))
      .map((key) => `there is no ${key}`),
    ...(faultsOf[judgment.kind]?.(judgment) ?? [])
  ].map((fault) => `${judgment.kind}, ${judgment.q}: ${fault}`)
)
console.log(faults.length === 0 ? "The judgments are as the records have it." : faults.join("\n"))
process.exitCode = faults.length === 0 ? 0 : 1
