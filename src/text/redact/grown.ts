import type { RemovalKind } from "../../../schema/transcript.ts"
import { tens, units } from "../language/number-words.ts"
import { addressAt, addressKey } from "./addresses.ts"
import type { TokenSpan } from "./homes.ts"
import { phoneAt } from "./phone-numbers.ts"
import type { Tokens } from "./tokens.ts"

/** Tokens to remove, of what kind, and the rule that says so. */
export interface Span extends TokenSpan {
  readonly kind: RemovalKind
  readonly rule: string
}

/** How private each word of a passage has to be, and one of them where no rule proposed any. */
const [least, surest] = [0, 1.5]

const isNumber = (word: string): boolean => /^\d|^\p{L}\d+$/u.test(word) || units.has(word) || tens.has(word)

/** What a passage is that no rule proposed; a street without a number is told by rules alone. */
const kindOf = (tokens: Tokens, { from, to }: TokenSpan): RemovalKind | undefined => {
  const words = tokens.slice(from, to)
  if (words.some(({ word, at }) => at || word === "dot" || word === "underscore")) return "email"
  if (words.some(({ word }) => word === "box" || word === "drawer")) return "box"
  const isPhone = phoneAt(tokens, from) !== undefined || words.every(({ word }) => /^\d{3,4}$/u.test(word))
  return isPhone ? "phone" : words.some(({ word }) => isNumber(word)) ? "home" : undefined
}

/** The runs of words that read as private. What is on the agenda ends them. */
const runsIn = (
  tokens: Tokens,
  privacy: ReadonlyArray<number>,
  known: ReadonlySet<string>
): ReadonlyArray<TokenSpan> => {
  const runs: Array<{ from: number; to: number }> = []
  for (let at = 0; at < tokens.length; at++) {
    if ((privacy[at] ?? 0) <= least) continue
    const address = known.size === 0 ? undefined : addressAt(tokens, at)
    const key = address && addressKey(address)
    if (address !== undefined && key !== undefined && known.has(key)) {
      at = address.end - 1
      continue
    }
    const last = runs.at(-1)
    if (last?.to === at) last.to = at + 1
    else runs.push({ from: at, to: at + 1 })
  }
  return runs
}

/**
 * The spans with the words beside them that read as private too, and passages that read as private but were not `judged`.
 * `privacy` tells how private each word is, if anybody knows. Spans are in order and apart.
 */
export const grown = (
  tokens: Tokens,
  spans: ReadonlyArray<Span>,
  judged: ReadonlyArray<TokenSpan>,
  privacy: ReadonlyArray<number>,
  known: ReadonlySet<string>
): ReadonlyArray<Span> => {
  const all = spans.map((span) => ({ ...span }))
  const added = runsIn(tokens, privacy, known).flatMap((run): ReadonlyArray<Span> => {
    const beside = all.filter(({ from, to }) => from <= run.to && run.from <= to)
    const [first, last] = [beside[0], beside.at(-1)]
    if (first === undefined || last === undefined) {
      const isNew = !judged.some(({ from, to }) => from < run.to && run.from < to)
      const isSure = isNew && privacy.slice(run.from, run.to).some((one) => one > surest)
      const kind = isSure ? kindOf(tokens, run) : undefined
      return kind === undefined ? [] : [{ ...run, kind, rule: "read" }]
    }
    first.from = Math.min(first.from, run.from)
    last.to = Math.max(last.to, run.to)
    beside.slice(1).forEach((next, at) => {
      const before = beside[at]
      if (before !== undefined) before.to = next.from
    })
    return []
  })
  return [...all, ...added].sort((a, b) => a.from - b.from)
}
