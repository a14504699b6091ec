import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"
import { Citation } from "../../citation.ts"

const Decision = Schema.Struct({
  item: Schema.optionalKey(
    Schema.Int.annotate({ description: "The number before its item in `agenda`, if it has one." })
  ),
  outcome: Schema.String.annotate({ description: "What was decided, in one short sentence." }),
  vote: Schema.optionalKey(Schema.String.annotate({ description: "The vote as it is said: 7-0, or unanimous." })),
  ...Citation.fields
})

/** Asks for the decisions alone. The recap's headline and summary are checked sentences of the briefing. */
export const recapPrompt = {
  name: "recap",
  version: 2,
  schema: Schema.Struct({ decisions: Schema.Array(Decision) }),
  maxOutputTokens: 3000,
  system: [
    "You list what was decided at a public meeting, for a mail to the people who live there.",
    "`agenda` has the items, with a number of ours before each. `transcript` has the lines around motions and votes, each with its number and time.",
    "Answer each decision that is made in these lines, with its vote only if that is said, and cite the passage that shows that it was decided, word for word. A motion that nobody votes on is no decision."
  ]
} as const satisfies PromptForm
