import { streetTypes } from "./street-words.ts"
import type { Token, Tokens } from "./tokens.ts"
import { topics } from "./weighed-words.ts"

/** What these words are about: each topic with how many of them belong to it, at most four. */
export const topicsIn = (tokens: Tokens, from: number, to: number): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (let at = Math.max(0, from); at < Math.min(tokens.length, to); at++) {
    const topic = topics.get(tokens[at]?.word ?? "")
    if (topic !== undefined) counts.set(topic, (counts.get(topic) ?? 0) + 1)
  }
  return [...counts].map(([topic, count]) => `${topic}:${Math.min(count, 4)}`)
}

/** How many words later an answer to `your name and address, please` may come, and how many are few. */
const [reach, few] = [45, 16]

/** Which address was asked for not long before, and how far away: `your name and address`, `a business address`. */
export const questionBefore = (tokens: Tokens, at: number): string | undefined => {
  for (let before = at - 1; before > Math.max(1, at - reach); before--) {
    if (!/^(?:address|residence|addresses)$/u.test(tokens[before]?.word ?? "")) continue
    const words = tokens.slice(Math.max(0, before - 6), before).map(({ word }) => word)
    if (words.some((word) => /^(?:my|our)$/u.test(word)) || words.at(-1) === "the") continue
    const kind = words.some((word) => /^(?:business|store|property|office)$/u.test(word))
      ? "business"
      : words.some((word) => /^names?$/u.test(word))
        ? "name"
        : words.includes("your")
          ? "your"
          : undefined
    if (kind !== undefined) return `${kind}:${at - before < few ? "near" : "far"}`
  }
  return undefined
}

/** How many other streets are named in the words around an address, as in a list of them. */
export const streetsAround = (tokens: Tokens, at: number, end: number): number => {
  let count = 0
  for (let near = Math.max(0, at - 14); near < Math.min(tokens.length, end + 14); near++) {
    const isOutside = near < at || near >= end
    if (isOutside && streetTypes.has(tokens[near]?.word ?? "") && tokens[near - 1]?.name === true) count++
  }
  return count
}

const counted =
  /^(?:years?|months?|weeks?|days?|minutes?|hours?|feet|foot|acres?|percent|units?|people|times?|dollars?|votes?)$/u

/** Whether a word names what a number before it counts. */
export const isCounted = ({ word }: Token): boolean => counted.test(word)
