import type { VoteOption, VoteResult } from "../../../schema/vote.ts"
import { nameOf, namesIn } from "./names.ts"

type Counted = Extract<VoteOption, "yes" | "no" | "abstain" | "absent" | "excused">

/** How a vote ended, as far as its words are certain. */
export interface Outcome {
  readonly result?: Exclude<VoteResult, "other">
  /** The word that says so: `carried`. */
  readonly result_label?: string
  readonly counts: ReadonlyArray<{ readonly option: Counted; readonly value: number }>
  readonly ballots: ReadonlyArray<{ readonly name: string; readonly option: Counted }>
}

const options: ReadonlyArray<readonly [Counted, string]> = [
  ["yes", "ayes?|yeas?|yes|in favor|for|affirmative|approved by"],
  ["no", "nays?|noes|nos?|opposed|against|negative"],
  ["abstain", "abstain(?:ed|ing)?|abstentions?|recused?|recusals?"],
  ["absent", "absent|not present"],
  ["excused", "excused"]
]
const optionOf = (word: string): Counted | undefined =>
  options.find(([, words]) => new RegExp(`^(?:${words})$`, "iu").test(word.trim()))?.[0]
const anyOption = options.map(([, words]) => words).join("|")

const carried = /\b(?:carried|carries|passed|passes|approved|adopted|so ordered|granted)\b/iu
const lost = /\b(?:failed|fails|defeated|not carried|did not (?:carry|pass)|lost|died|dies|denied for lack)\b/iu
/** What tells of another vote, or of what might be. */
const elsewhere = /\b(?:previously|last (?:month|meeting|year)|if|would|will be|should|had been|was previously)\b/iu

/** The result, where one kind of word alone tells it. */
const resultIn = (text: string): Pick<Outcome, "result" | "result_label"> => {
  const stated = text.match(
    /(?:\b(?:motion|resolution|ordinance|amendment|item|vote|question|it|result|action|which|and)\b[^.;\n]{0,60}?|(?:^|[.\n;])\W*)\b(carried|carries|passed|passes|approved|adopted|so ordered|failed|fails|defeated|lost|died|dies|did not (?:carry|pass)|not carried)\b/giu
  )
  const told = (stated ?? []).filter((one) => !elsewhere.test(one))
  const words = told.map((one) => /[\p{L} ]*$/u.exec(one)?.[0] ?? "")
  const isLost = words.some((one) => lost.test(one))
  const isCarried = words.some((one) => carried.test(one) && !lost.test(one))
  if (isLost === isCarried) return {}
  const label = words.findLast((one) => (isLost ? lost : carried).test(one)) ?? ""
  return {
    result: isLost ? "fail" : "pass",
    result_label: ((isLost ? lost : carried).exec(label)?.[0] ?? "").toLowerCase()
  }
}

const numbers = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    .split(" ")
    .map((word, value) => [word, value])
)
const numberOf = (word: string): number => numbers.get(word.toLowerCase()) ?? Number(word)
const number = `(?:\\d{1,3}|${[...numbers.keys()].join("|")})`

/** Lists of who voted how: `Ayes: A, B. Nays: None`. */
const listsIn = (text: string) => {
  const label = new RegExp(
    `(?:^|[\\s(.;])(?:(?:voting|those|members?)\\s+)?(${anyOption})(?:\\s+votes?)?\\s*[:–-]\\s*`,
    "giu"
  )
  const heads = [...text.matchAll(label)].filter(([, word = ""]) => optionOf(word) !== undefined)
  return heads.map((head, at) => {
    const from = head.index + head[0].length
    const until = heads[at + 1]?.index ?? text.length
    const listed = text.slice(from, until)
    // A sentence, a blank line or another label ends the list.
    const end =
      /\n\s*\n|(?<!\b(?:\p{Lu}|Jr|Sr|Mr|Mrs|Ms|Dr))\.(?:\s|$)|\n?\s*(?:motion|result|mover|seconder|the |approved|adopted|carried)\b/iu.exec(
        listed
      )
    const own = listed.slice(0, end?.index ?? listed.length).replace(/([,;&]|\band)\s*\n/giu, "$1 ")
    return { option: optionOf(head[1] ?? ""), own: own.trim(), at: head.index }
  })
}

/** `A – yes; B – no` and `A, aye`, a member a line or a clause. */
const rowsIn = (text: string): Outcome["ballots"] =>
  text.split(/[;\n]|(?<!\b(?:Mr|Mrs|Ms|Dr|Rev|Hon|Jr|Sr|\p{Lu}))\.\s/u).flatMap((part) => {
    const [, name = "", word = ""] =
      /^\s*(.{2,50}?)\s*(?:[-–—:,]|\svoted\s|\svotes\s|\.{2,}|\s)\s*"?(ayes?|yeas?|yes|no|nay|abstain(?:ed)?|absent|excused)"?[.,]?\s*$/iu.exec(
        part.replace(/^\s*(?:on )?roll call(?: vote)?\s*:?\s*/iu, "")
      ) ?? []
    const option = optionOf(word)
    const known = nameOf(name)
    return option === undefined || known === undefined ? [] : [{ name: known, option }]
  })

