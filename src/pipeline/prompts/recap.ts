import { Schema } from "effect"
import type { PromptForm } from "../asking.ts"
import { Citation } from "./citation.ts"

const Decision = Schema.Struct({
  item: Schema.optionalKey(
    Schema.Int.annotate({ description: "The number before its item in `agenda`, if it has one." })
  ),
  outcome: Schema.String.annotate({ description: "What was decided, in one short sentence." }),
  vote: Schema.optionalKey(Schema.String.annotate({ description: "The vote as it is said: 7-0, or unanimous." })),
  ...Citation.fields
})

export const recapPrompt = {
  name: "recap",
  version: 1,
  schema: Schema.Struct({
    headline: Schema.String.annotate({ description: "At most 12 words." }),
    summary: Schema.String.annotate({ description: "Two to four sentences." }),
    decisions: Schema.Array(Decision)
  }),
  maxOutputTokens: 3000,
  system: [
    "You recap a public meeting for a mail to the people who live there.",
    "`briefing` is what is already written and checked: headline and summary say no more than it does, in plain words.",
    "`agenda` has the items, with a number of ours before each. `transcript` has the lines around motions and votes, each with its number and time.",
    "Answer each decision that is made in these lines, with its vote only if that is said, and cite the passage that shows that it was decided, word for word. A motion that nobody votes on is no decision."
  ]
} as const satisfies PromptForm
