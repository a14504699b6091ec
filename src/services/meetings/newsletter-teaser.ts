import { Schema } from "effect"
import { BriefingVerification } from "../../../schema/briefing.ts"
import type { NewsletterTeaser } from "../../../schema/meeting.ts"
import { clampAtWord } from "../../text/clamp.ts"

/** The parts of a served briefing that a teaser uses. */
export const TeaserSource = Schema.Struct({
  verification: BriefingVerification,
  headline: Schema.optionalKey(Schema.String),
  worth_watching: Schema.Array(Schema.Struct({ text: Schema.String })),
  topics: Schema.Array(
    Schema.Struct({ title: Schema.String, sentences: Schema.Array(Schema.Struct({ text: Schema.String })) })
  )
})

/** The maximum length of a briefing's headline wherever it is shown without the briefing. */
export const longestHeadline = 140

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
