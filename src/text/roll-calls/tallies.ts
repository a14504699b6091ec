import { units } from "../language/number-words.ts"
import type { Token } from "./tokens.ts"

/** Votes counted aloud: `from` up to but not including `to`. */
export interface Tally {
  readonly from: number
  readonly to: number
  /** The numbers as they are said, the first two being those for and against unless words say otherwise. */
  readonly said: ReadonlyArray<number>
  /** By option, where a word goes with each number: `five ayes, two nays`. */
  readonly named: Readonly<Partial<Record<CountedOption, number>>> | undefined
}

type CountedOption = "yes" | "no" | "abstain" | "absent"

const most = 100

const numberAt = (token: Token | undefined): number | undefined => {
  if (token === undefined || token.sign !== "") return undefined
  const value = /^\d{1,3}$/u.test(token.word) ? Number(token.word) : units.get(token.word)
  return value !== undefined && value <= most ? value : undefined
}

const nothing = new Set("nothing none nil zero no not".split(" "))

const optionWords: ReadonlyMap<string, CountedOption> = new Map(
  (
    [
      ["yes", "aye ayes yes yeses yea yeas favor affirmative"],
      ["no", "no nos noes nay nays opposed oppose opposing against dissenting negative"],
      ["abstain", "abstain abstained abstaining abstention abstentions abstains"],
      ["absent", "absent"]
    ] as const
  ).flatMap(([option, words]) => words.split(" ").map((word) => [word, option] as const))
)

/** Units and nouns after a number that is no count of votes. */
const measured =
  /^(?:percent|pm|am|years?|months?|weeks?|days?|hours?|minutes?|feet|foot|acres?|units?|miles?|dollars?|million|thousand|hundred|oclock|st|nd|th)$/u

/** `5-2`, `5-2-1`, `five to two`, `seven to nothing`. */
const dashedAt = (tokens: ReadonlyArray<Token>, at: number): Tally | undefined => {
  const first = numberAt(tokens[at])
  if (first === undefined || tokens[at]?.tied) return undefined
  const said = [first]
  let to = at + 1
  while (said.length < 4) {
    const next = tokens[to]
    const isTied = next?.tied === true
    const value = isTied
      ? numberAt(next)
      : next?.word === "to" && said.length < 3
        ? (numberAt(tokens[to + 1]) ?? (/^(?:nothing|none|nil)$/u.test(tokens[to + 1]?.word ?? "") ? 0 : undefined))
        : undefined
    if (value === undefined) break
    said.push(value)
    to += isTied ? 1 : 2
  }
  return said.length < 2 || tokens[to]?.tied || measured.test(tokens[to]?.word ?? "")
    ? undefined
    : { from: at, to, said, named: undefined }
}

/** `five ayes and two nays`, `eight in favor, none opposed, one abstained`. */
const namedTallyAt = (tokens: ReadonlyArray<Token>, at: number): Tally | undefined => {
  const named: Partial<Record<CountedOption, number>> = {}
  const said: Array<number> = []
  let to = at
  for (;;) {
    let next = to
    while (/^(?:and|with)$/u.test(tokens[next]?.word ?? "") && next > at && next - to < 2) next++
    const isNone = next > at && nothing.has(tokens[next]?.word ?? "")
    const count = isNone ? 0 : numberAt(tokens[next])
    let word = next + 1
    while (
      /^(?:in|votes?|voted|voting|to|members?|commissioners?|a)$/u.test(tokens[word]?.word ?? "") &&
      word - next < 3
    )
      word++
    const isFavor = tokens[word]?.word !== "favor" || tokens[word - 1]?.word === "in"
    const option = isFavor ? optionWords.get(tokens[word]?.word ?? "") : undefined
    if (count === undefined || option === undefined || named[option] !== undefined) break
    named[option] = count
    said.push(count)
    to = word + 1
  }
  return named.yes === undefined || said.length < 2 ? undefined : { from: at, to, said, named }
}

/** The tally that begins at a place. */
export const tallyAt = (tokens: ReadonlyArray<Token>, at: number): Tally | undefined =>
  namedTallyAt(tokens, at) ?? dashedAt(tokens, at)
