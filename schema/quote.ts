import { Schema } from "effect"
import { parameter, shortText, slugText } from "./browse-query.ts"
import { MeetingCard } from "./meeting.ts"
import { CalendarDate, Count, PagePath, Seconds } from "./primitives.ts"

/** The fewest words of a quote, so that a check never spells out what was said, and its most characters. */
export const fewestQuoteWords = 5
export const longestQuote = 500

const countWords = (text: string): number => (text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,-]*/gu) ?? []).length

const QuoteText = Schema.String.check(
  Schema.isMaxLength(longestQuote, { message: `must have at most ${longestQuote} characters` }),
  Schema.makeFilter(
    (text) => countWords(text) >= fewestQuoteWords || `must have at least ${fewestQuoteWords} words of the quote`
  )
).annotate({
  description: `What somebody is said to have said: at least ${fewestQuoteWords} words, at most ${longestQuote} characters.`,
  examples: ["the greenway extension is two years late"]
})

const within = {
  speaker: parameter(shortText, "Only what this person says, by name.", "Ada Marsh"),
  place_slug: parameter(slugText, "Only bodies that serve this place.", "springfield"),
  agency_slug: parameter(slugText, "Only this body.", "springfield-city-council"),
  from: parameter(CalendarDate, "Only meetings held on this date or later.", "2026-01-01"),
  to: parameter(CalendarDate, "Only meetings held on this date or earlier.", "2026-12-31")
}

export const QuoteCheckRequest = Schema.Struct({ text: QuoteText, ...within }).annotate({
  identifier: "QuoteCheckRequest",
  description: "A quote, and where to look for it."
})
export interface QuoteCheckRequest extends Schema.Schema.Type<typeof QuoteCheckRequest> {}

/** The address of `/quote`: without a text, the form alone. */
export const QuotePageQuery = Schema.Struct({ text: Schema.optionalKey(QuoteText), ...within })

const QuotedWord = Schema.Struct({
  quoted: Schema.optionalKey(Schema.String),
  said: Schema.optionalKey(Schema.String),
  how: Schema.Literals(["same", "changed", "left_out", "added"]).annotate({
    description: "`left_out`: it is in the quote and was not said; `added`: it was said and is not in the quote."
  })
}).annotate({ identifier: "QuotedWord", description: "A word of the quote beside what was said." })

export const QuoteHit = Schema.Struct({
  meeting: MeetingCard,
  start: Seconds,
  end: Seconds,
  exact: Schema.Boolean,
  path: PagePath.annotate({ description: "The meeting's page, at the second of the first word." }),
  speaker: Schema.optionalKey(Schema.String),
  similarity: Schema.optionalKey(
    Schema.Finite.annotate({ description: "The share of words that are the same, from 0 to 1.", examples: [0.93] })
  ),
  words: Schema.optionalKey(Schema.Array(QuotedWord))
}).annotate({
  identifier: "QuoteHit",
  description:
    "Where it was said. `speaker`, `similarity` and `words` are for readers of that meeting: with a session, or a share grant."
})
export interface QuoteHit extends Schema.Schema.Type<typeof QuoteHit> {}

export const QuoteCheck = Schema.Struct({
  verdict: Schema.Literals(["exact", "nearly", "parts", "not_found"]).annotate({
    description:
      "`exact`: word for word, apart from how numbers and contractions are written and from fillers. `nearly`: some words were misheard or left out, and no number, name or negation differs. `parts`: less of it was said, or a number, a name or a negation differs. `not_found`: not in the meetings searched, which is not to say that it was never said."
  }),
  coverage: Schema.Struct({
    meetings_searched: Count,
    bodies: Count,
    hours: Schema.Finite.annotate({ examples: [31.5] }),
    from: Schema.optionalKey(CalendarDate),
    to: Schema.optionalKey(CalendarDate),
    without_transcript: Count.annotate({
      description: "Held meetings in the same bounds whose words are not on record."
    })
  }).annotate({ identifier: "QuoteCoverage", description: "Where the quote was looked for." }),
  hits: Schema.Array(QuoteHit),
  hint: Schema.String.annotate({ description: "The verdict in a sentence, and what to do next." })
}).annotate({ identifier: "QuoteCheck", description: "Whether, where and when a quote was said." })
export interface QuoteCheck extends Schema.Schema.Type<typeof QuoteCheck> {}
