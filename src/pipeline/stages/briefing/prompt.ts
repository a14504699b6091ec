import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"
import { Citation } from "../../citation.ts"

const Note = Schema.Struct({
  topic: Schema.String.annotate({ description: "What it is about, in 2 to 6 words." }),
  text: Schema.String.annotate({ description: "One sentence." }),
  citations: Schema.Array(Citation)
})

/** The first step, for one part of the transcript at a time: the points worth noting, each with its citation. */
export const notesPrompt = {
  name: "notes",
  version: 1,
  schema: Schema.Struct({ notes: Schema.Array(Note) }),
  maxOutputTokens: 6000,
  system: [
    "You take notes of a public meeting for the people who live there.",
    "`transcript` is a part of what was said, a line per segment with its number and time. `agenda` is what was to be discussed.",
    "Write at most 12 notes of what residents should know: what was proposed, decided, argued, promised or asked, what it costs and whom it concerns. Leave out ceremony and procedure. If there is nothing of the kind, answer no notes.",
    "Each note is one plain sentence that says no more than what is said, without opinion. Name who says something only if the transcript does. Every number must be said there.",
    "Cite for each note one to three passages of the transcript that show it, word for word."
  ]
} as const satisfies PromptForm

const Topic = Schema.Struct({
  title: Schema.String.annotate({ description: "2 to 6 words." }),
  notes: Schema.Array(Schema.Int).annotate({ description: "Numbers of notes, in the order in which they are read." })
})

/** The second step, from all notes: the briefing's content and order. Its sentences are the notes themselves. */
export const briefingPrompt = {
  name: "briefing",
  version: 1,
  schema: Schema.Struct({
    headline: Schema.String,
    worth_watching: Schema.Array(
      Schema.Struct({
        text: Schema.String,
        note: Schema.Int.annotate({ description: "The number of the note that it is about." })
      })
    ),
    topics: Schema.Array(Topic)
  }),
  maxOutputTokens: 3000,
  system: [
    "You arrange notes of a public meeting into a briefing for the people who live there.",
    "`notes` has a note per line, with its number and topic. Choose what matters most, put it under at most 8 topics, the most important first, and leave out what repeats. Use a note at most once.",
    "Write a headline of at most 12 words about what matters most, and at most 4 lines of what is worth watching, each about one note. Say nothing that the notes do not say."
  ]
} as const satisfies PromptForm
