import { Schema } from "effect"
import { signed } from "./clip.ts"
import { AgendaItemId, ClaimId, Count, FigureId, Instant, MeetingId, Seconds } from "./primitives.ts"

export const Span = Schema.Struct({ start: Seconds, end: Seconds }).annotate({
  identifier: "Span",
  description: "A span of a recording."
})
export interface Span extends Schema.Schema.Type<typeof Span> {}

export const Sentence = Schema.Struct({ text: Schema.String, citations: Schema.Array(Span) }).annotate({
  identifier: "Sentence",
  description: "A sentence, with the spans of the recording that it rests on."
})
export interface Sentence extends Schema.Schema.Type<typeof Sentence> {}

const Topic = Schema.Struct({
  title: Schema.String,
  sentences: Schema.Array(Sentence),
  figures: Schema.Array(FigureId)
}).annotate({ identifier: "Topic", description: "A topic of the briefing." })

export const WorthWatching = Schema.Struct({ text: Schema.String, start: Schema.optionalKey(Seconds) }).annotate({
  identifier: "WorthWatching",
  description: "Something worth watching, and where in the recording it is."
})
export interface WorthWatching extends Schema.Schema.Type<typeof WorthWatching> {}

export const BriefingVerification = Schema.Literals(["verified", "disabled", "unchecked"]).annotate({
  description:
    "`verified`: every claim was checked here. `disabled`: an operator has disabled the claim check. `unchecked`: the briefing was imported, with or without verdicts, and nobody here checked it."
})

/** The briefing while the claim check is still running. */
const PendingNewsletter = Schema.Struct({
  meeting_id: MeetingId,
  pending_verification: Schema.Literal(true)
}).annotate({ identifier: "PendingNewsletter", description: "The briefing is still being verified." })

/** The briefing as it is served: edited, without sentences whose claims are not supported. */
export const EditedNewsletter = Schema.Struct({
  meeting_id: MeetingId,
  pending_verification: Schema.Literal(false),
  verification: BriefingVerification,
  headline: Schema.String,
  worth_watching: Schema.Array(WorthWatching),
  topics: Schema.Array(Topic),
  removed_sentences: Count,
  unchecked_sentences: Count.annotate({
    description:
      "Sentences that nobody could check. They are among those removed, unless an operator has them served: then `verification` is `unchecked`."
  }),
  generator: Schema.optionalKey(Schema.String),
  published_at: Instant
}).annotate({
  identifier: "EditedNewsletter",
  description: "The briefing as it is served, with unsupported sentences removed."
})
export interface EditedNewsletter extends Schema.Schema.Type<typeof EditedNewsletter> {}

export const Newsletter = Schema.Union([PendingNewsletter, EditedNewsletter]).annotate({
  identifier: "Newsletter",
  description: "The briefing, or that it is still being verified."
})
export type Newsletter = typeof Newsletter.Type

/**
 * `unchecked`: code could not settle it, and the deployment has no model to check it but the one that writes.
 */
export const Verdict = Schema.Literals(["supported", "unsupported", "contradicted", "unchecked"])
export type Verdict = typeof Verdict.Type

export const Evidence = Schema.Struct({ start: Seconds, end: Seconds, quote: Schema.String }).annotate({
  identifier: "Evidence",
  description: "What was said that a claim was checked against: a quote, and its span of the recording."
})
export interface Evidence extends Schema.Schema.Type<typeof Evidence> {}

/** One claim of the briefing, and the result of checking it against the recording. */
export const Claim = Schema.Struct({
  id: ClaimId,
  topic: Schema.String,
  text: Schema.String,
  verdict: Verdict,
  kept: Schema.Boolean.annotate({
    description: "Whether the sentence, headline or line that makes the claim is in the briefing that is served."
  }),
  evidence: Schema.Array(Evidence),
  checked_at: Instant
}).annotate({ identifier: "Claim", description: "A claim of the briefing, and what checking it found." })
export interface Claim extends Schema.Schema.Type<typeof Claim> {}

export const Claims = Schema.Struct({
  meeting_id: MeetingId,
  enabled: Schema.Boolean,
  status: Schema.Literals(["pending", "verified"]),
  imported: Schema.Boolean.annotate({
    description: "Whether the verdicts came with an imported briefing; they were not checked here."
  }),
  claims: Schema.Array(Claim)
}).annotate({ identifier: "Claims", description: "The claims behind a briefing." })
export interface Claims extends Schema.Schema.Type<typeof Claims> {}

const AgendaSummaryItem = Schema.Struct({
  number: Schema.optionalKey(Schema.String),
  title: Schema.String,
  summary: Schema.String
}).annotate({ identifier: "AgendaSummaryItem", description: "One agenda item in plain words." })

export const AgendaSummary = Schema.Struct({
  meeting_id: MeetingId,
  items: Schema.Array(AgendaSummaryItem)
}).annotate({
  identifier: "AgendaSummary",
  description: "The agenda in plain words; open to everyone, as the agenda itself is."
})
export interface AgendaSummary extends Schema.Schema.Type<typeof AgendaSummary> {}

export const Decision = Schema.Struct({
  agenda_item: Schema.optionalKey(AgendaItemId),
  outcome: Schema.String,
  vote: Schema.optionalKey(Schema.String),
  start: Schema.optionalKey(Seconds).annotate({ description: "The second at which it is voted on." })
}).annotate({ identifier: "Decision", description: "A decision: its outcome, and the vote if there was one." })

export const Recap = Schema.Struct({
  meeting_id: MeetingId,
  headline: Schema.String,
  summary: Schema.String,
  decisions: Schema.Array(Decision)
}).annotate({ identifier: "Recap", description: "A meeting in short, with its decisions." })
export interface Recap extends Schema.Schema.Type<typeof Recap> {}

export const Graphics = Schema.Struct({
  meeting_id: MeetingId,
  figures: Schema.Array(
    Schema.Struct({
      id: FigureId,
      title: Schema.String,
      alt: Schema.String,
      media_type: Schema.String,
      width: Count,
      height: Count,
      ...signed
    }).annotate({ identifier: "Figure", description: "A figure, with an address signed for this visit." })
  )
}).annotate({ identifier: "Graphics", description: "The figures of a briefing, in order." })
export interface Graphics extends Schema.Schema.Type<typeof Graphics> {}
