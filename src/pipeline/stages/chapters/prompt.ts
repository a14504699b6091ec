import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"

const Beginning = Schema.Struct({
  item: Schema.Int.annotate({ description: "The number before the item in `agenda`." }),
  line: Schema.Int.annotate({ description: "The number of the line where the meeting turns to it." }),
  quote: Schema.String.annotate({ description: "Three to twelve words of that line, exactly as they stand there." })
})

export const chaptersPrompt = {
  name: "chapters",
  version: 1,
  schema: Schema.Struct({ beginnings: Schema.Array(Beginning) }),
  maxOutputTokens: 4000,
  system: [
    "You find where in the transcript of a public meeting the items of its agenda are taken up.",
    "`agenda` has an item per line, with a number of ours before it. `transcript` is a part of what was said, a line per segment with its number and time.",
    "Answer only items that are clearly taken up in this part, each with the line where the meeting turns to it. A mention in passing is not a beginning. Leave out what is not there."
  ]
} as const satisfies PromptForm
