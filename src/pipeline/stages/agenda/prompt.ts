import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"

const Item = Schema.Struct({
  number: Schema.optionalKey(Schema.String.annotate({ description: "The item's number as the agenda writes it." })),
  title: Schema.String.annotate({ description: "The item's title in the agenda's own words, without its number." }),
  summary: Schema.String.annotate({ description: "One or two plain sentences." })
})

export const agendaPrompt = {
  name: "agenda",
  version: 1,
  schema: Schema.Struct({ items: Schema.Array(Item) }),
  maxOutputTokens: 12_000,
  system: [
    "You list and explain the agenda of a public meeting for its residents.",
    "`agenda` is the text of the agenda, line by line. Answer its items in their order, each with its number and its title in the agenda's own words.",
    "Summarize each in one or two sentences of plain English: what is proposed or decided, and what it costs if the agenda says so. Use only what the agenda says; every number must be in it. Where it says no more than the title, repeat the title."
  ]
} as const satisfies PromptForm
