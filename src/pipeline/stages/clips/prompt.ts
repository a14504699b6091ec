import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"

export const clipsPrompt = {
  name: "clips",
  version: 1,
  schema: Schema.Struct({
    worth_it: Schema.Boolean.annotate({ description: "Whether there is such a passage." }),
    title: Schema.String.annotate({ description: "At most 8 words about what is seen; empty if it is not worth it." }),
    from: Schema.Int.annotate({ description: "The number of the passage's first line." }),
    to: Schema.Int.annotate({ description: "The number of its last line." })
  }),
  maxOutputTokens: 1000,
  system: [
    "You choose the passage of a public meeting that is most worth watching about one item of its agenda.",
    "`item` is the item; `transcript` is what was said about it, a line per segment with its number and time.",
    "Choose 20 to 150 seconds in which something happens that residents want to see for themselves: a decision, an argument, an answer. Begin where a speaker begins and end where one ends. Procedure and reading aloud are not worth it."
  ]
} as const satisfies PromptForm
