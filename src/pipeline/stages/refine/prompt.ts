import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"

const Line = Schema.Struct({
  line: Schema.Int.annotate({ description: "The number of the line." }),
  text: Schema.String.annotate({ description: "The line, corrected." }),
  speaker: Schema.optionalKey(Schema.String.annotate({ description: "Who says it, if that is clear." }))
})

export const refinePrompt = {
  name: "refine",
  version: 1,
  schema: Schema.Struct({ lines: Schema.Array(Line) }),
  maxOutputTokens: 12_000,
  system: [
    "You correct the transcript of a public meeting that a machine has recognized.",
    "Each line of `transcript` has a number, a time and what was said. Answer every line under its number.",
    "Set punctuation and capitals, and correct words that were misheard where the names in `names` or the agenda in `agenda` show what was said. Keep every word otherwise: do not shorten, summarize, translate, censor or add anything.",
    "Give the speaker of a line only if the transcript itself makes clear who speaks: a person by the name that is in `names`, in the agenda or in the transcript, else a role such as Chair, Clerk or Public commenter."
  ]
} as const satisfies PromptForm
