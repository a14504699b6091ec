import { Schema } from "effect"
import { BodyKind, BodyRef } from "./agency.ts"
import { BriefingVerification } from "./briefing.ts"
import { ClipCard } from "./clip.ts"
import { DocumentCard, DocumentId, DocumentKind } from "./document.ts"
import { MatterRef } from "./matter.ts"
import { PlaceRef } from "./place.ts"
import {
  AgendaItemId,
  CalendarDate,
  Count,
  Instant,
  Language,
  MeetingId,
  PagePath,
  Seconds,
  StateCode,
  TimeZone,
  WebAddress
} from "./primitives.ts"

export const MeetingStatus = Schema.Literals(["upcoming", "held", "cancelled"]).annotate({ examples: ["held"] })
export type MeetingStatus = typeof MeetingStatus.Type

/** Where a browse query matched. Gated text is searched too, but only the place of a match is sent, never the words. */
export const Match = Schema.Struct({
  field: Schema.Literals([
    "title",
    "body",
    "agenda",
    "chapter",
    "clip",
    "briefing",
    "speaker",
    "transcript",
    "document"
  ]),
  snippet: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Plain text around the matching words. In a transcript, the sentence that is said there: for a session, or a share grant for the meeting. Left out where the caller may not read the words."
    })
  ),
  speaker: Schema.optionalKey(
    Schema.String.annotate({
      description: "Who says it, if that is known: of a match in a transcript that has a `snippet`.",
      examples: ["Ada Marsh"]
    })
  ),
  count: Schema.optionalKey(
    Count.annotate({
      description:
        "Of a match in a transcript: how often the words are said in the meeting; several words as often as all of them are said within about half a minute.",
      examples: [12]
    })
  ),
  start: Schema.optionalKey(Seconds.annotate({ description: "The second at which the matching words are said." })),
  document: Schema.optionalKey(
    Schema.Struct({ id: DocumentId, kind: DocumentKind, title: Schema.String }).annotate({
      description: "Of a match in a document: which one it is. Documents are open to everyone, and so is the `snippet`."
    })
  ),
  page: Schema.optionalKey(
    Count.annotate({ description: "Of a match in a document: the page, from 1.", examples: [88] })
  ),
  path: PagePath.annotate({
    description:
      "The meeting's page, opened at that moment, with the words that were searched for; of a match in a document, the page of the document.",
    examples: ["/in/springfield/city-council/2026-03-10-3f2b8c1e?t=754&q=greenway"]
  })
}).annotate({ identifier: "Match", description: "Where in a meeting the query matched." })
export interface Match extends Schema.Schema.Type<typeof Match> {}

const cardFields = {
  id: MeetingId,
  slug: Schema.String.annotate({
    description: "`<short-id>-<body-slug>-<date>`; it still works if truncated anywhere after the short id.",
    examples: ["3f2b8c1e-springfield-city-council-2026-03-10"]
  }),
  path: PagePath.annotate({ examples: ["/in/springfield/city-council/2026-03-10-3f2b8c1e"] }),
  title: Schema.String.annotate({ examples: ["Regular Meeting"] }),
  date: CalendarDate,
  starts_at: Schema.optionalKey(Instant),
  timezone: TimeZone,
  status: MeetingStatus,
  type: BodyKind,
  body: BodyRef,
  places: Schema.Array(PlaceRef),
  state: StateCode,
  county: Schema.optionalKey(Schema.String),
  city: Schema.optionalKey(Schema.String),
  duration: Schema.optionalKey(Seconds),
  poster_url: Schema.optionalKey(Schema.String.annotate({ description: "An absolute address." })),
  location: Schema.optionalKey(
    Schema.String.annotate({
      description: "Where it takes place, on one line.",
      examples: ["Council Chambers, City Hall, 12 Mill Street"]
    })
  ),
  join_url: Schema.optionalKey(WebAddress.annotate({ description: "Where anyone can attend it from afar." })),
  agenda_url: Schema.optionalKey(WebAddress.annotate({ description: "The agenda, where the body posts it." })),
  minutes_url: Schema.optionalKey(WebAddress.annotate({ description: "The minutes, where the body posts them." })),
  headline: Schema.optionalKey(Schema.String),
  about: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description:
        "Up to two items of the agenda that tell it from other meetings of the body, without those of every agenda.",
      examples: [["Mill Street easement"]]
    })
  ),
  has: Schema.Struct({
    transcript: Schema.Boolean,
    briefing: Schema.Boolean,
    claims: Schema.Boolean,
    recap: Schema.Boolean,
    video: Schema.Boolean,
    agenda: Schema.Boolean,
    clips: Count
  }).annotate({
    description:
      "What this meeting has. `agenda`: its items or its file; `claims`: claims of the briefing with a verdict; `clips`: the number of published clips."
  }),
  updated_at: Instant,
  source_url: Schema.optionalKey(WebAddress)
}

/** A meeting in a list. */
export const MeetingCard = Schema.Struct({
  ...cardFields,
  matches: Schema.optionalKey(Schema.Array(Match))
}).annotate({ identifier: "MeetingCard", description: "A meeting as it appears in lists." })
export interface MeetingCard extends Schema.Schema.Type<typeof MeetingCard> {}

export const Chapter = Schema.Struct({ title: Schema.String, start: Seconds, end: Seconds }).annotate({
  identifier: "Chapter",
  description: "A chapter of the recording."
})
export interface Chapter extends Schema.Schema.Type<typeof Chapter> {}

