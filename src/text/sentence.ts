/** The most words of a quoted sentence before the word that it is quoted for, from there on, and up to a later word. */
const [mostBefore, mostAfter, mostTogether] = [14, 22, 40]

/** An end of a sentence: not the dot of an initial, an abbreviation such as `Mr.`, or `a.m.`. */
const endsSentence = (word: string): boolean =>
  /[.?!]["”’)\]]*$/u.test(word) &&
  !/(?:^|\.)\p{L}\.$/u.test(word) &&
  !/^(?:mr|mrs|ms|dr|st|no|jr|sr|vs)\.$/iu.test(word)

/**
 * The sentence around an offset of a text, with an ellipsis where it is cut. Captions often have no sentences, so it
 * has at most 14 words before the one at the offset, and 22 from there on. It goes on to a later offset (`until`) that
 * is at most 40 words away.
 */
export const sentenceAround = (text: string, offset: number, until = offset): string => {
  const words = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({ word, index }))
  const at = Math.max(
    0,
    words.findLastIndex(({ index }) => index <= offset)
  )
  let from = at
  while (from > 0 && at - from < mostBefore && !endsSentence(words[from - 1]?.word ?? "")) from--
  let to = at + 1
  const last = words.findLastIndex(({ index }) => index <= until)
  const least = last - at < mostTogether ? last : at
  while (to < words.length && (to <= least || (to - at < mostAfter && !endsSentence(words[to - 1]?.word ?? "")))) to++
  const said = words.slice(from, to).map(({ word }) => word)
  const isBegun = from > 0 && !endsSentence(words[from - 1]?.word ?? "")
  const isEnded = to >= words.length || endsSentence(said.at(-1) ?? "")
  return `${isBegun ? "…" : ""}${said.join(" ")}${isEnded ? "" : "…"}`
}
