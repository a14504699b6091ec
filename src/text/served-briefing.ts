import type { EditedNewsletter, Verdict } from "../../schema/briefing.ts"
import type { BundleBriefing } from "../../schema/bundle.ts"

/** A briefing as written. A part that makes a claim names it. */
export type WrittenBriefing = Pick<BundleBriefing, "headline" | "headline_claim" | "worth_watching" | "topics">

/** The verdicts on a briefing's claims by claim id; null while one is pending. */
export type Verdicts = Readonly<Record<string, Verdict | null>>

/** The parts of a briefing that readers are served. */
export interface ServedBriefing
  extends Pick<EditedNewsletter, "worth_watching" | "topics" | "removed_sentences" | "unchecked_sentences"> {
  /** Missing if neither the headline nor any sentence is served; the meeting's title takes its place. */
  readonly headline?: string
}

/** The preferred maximum length of a sentence that stands in for a headline. */
const longestHeadline = 140

/** The settings `pipeline.ClaimCheck`, and `pipeline.ServeUnchecked`. */
export interface Serving {
  readonly isChecked: boolean
  readonly servesUnchecked: boolean
}

/**
 * The served form of a briefing; undefined while it is pending (spec section 3).
 *
 * With the check enabled, a briefing waits until each claim has a verdict, and then serves the parts that make no claim
 * or a supported one (spec section 2), or an unchecked one if an operator wants those served. While the check is
 * disabled, or if the briefing came without claims, it also serves claims without a verdict, but never one that an
 * earlier check did not support. A served sentence stands in for an unsupported headline, and for an unsupported line
 * the served sentence that begins at the same second. A topic that loses all its sentences is left out.
 */
export const servedBriefing = (
  { headline, headline_claim, worth_watching, topics }: WrittenBriefing,
  verdicts: Verdicts,
  { isChecked, servesUnchecked }: Serving
): ServedBriefing | undefined => {
  const found = Object.values(verdicts)
  if (isChecked && found.includes(null)) return undefined
  const withoutVerdict = isChecked && found.length > 0 ? "unsupported" : "supported"
  const isServed = (claim: string | undefined): boolean => {
    const verdict = claim === undefined ? "supported" : (verdicts[claim] ?? withoutVerdict)
    return verdict === "supported" || (verdict === "unchecked" && (servesUnchecked || !isChecked))
  }
  const isUnchecked = ({ claim }: { readonly claim?: string | undefined }) =>
    claim !== undefined && verdicts[claim] === "unchecked"
  const served = topics.map((topic) => topic.sentences.filter(({ claim }) => isServed(claim)))
  const sentences = served.flat()
  const standIn = sentences.find(({ text }) => text.length <= longestHeadline) ?? sentences[0]
  const shown = isServed(headline_claim) ? headline : standIn?.text
  return {
    ...(shown === undefined ? {} : { headline: shown }),
    worth_watching: worth_watching.flatMap(({ claim, ...line }) => {
      if (isServed(claim)) return [line]
      const own = sentences.find(({ citations }) => citations[0] !== undefined && citations[0].start === line.start)
      return own === undefined ? [] : [{ ...line, text: own.text }]
    }),
    topics: topics.flatMap(({ title, figures, sentences: written }, at) => {
      const kept = served[at] ?? []
      return written.length > 0 && kept.length === 0
        ? []
        : [{ title, sentences: kept.map(({ text, citations }) => ({ text, citations })), figures }]
    }),
    unchecked_sentences: topics.flatMap((topic) => topic.sentences.filter(isUnchecked)).length,
    removed_sentences: topics.reduce((sum, topic) => sum + topic.sentences.length, 0) - sentences.length
  }
}
