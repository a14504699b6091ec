import { Schema } from "effect"
import { BriefingVerification } from "../../../schema/briefing.ts"
import type { NewsletterTeaser } from "../../../schema/meeting.ts"

/** The parts of a served briefing that a teaser uses. */
export const TeaserSource = Schema.Struct({
  verification: BriefingVerification,
  headline: Schema.optionalKey(Schema.String),
  worth_watching: Schema.Array(Schema.Struct({ text: Schema.String })),
  topics: Schema.Array(
    Schema.Struct({ title: Schema.String, sentences: Schema.Array(Schema.Struct({ text: Schema.String })) })
  )
})

const ellipsis = "…"

/** The maximum length of a briefing's headline wherever it is shown without the briefing. */
export const longestHeadline = 140

/**
 * Cuts a text to at most `most` characters at a word boundary, ending in an ellipsis if anything was cut (contract
 * section 4).
 */
export const clampAtWord = (text: string, most: number): string => {
  if (text.length <= most) return text
  const cut = text.slice(0, most - ellipsis.length + 1).replace(/\s+\S*$/u, "")
  const whole = cut === "" || cut.length > most - ellipsis.length ? text.slice(0, most - ellipsis.length) : cut
  // A cut between the two halves of a character outside of the basic plane leaves neither.
  return `${whole.replace(/[\s,;:.!?–—-]+$|[\uD800-\uDBFF]$/u, "")}${ellipsis}`
}

/** The public part of a served briefing: its headline, three bullets and the first topic with a sentence. */
export const newsletterTeaser = (
  { verification, headline, worth_watching, topics }: typeof TeaserSource.Type,
  title: string
): NewsletterTeaser => {
  const first = topics.find(({ sentences }) => sentences.length > 0)
  const summary = first?.sentences.map(({ text }) => text).join(" ") ?? ""
  return {
    verification,
    headline: clampAtWord(headline ?? title, longestHeadline),
    worth_watching: worth_watching.slice(0, 3).map(({ text }) => clampAtWord(text, 200)),
    ...(first === undefined
      ? {}
      : { first_topic: { title: clampAtWord(first.title, longestHeadline), summary: clampAtWord(summary, 280) } })
  }
}
