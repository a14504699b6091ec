import { Schema } from "effect"
import { BodyRef } from "./agency.ts"
import { parameter, shortText, slugText, wholeNumber } from "./browse-query.ts"
import { MatterRef, matterFields } from "./matter.ts"
import { page, paged, pageSize } from "./people.ts"
import { PersonRef } from "./person-ref.ts"
import { PlaceRef } from "./place.ts"
import {
  AgendaItemId,
  CalendarDate,
  Count,
  Instant,
  MeetingId,
  NonEmptyText,
  PagePath,
  Seconds,
  WebAddress
} from "./primitives.ts"

/** How a member votes, after Open Civic Data's VoteEvent, and `present` for attendance. */
export const VoteOption = Schema.Literals([
  "yes",
  "no",
  "abstain",
  "absent",
  "excused",
  "not_voting",
  "present",
  "other"
]).annotate({ examples: ["yes"] })
export type VoteOption = typeof VoteOption.Type

export const VoteKind = Schema.Literals(["vote", "roll_call"]).annotate({
  description: "`vote` decides something; `roll_call` is attendance.",
  examples: ["vote"]
})
export type VoteKind = typeof VoteKind.Type

export const VoteResult = Schema.Literals(["pass", "fail", "other"]).annotate({ examples: ["pass"] })
export type VoteResult = typeof VoteResult.Type

/** Where a vote is known from. What is read from the words gives way to the city's own data. */
export const VoteOrigin = Schema.Literals(["source", "minutes", "transcript", "import"]).annotate({
  description:
    "`source`: the city's own data; `minutes`: its minutes; `transcript`: read by code from what is said; `import`: a bundle.",
  examples: ["source"]
})
export type VoteOrigin = typeof VoteOrigin.Type

export const VoteCount = Schema.Struct({ option: VoteOption, value: Count })

/** The kinds of Open Civic Data's bill classifications that occur in local government. */
export const MatterKind = Schema.Literals([
  "ordinance",
  "resolution",
  "motion",
  "land_use",
  "appointment",
  "hearing",
  "communication",
  "other"
]).annotate({ examples: ["ordinance"] })
export type MatterKind = typeof MatterKind.Type

export const MatterStatus = Schema.Literals([
  "introduced",
  "in_committee",
  "passed",
  "failed",
  "enacted",
  "vetoed",
  "withdrawn",
  "filed",
  "other"
]).annotate({ examples: ["passed"] })
export type MatterStatus = typeof MatterStatus.Type

/** A meeting, and the item on its agenda, as votes and steps refer to them. */
export const AtMeeting = Schema.Struct({
  id: MeetingId,
  path: PagePath.annotate({ examples: ["/in/springfield/city-council/2026-03-10-3f2b8c1e"] }),
  date: CalendarDate,
  body: BodyRef,
  item: Schema.optionalKey(
    Schema.Struct({ id: AgendaItemId, number: Schema.optionalKey(Schema.String), title: Schema.String })
  )
}).annotate({ identifier: "AtMeeting", description: "The meeting, and the item of its agenda." })
export interface AtMeeting extends Schema.Schema.Type<typeof AtMeeting> {}

const voteFields = {
  id: Schema.String.check(Schema.isUUID()),
  kind: VoteKind,
  date: CalendarDate,
  meeting: Schema.optionalKey(AtMeeting),
  matter: Schema.optionalKey(MatterRef),
  motion: Schema.optionalKey(Schema.String.annotate({ description: "What was moved.", examples: ["Approve"] })),
  result: Schema.optionalKey(VoteResult),
  result_label: Schema.optionalKey(Schema.String.annotate({ description: "As written.", examples: ["Approved"] })),
  counts: Schema.Array(VoteCount),
  moved_by: Schema.optionalKey(Schema.String),
  seconded_by: Schema.optionalKey(Schema.String),
  from: VoteOrigin,
  disagrees: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "What is heard of it at the meeting has another result or count." })
  ),
  start: Schema.optionalKey(
    Seconds.annotate({ description: "The second of the recording, for callers who may read the meeting." })
  ),
  quote: Schema.optionalKey(
    Schema.String.annotate({ description: "The words it was read from, for callers who may read the meeting." })
  ),
  source_url: Schema.optionalKey(WebAddress),
  updated_at: Instant
}