const agendaChangedAt = Schema.optionalKey(
  Instant.annotate({ description: "When the body last amended its agenda, after it was first on record." })
)

const documents = Schema.Array(DocumentCard).annotate({
  description: "Agenda, packet, minutes and attachments. They are the body's own publications, and open to everyone."
})

const teaserItem = {
  id: AgendaItemId,
  number: Schema.optionalKey(Schema.String),
  title: Schema.String,
  start: Schema.optionalKey(Seconds),
  matter: Schema.optionalKey(MatterRef.annotate({ description: "The matter it is about, if that is on record." })),
  packet: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        document: DocumentId,
        title: Schema.String.annotate({ examples: ["Agenda packet"] }),
        page: Count.annotate({ description: "The page on which the item begins, from 1.", examples: [88] }),
        path: PagePath.annotate({
          examples: ["/documents/0c9e4b1a-7d52-8f36-a1e4-5b0d9c8f7a63?page=88#page-88"]
        })
      })
    ).annotate({
      description:
        "Where packets have it, by their bookmarks or what stands at the head of their pages; missing where that is not sure."
    })
  )
}

export const AgendaItemCard = Schema.Struct(teaserItem).annotate({
  identifier: "AgendaItemCard",
  description: "An agenda item, as the teaser shows it."
})
export interface AgendaItemCard extends Schema.Schema.Type<typeof AgendaItemCard> {}

export const AgendaItem = Schema.Struct({
  ...teaserItem,
  description: Schema.optionalKey(Schema.String),
  outcome: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "AgendaItem", description: "An agenda item, with its description and outcome." })
export interface AgendaItem extends Schema.Schema.Type<typeof AgendaItem> {}

/** The part of the briefing that anyone may read, clamped at a word, with an ellipsis. */
export const NewsletterTeaser = Schema.Struct({
  verification: BriefingVerification,
  headline: Schema.String.check(Schema.isMaxLength(140)),
  worth_watching: Schema.Array(Schema.String.check(Schema.isMaxLength(200))).check(Schema.isMaxLength(3)),
  first_topic: Schema.optionalKey(
    Schema.Struct({ title: Schema.String, summary: Schema.String.check(Schema.isMaxLength(280)) })
  )
}).annotate({ identifier: "NewsletterTeaser", description: "The part of the briefing that is open to everyone." })
export interface NewsletterTeaser extends Schema.Schema.Type<typeof NewsletterTeaser> {}

const link = (description: string) => Schema.optionalKey(PagePath.annotate({ description }))

export const MeetingLinks = Schema.Struct({
  self: PagePath.annotate({ description: "This answer." }),
  page: PagePath.annotate({ description: "The meeting's page." }),
  body: PagePath.annotate({ description: "The profile of the body that held it." }),
  documents: link("Agenda, packet, minutes and attachments."),
  agenda_summary: link("The agenda in plain words."),
  clips: link("The published clips."),
  community_clips: link("Clips that readers cut."),
  transcript: link("What was said."),
  newsletter: link("The briefing."),
  claims: link("The checked claims of the briefing."),
  recap: link("The recap."),
  graphics: link("The figures of the briefing."),
  video: link("The recording."),
  agenda: link("The copy of the agenda."),
  events: link("The stream of what becomes ready."),
  share: link("Mints a link that opens the meeting for somebody else."),
  user_clips: link("The clips that you cut out of it.")
}).annotate({
  identifier: "MeetingLinks",
  description: "What this caller can fetch now: paths on this origin, by name."
})
export interface MeetingLinks extends Schema.Schema.Type<typeof MeetingLinks> {}

/** The view of a meeting for an anonymous caller. */
export const MeetingTeaser = Schema.Struct({
  ...cardFields,
  gated: Schema.Literal(true),
  agenda_changed_at: agendaChangedAt,
  agenda_items: Schema.Array(AgendaItemCard),
  documents,
  chapters: Schema.Array(Chapter),
  clips: Schema.Array(ClipCard),
  newsletter_teaser: Schema.optionalKey(NewsletterTeaser),
  links: MeetingLinks
}).annotate({
  identifier: "MeetingTeaser",
  description: "The redacted meeting, for callers without a session or a share grant."
})
export interface MeetingTeaser extends Schema.Schema.Type<typeof MeetingTeaser> {}

/** The view of a meeting that a session or a share grant opens. */
export const MeetingRecord = Schema.Struct({
  ...cardFields,
  gated: Schema.Literal(false),
  agenda_changed_at: agendaChangedAt,
  agenda_items: Schema.Array(AgendaItem),
  documents,
  chapters: Schema.Array(Chapter),
  clips: Schema.Array(ClipCard),
  recording: Schema.optionalKey(Schema.Struct({ duration: Seconds, width: Count, height: Count })),
  transcript: Schema.optionalKey(
    Schema.Struct({
      version: Schema.Literals(["refined", "raw"]),
      language: Language,
      word_count: Count,
      generator: Schema.optionalKey(Schema.String)
    })
  ),
  briefing: Schema.optionalKey(Schema.Struct({ pending_verification: Schema.Boolean })),
  links: MeetingLinks
}).annotate({ identifier: "MeetingRecord", description: "The full record of a meeting." })
export interface MeetingRecord extends Schema.Schema.Type<typeof MeetingRecord> {}

export const Meeting = Schema.Union([MeetingTeaser, MeetingRecord]).annotate({
  identifier: "Meeting",
  description: "The teaser or the full record of a meeting; `gated` says which."
})
export type Meeting = typeof Meeting.Type
