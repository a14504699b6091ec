import { Schema } from "effect"
import { PersonRef } from "./person-ref.ts"
import { Count, Language, MeetingId, Seconds } from "./primitives.ts"

export const TranscriptVersion = Schema.Literals(["refined", "raw"])
export type TranscriptVersion = typeof TranscriptVersion.Type

/** A word, with the time it was spoken. */
export const Word = Schema.Struct({ start: Seconds, end: Seconds, text: Schema.String }).annotate({
  identifier: "Word",
  description: "A word, with the time it was spoken."
})
export interface Word extends Schema.Schema.Type<typeof Word> {}

/** One speaker's words without a break; `words` only if the source has their times. */
export const Segment = Schema.Struct({
  start: Seconds,
  end: Seconds,
  speaker: Schema.optionalKey(Schema.String),
  text: Schema.String,
  words: Schema.optionalKey(Schema.Array(Word))
}).annotate({ identifier: "Segment", description: "What one speaker said without a break." })
export interface Segment extends Schema.Schema.Type<typeof Segment> {}

/** What was taken out of a transcript: home addresses, P.O. boxes, phone numbers, e-mail addresses, or other words. */
export const RemovalKind = Schema.Literals(["home", "box", "phone", "email", "other"])
export type RemovalKind = typeof RemovalKind.Type

export const RemovalCount = Schema.Struct({ kind: RemovalKind, count: Count }).annotate({
  identifier: "RemovalCount",
  description:
    "How many of a kind were taken out of the transcript: home addresses (`home`), P.O. boxes (`box`), phone numbers (`phone`) and e-mail addresses (`email`) that people say are theirs, and `other` words that an operator took out."
})
export interface RemovalCount extends Schema.Schema.Type<typeof RemovalCount> {}

/** A speaker of a transcript of whom more is known than the name. */
const NamedSpeaker = Schema.Struct({
  name: Schema.String.annotate({ description: "As in `segments[].speaker`.", examples: ["Ada Marsh"] }),
  shown_at: Schema.optionalKey(
    Seconds.annotate({
      description:
        "The second at which it is said whose voice this is; missing where the source of the transcript names the speaker."
    })
  ),
  person: Schema.optionalKey(
    PersonRef.annotate({
      description:
        "Who they are, if somebody in public office: said so by the source, or a member of the body on that day."
    })
  )
}).annotate({
  identifier: "NamedSpeaker",
  description:
    "A speaker whose voice was named by what is said (a roll call that they answer, or their own introduction), or who is somebody in public office. Voices that nothing names are `Speaker 1`, `Speaker 2` and so on."
})

export const Transcript = Schema.Struct({
  meeting_id: MeetingId,
  version: TranscriptVersion,
  language: Language,
  generator: Schema.optionalKey(Schema.String),
  duration: Seconds,
  removals: Schema.optionalKey(Schema.NonEmptyArray(RemovalCount)).annotateKey({
    description:
      "What was taken out of it here; a mark such as `[address removed]` stands in its place. Missing if nothing was."
  }),
  speakers: Schema.optionalKey(Schema.Array(NamedSpeaker)),
  segments: Schema.Array(Segment)
}).annotate({ identifier: "Transcript", description: "What was said in a meeting, with timestamps." })
export interface Transcript extends Schema.Schema.Type<typeof Transcript> {}