export const Ballot = Schema.Struct({
  person: Schema.optionalKey(PersonRef),
  name: Schema.String.annotate({ description: "As written.", examples: ["Ada Marsh"] }),
  option: VoteOption,
  note: Schema.optionalKey(Schema.String.annotate({ description: "The source's own word, where it says more." }))
}).annotate({ identifier: "Ballot", description: "How one member voted." })
export interface Ballot extends Schema.Schema.Type<typeof Ballot> {}

export const Vote = Schema.Struct({ ...voteFields, ballots: Schema.Array(Ballot) }).annotate({
  identifier: "Vote",
  description: "A vote, or a roll call, with how each member voted."
})

export const Votes = Schema.Struct({ ...paged, votes: Schema.Array(Vote) }).annotate({
  identifier: "Votes",
  description: "The votes of a meeting, in the order in which they were taken."
})
export interface Vote extends Schema.Schema.Type<typeof Vote> {}
export interface Votes extends Schema.Schema.Type<typeof Votes> {}

const PersonVote = Schema.Struct({
  ...voteFields,
  option: VoteOption.annotate({ description: "How the person voted." }),
  with_majority: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether that is the side that had more. Missing in a tie, or without a side."
    })
  )
}).annotate({ identifier: "PersonVote", description: "A vote, and how one person voted." })

export const PersonVotesQuery = Schema.Struct({
  year: parameter(wholeNumber(1, 9999), "Only votes of this year.", 2026),
  kind: parameter(VoteKind, "Only votes, or only roll calls; `vote` unless given.", "vote"),
  option: parameter(VoteOption, "Only votes in which they voted so.", "no"),
  majority: parameter(
    Schema.Literals(["with", "against"]),
    "Only votes in which they were with, or against, the majority of those who voted yes or no.",
    "against"
  ),
  divided: parameter(Schema.Literals(["1", "0"]), "`1`: only votes in which some voted yes and some no.", "1"),
  updated_since: parameter(Instant, "Only votes that changed at this instant or later.", "2026-03-01T00:00:00Z"),
  page,
  page_size: pageSize
})
export interface PersonVotesQuery extends Schema.Schema.Type<typeof PersonVotesQuery> {}

export const PersonVotes = Schema.Struct({ ...paged, votes: Schema.Array(PersonVote) }).annotate({
  identifier: "PersonVotes",
  description: "One person's votes, the newest first."
})
export interface PersonVotes extends Schema.Schema.Type<typeof PersonVotes> {}

const summaryFields = {
  ...matterFields,
  kind: MatterKind,
  kind_label: Schema.optionalKey(Schema.String.annotate({ description: "As written.", examples: ["Introduction"] })),
  status: MatterStatus,
  status_label: Schema.optionalKey(Schema.String.annotate({ description: "As written.", examples: ["Enacted"] })),
  introduced_on: Schema.optionalKey(CalendarDate),
  place: PlaceRef,
  agency: Schema.optionalKey(BodyRef.annotate({ description: "The body that has it." })),
  updated_at: Instant
}

const MatterSummary = Schema.Struct(summaryFields).annotate({
  identifier: "MatterSummary",
  description: "A matter in a list."
})

const Sponsor = Schema.Struct({
  person: Schema.optionalKey(PersonRef),
  name: Schema.String,
  is_primary: Schema.Boolean
}).annotate({ identifier: "Sponsor", description: "Who sponsors a matter." })

