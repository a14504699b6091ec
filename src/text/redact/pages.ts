import { applied, removalsIn } from "./redact.ts"

/**
 * The pages of a document, a line of the page on a line, without the private words that a transcript would lose:
 * letters to a body say where people live as often as those who stand before it. Addresses in `known` stay. Returns how
 * many were taken out.
 */
export const redactedPages = (
  pages: ReadonlyArray<string>,
  known: ReadonlySet<string>
): { readonly pages: ReadonlyArray<string>; readonly removals: number } => {
  const lines = pages.flatMap((page, at) => page.split("\n").map((text) => ({ at, text })))
  const segments = lines.map(({ text }) => ({ start: 0, end: 0, text }))
  const removals = removalsIn(segments, known)
  if (removals.length === 0) return { pages, removals: 0 }
  const texts = applied(segments, removals)
  const byPage = Map.groupBy(texts, (_, at) => lines[at]?.at)
  return {
    pages: pages.map((_, at) => (byPage.get(at) ?? []).map(({ text }) => text).join("\n")),
    removals: removals.length
  }
}
