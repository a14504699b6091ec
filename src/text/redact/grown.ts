import { keyedIn } from "./addresses.ts"
import { joiningWords } from "./common-words.ts"
import type { TokenSpan, Tokens } from "./tokens.ts"

const placesIn = (spans: ReadonlyArray<TokenSpan>): ReadonlySet<number> =>
  new Set(spans.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, next) => from + next)))

/** The runs of words that read as private. */
const runsIn = (privacy: ReadonlyArray<number>, isClosed: (at: number) => boolean): ReadonlyArray<TokenSpan> => {
  const runs: Array<{ from: number; to: number }> = []
  for (const [at, one] of privacy.entries()) {
    if (one <= 0 || isClosed(at)) continue
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
 * The spans with the words beside them that read as private too, but for what was `judged` and left, and what is on the
 * agenda (`known`). `words` tells how private each is, if anybody knows. Spans are in order and apart.
 */
export const grown = <Span extends TokenSpan>(
  tokens: Tokens,
  spans: ReadonlyArray<Span>,
  judged: ReadonlyArray<TokenSpan>,
  words: () => ReadonlyArray<number>,
  known: ReadonlySet<string>
): ReadonlyArray<Span> => {
  const privacy = spans.length === 0 ? [] : words()
  if (privacy.length === 0) return spans
  const [taken, closed] = [
    placesIn(spans),
    placesIn([...judged, ...keyedIn(tokens).filter(({ key }) => known.has(key))])
  ]
  const all = spans.map((span) => ({ ...span, from: span.from, to: span.to }))
  for (const run of runsIn(privacy, (at) => closed.has(at) && !taken.has(at))) {
    const { from, to } = trimmed(tokens, run)
    const beside = all.filter((span) => from < to && span.from <= run.to && run.from <= span.to)
    for (const [at, span] of beside.entries()) {
      if (at === 0) span.from = Math.min(span.from, from)
      span.to = beside[at + 1]?.from ?? Math.max(span.to, to)
    }
  }
  return all
}