/** Numbers that are told: `5-0`, `5 to 2`, `5 ayes, 2 nays`, `Ayes: 5 Nays: 2`. Undefined if some contradict others. */
const toldIn = (text: string): ReadonlyMap<Counted, number> | undefined => {
  const told = new Map<Counted, number>()
  let isOne = true
  const tell = (option: Counted, value: number) => {
    if ((told.get(option) ?? value) !== value) isOne = false
    told.set(option, value)
  }
  const named = new RegExp(
    `\\b(${number})\\s*[-–]?\\s*(ayes?|yeas?|yes|in favor|nays?|noes|no|opposed|against|abstain(?:ed|ing)?|abstentions?|absent)\\b`,
    "giu"
  )
  // In `Ayes: 5 Nays: 0` no number is of the word after it.
  const isLabeled = /\b(?:ayes?|yeas?|yes|in favor)\s*[:–-]\s*\(?\d/iu.test(text)
  for (const [, value = "", word = ""] of isLabeled ? [] : text.matchAll(named))
    tell(optionOf(word) ?? "yes", numberOf(value))
  const after =
    /\b(ayes?|yeas?|yes|nays?|noes|no|abstain(?:ed)?|abstentions?|absent)\s*[:–-]?\s*\(?(\d{1,3})\b(?!\s*[-–/.]?\d)/giu
  for (const [, word = "", value = ""] of text.matchAll(after)) tell(optionOf(word) ?? "yes", Number(value))
  // Only words about the vote stand before its numbers: `adopted Ordinance 26-4` has none.
  const dashed =
    /\b(?:carried|passed|approved|adopted|failed|defeated|lost|votes?|voted|result)\b(?:[\s,:;(–-]|\b(?:unanimously|by|an?|votes?|of|on|with|is|was|the|roll|call|voice|margin)\b){0,12}(\d{1,2})\s*(?:[-–]|\bto\b)\s*(\d{1,2})(?:\s*[-–]\s*(\d{1,2}))?\)?(?![-–\d/])/giu
  for (const [, yes = "", no = "", third] of text.matchAll(dashed)) {
    // A third number counts abstentions for some and absences for others.
    if (third !== undefined && third !== "0") continue
    tell("yes", Number(yes))
    tell("no", Number(no))
  }
  return isOne ? told : undefined
}

/** What the words after a motion say of its end. What contradicts itself is left out. */
export const outcomeIn = (text: string): Outcome => {
  const stated = resultIn(text)
  const lists = listsIn(text)
  const read = lists.map(({ option, own }) => ({ option, own, list: namesIn(own) }))
  const listed = read.flatMap(({ option, list }) =>
    option === undefined || !list.isWhole ? [] : list.names.map((name) => ({ name, option }))
  )
  const ballots = listed.length > 0 ? listed : rowsIn(text).length >= 3 ? rowsIn(text) : []
  const isTwice = new Set(ballots.map(({ name }) => name)).size < ballots.length
  const told = toldIn(text)
  const sumOf = (option: Counted) => ballots.filter((one) => one.option === option).length
  // A list that cannot be read whole tells neither a sum nor who else is in it.
  const isWhole = listed.length === 0 || read.every(({ list, own }) => list.isWhole || /^\(?\d/u.test(own))
  const isCounted = told !== undefined
  const agrees =
    isCounted && [...told].every(([option, value]) => ballots.length === 0 || !isWhole || sumOf(option) === value)
  if (isTwice || !agrees) return { ...stated, counts: [], ballots: [] }
  const isListed = ballots.length > 0 && isWhole && sumOf("yes") + sumOf("no") > 0
  const counts = new Map(told)
  if (isListed)
    for (const option of ["yes", "no", "abstain", "absent", "excused"] as const)
      if (sumOf(option) > 0 || option === "yes" || option === "no") counts.set(option, sumOf(option))
  const [yes, no] = [counts.get("yes"), counts.get("no")]
  const isDenied =
    yes !== undefined &&
    no !== undefined &&
    ((stated.result === "pass" && yes <= no) || (stated.result === "fail" && yes > 2 * no))
  if (isDenied) return { counts: [], ballots: [] }
  // One side alone is no count.
  const isBoth = yes !== undefined && no !== undefined
  return {
    ...stated,
    counts: isBoth ? [...counts].map(([option, value]) => ({ option, value })) : [],
    ballots: isWhole ? ballots : []
  }
}
