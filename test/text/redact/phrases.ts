import * as fs from "node:fs"
import * as path from "node:path"
import { marks, marksIn } from "../../../src/text/redact/marks.ts"
import { redact } from "../../../src/text/redact/redact.ts"

/** One phrasing: its segments, and the words of each that belong to an address. */
interface Phrase {
  readonly line: string
  readonly segments: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
}

/** The phrasings of a list: `[[...]]` is an address, ` / ` begins the next segment. */
export const phrasesIn = (name: string): ReadonlyArray<Phrase> =>
  fs
    .readFileSync(path.join(import.meta.dirname, name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({
      line,
      segments: line.replaceAll(/\[\[|\]\]/gu, "").split(" / "),
      addresses: [...line.matchAll(/\[\[(.+?)\]\]/gu)].map(([, address = ""]) => address)
    }))

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

interface Outcome {
  readonly found: number
  readonly missed: ReadonlyArray<string>
  readonly removals: number
  readonly wrong: ReadonlyArray<string>
}

/** How many words beside an address a removal may include: its city, its direction. */
const slack = 3

/**
 * An address is found if each of its words is gone, and a removal is right if there is an address to be removed and no
 * more than a city or a direction went with it.
 */
const outcomeOf = ({ line, segments, addresses }: Phrase): Outcome => {
  const timed = segments.map((text, at) => ({ start: at * 5, end: at * 5 + 5, text }))
  const published = redact(timed, new Set(["14 maple"])).segments.map(({ text }) => text)
  const rest = Object.values(marks).reduce((text, mark) => text.replaceAll(mark, " "), published.join(" "))
  const left = wordsOf(rest)
  const said = wordsOf(segments.join(" "))
  const inside = addresses.flatMap((address) => wordsOf(address))
  const gone = [...said]
  for (const word of left) {
    const at = gone.indexOf(word)
    if (at !== -1) gone.splice(at, 1)
  }
  const outside = [...gone]
  for (const word of inside) {
    const at = outside.indexOf(word)
    if (at !== -1) outside.splice(at, 1)
  }
  const missing = [...gone]
  const missed = addresses.filter((address) =>
    wordsOf(address).some((word) => {
      const at = missing.indexOf(word)
      if (at === -1) return true
      missing.splice(at, 1)
      return false
    })
  )
  const removals = marksIn(published.join(" "))
  const isWrong = removals > 0 && (addresses.length === 0 || outside.length > slack)
  const shown = `${line}  =>  ${published.join(" / ")}`
  return {
    found: addresses.length - missed.length,
    missed: missed.length > 0 ? [shown] : [],
    removals: Math.max(removals > 0 ? 1 : 0, addresses.length - missed.length),
    wrong: isWrong ? [shown] : []
  }
}

export const measure = (phrases: ReadonlyArray<Phrase>) => {
  const outcomes = phrases.map(outcomeOf)
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const missed = outcomes.flatMap((outcome) => outcome.missed)
  const wrong = outcomes.flatMap((outcome) => outcome.wrong)
  return {
    recall: sum(({ found }) => found) / phrases.reduce((total, { addresses }) => total + addresses.length, 0),
    precision: 1 - wrong.length / sum(({ removals }) => removals),
    missed,
    wrong
  }
}
