import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"
import { Citation } from "../../citation.ts"

const Decision = Schema.Struct({
  outcome: Schema.String.annotate({ description: "What was decided, in one short sentence." }),
  ...Citation.fields
})

/**
 * Asks for the decisions' wording alone. Code reads the votes, and the recap's headline and summary are checked
 * sentences of the briefing.
 */
export const recapPrompt = {
  name: "recap",
  version: 3,
  schema: Schema.Struct({ decisions: Schema.Array(Decision) }),
  maxOutputTokens: 3000,
  system: [
    "You list what was decided at a public meeting, for a mail to the people who live there.",
    "`agenda` has the items, with a number of ours before each. `transcript` has the lines around motions and votes, each with its number and time.",
    "Answer each decision that is made in these lines in the words of the agenda and of those who speak, without the count of the vote, and cite the passage in which its result is announced, word for word. A motion that nobody votes on is no decision."
  ]
} as const satisfies PromptForm
