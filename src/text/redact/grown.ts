import type { RemovalKind } from "../../../schema/transcript.ts"
import { tens, units } from "../language/number-words.ts"
import { addressAt, addressKey } from "./addresses.ts"
import { joiningWords } from "./common-words.ts"
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

/** The tokens of what is on the agenda. */
const knownIn = (tokens: Tokens, known: ReadonlySet<string>): ReadonlyArray<TokenSpan> =>
  known.size === 0
    ? []
    : tokens.flatMap((_, from) => {
        const address = addressAt(tokens, from)
        const key = address && addressKey(address)
        return address !== undefined && key !== undefined && known.has(key) ? [{ from, to: address.end }] : []
      })

const placesIn = (spans: ReadonlyArray<TokenSpan>): ReadonlySet<number> =>
  new Set(spans.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, next) => from + next)))

/** The runs of words that read as private. */
const runsIn = (privacy: ReadonlyArray<number>, isClosed: (at: number) => boolean): ReadonlyArray<TokenSpan> => {
  const runs: Array<{ from: number; to: number }> = []
  for (const [at, one] of privacy.entries()) {
    if (one <= least || isClosed(at)) continue
    const last = runs.at(-1)
    if (last?.to === at) last.to = at + 1
    else runs.push({ from: at, to: at + 1 })
  }
  return runs
}

/** A run without words at either end that only join it to others: `near` of `12 Oak Street, near`. */
const trimmed = (tokens: Tokens, { from, to }: TokenSpan): TokenSpan => {
  const joins = (at: number) => joiningWords.has(tokens[at]?.word ?? "")
  let [first, end] = [from, to]
  while (first < end && joins(first)) first++
  while (first < end && joins(end - 1)) end--
  return { from: first, to: end }
}

/**
 * The spans with the words beside them that read as private too, and passages that read as private; neither has words
 * that were `judged` and left, or that are on the agenda (`known`). `privacy` tells how private each word is, if
 * anybody knows. Spans are in order and apart.
 */
export const grown = (
  tokens: Tokens,
  spans: ReadonlyArray<Span>,
  judged: ReadonlyArray<TokenSpan>,
  privacy: ReadonlyArray<number>,
  known: ReadonlySet<string>
): ReadonlyArray<Span> => {
  if (privacy.length === 0) return spans
  const [taken, closed] = [placesIn(spans), placesIn([...judged, ...knownIn(tokens, known)])]
  const all = spans.map((span) => ({ ...span }))
  const runs = runsIn(privacy, (at) => closed.has(at) && !taken.has(at))
  const added = runs.flatMap((run): ReadonlyArray<Span> => {
    const inner = trimmed(tokens, run)
    if (inner.from === inner.to) return []
    const beside = all.filter(({ from, to }) => from <= run.to && run.from <= to)
    const [first, last] = [beside[0], beside.at(-1)]
    if (first === undefined || last === undefined) {
      const isSure = privacy.slice(run.from, run.to).some((one) => one > surest)
      const kind = isSure ? kindOf(tokens, inner) : undefined
      return kind === undefined ? [] : [{ ...inner, kind, rule: "read" }]
    }
    first.from = Math.min(first.from, inner.from)
    last.to = Math.max(last.to, inner.to)
    beside.slice(1).forEach((next, at) => {
      const before = beside[at]
      if (before !== undefined) before.to = next.from
    })
    return []
  })
  return [...all, ...added].sort((a, b) => a.from - b.from)
}