/** One action in the history of a matter. */
const MatterStep = Schema.Struct({
  date: CalendarDate,
  action: Schema.String.annotate({ description: "As written.", examples: ["Approved by Committee"] }),
  result: Schema.optionalKey(VoteResult),
  agency: Schema.optionalKey(BodyRef),
  body_name: Schema.optionalKey(Schema.String.annotate({ description: "Who acted, as written." })),
  meeting: Schema.optionalKey(AtMeeting),
  start: Schema.optionalKey(
    Seconds.annotate({ description: "The second of the recording, for callers who may read the meeting." })
  ),
  has_start: Schema.optionalKey(
    Schema.Literal(true).annotate({
      description: "The second is known: `start`, for callers who may read the meeting."
    })
  ),
  vote: Schema.optionalKey(
    Schema.Struct({
      id: voteFields.id,
      result: Schema.optionalKey(VoteResult),
      counts: Schema.Array(VoteCount),
      from: VoteOrigin
    })
  )
}).annotate({ identifier: "MatterStep", description: "An action on a matter, in the order of time." })

const MatterMention = Schema.Struct({
  meeting: AtMeeting,
  start: Schema.optionalKey(
    Seconds.annotate({ description: "The second of the recording, for callers who may read the meeting." })
  )
}).annotate({ identifier: "MatterMention", description: "A meeting at which the matter's identifier is only said." })

/** Who spoke while a meeting was at an item that is about a matter. */
const MatterDiscussion = Schema.Struct({
  meeting: AtMeeting,
  speaker_count: Count.annotate({ description: "How many speakers the transcript names there." }),
  speakers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        name: Schema.String.annotate({ description: "As the transcript names them.", examples: ["Ada Marsh"] }),
        person: Schema.optionalKey(PersonRef),
        start: Seconds.annotate({ description: "The second at which they first speak there." })
      })
    ).annotate({ description: "In the order in which they speak, for callers who may read the meeting." })
  )
}).annotate({
  identifier: "MatterDiscussion",
  description: "Who spoke while a meeting was at the matter's item, as far as the second of the item is known."
})

export const Matter = Schema.Struct({
  ...summaryFields,
  description: Schema.optionalKey(Schema.String),
  enacted_as: Schema.optionalKey(Schema.String.annotate({ description: "The law's number.", examples: ["2026/014"] })),
  source_url: Schema.optionalKey(WebAddress),
  sponsors: Schema.Array(Sponsor),
  attachments: Schema.optionalKey(
    Schema.Array(Schema.Struct({ title: Schema.String, url: WebAddress })).annotate({
      description: "Its documents, at their source."
    })
  ),
  history: Schema.Array(MatterStep),
  discussions: Schema.Array(MatterDiscussion).annotate({
    description:
      "The latest items, at most 50, at which somebody spoke whom the transcript names, in the order of time."
  }),
  mentions: Schema.Array(MatterMention).annotate({
    description: "The latest meetings at which its identifier is said, and on whose agendas it does not stand."
  })
}).annotate({ identifier: "Matter", description: "What bodies decide, and its way through them." })
export interface Matter extends Schema.Schema.Type<typeof Matter> {}

export const MattersQuery = Schema.Struct({
  q: parameter(shortText, "Words of the title, or the identifier in any spelling.", "ord 2026-14"),
  place_slug: parameter(slugText, "Only matters of this place.", "springfield"),
  agency_slug: parameter(slugText, "Only matters of this body.", "springfield-city-council"),
  kind: parameter(MatterKind, "Only matters of this kind.", "ordinance"),
  status: parameter(MatterStatus, "Only matters of this status.", "passed"),
  sponsor: parameter(slugText, "Only matters that this person sponsors.", "springfield-ada-marsh"),
  year: parameter(wholeNumber(1, 9999), "Only matters introduced in this year.", 2026),
  updated_since: parameter(Instant, "Only matters that changed at this instant or later.", "2026-03-01T00:00:00Z"),
  page,
  page_size: pageSize
})
export interface MattersQuery extends Schema.Schema.Type<typeof MattersQuery> {}

export const Matters = Schema.Struct({ ...paged, matters: Schema.Array(MatterSummary) }).annotate({
  identifier: "Matters",
  description: "Matters, the newest first; with `q`, the best matches first."
})
export interface Matters extends Schema.Schema.Type<typeof Matters> {}

/** A matter's identifier: one line. */
export const Identifier = NonEmptyText.check(Schema.isMaxLength(200, { message: "must have at most 200 characters" }))
