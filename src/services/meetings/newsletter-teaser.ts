import type { BundleBriefing } from "../../../schema/bundle.ts"
import type { NewsletterTeaser } from "../../../schema/meeting.ts"

/** A briefing as stored, with the ids of the claims that the check did not support. */
export interface StoredBriefing {
  readonly headline: string
  readonly worth_watching: BundleBriefing["worth_watching"]
  readonly topics: BundleBriefing["topics"]
  readonly unsupported: ReadonlyArray<string>
}

const ellipsis = "…"

/** Cuts a text to at most `most` characters, at a word, with an ellipsis for what is left out (contract section 4). */
export const clampAtWord = (text: string, most: number): string => {
  if (text.length <= most) return text
  const cut = text.slice(0, most - ellipsis.length + 1).replace(/\s+\S*$/u, "")
  const whole = cut === "" || cut.length > most - ellipsis.length ? text.slice(0, most - ellipsis.length) : cut
  return `${whole.replace(/[\s,;:.!?–—-]+$/u, "")}${ellipsis}`
}

/** The sentences of a topic that may be sent: never one whose claim is not supported (spec section 2). */
export const standing = (topic: StoredBriefing["topics"][number], unsupported: ReadonlyArray<string>) =>
  topic.sentences.filter((sentence) => sentence.claim === undefined || !unsupported.includes(sentence.claim))

/**
 * What anyone may read of a verified briefing: its headline, three bullets and the first topic with a sentence left.
 */
export const newsletterTeaser = (briefing: StoredBriefing): NewsletterTeaser => {
  const first = briefing.topics
    .map((topic) => ({
      title: topic.title,
      summary: standing(topic, briefing.unsupported)
        .map(({ text }) => text)
        .join(" ")
    }))
    .find((topic) => topic.summary !== "")
  return {
    headline: clampAtWord(briefing.headline, 140),
    worth_watching: briefing.worth_watching.slice(0, 3).map(({ text }) => clampAtWord(text, 200)),
    ...(first === undefined ? {} : { first_topic: { title: first.title, summary: clampAtWord(first.summary, 280) } })
  }
}
