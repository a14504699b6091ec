import { Schema } from "effect"
import type { PromptForm } from "../../asking.ts"
import { Citation } from "../../citation.ts"

const Point = Schema.Struct({
  label: Schema.String.annotate({ description: "At most 4 words: a year, a place, a department." }),
  value: Schema.Finite.annotate({ description: "The number as it is said, written out: 3.5 million is 3500000." }),
  ...Citation.fields
})

const Figure = Schema.Struct({
  title: Schema.String.annotate({ description: "At most 10 words." }),
  form: Schema.Literals(["bar", "line"]).annotate({ description: "`line` only for values over time." }),
  axis: Schema.String.annotate({ description: "What the labels are: Year, Department." }),
  unit: Schema.String.annotate({ description: "What the values count: Dollars, Homes." }),
  points: Schema.Array(Point)
})

export const figuresPrompt = {
  name: "figures",
  version: 1,
  schema: Schema.Struct({ figures: Schema.Array(Figure) }),
  maxOutputTokens: 4000,
  system: [
    "You find numbers in a public meeting that are worth a chart.",
    "`transcript` has the lines around numbers that were said, each with its number and time.",
    "Answer at most 2 charts, each of 2 to 8 values of one kind and unit that were said and that residents would compare: costs by year, homes by proposal. Votes are not worth a chart. If there is none, answer no charts.",
    "Cite for each value the passage in which its number is said, word for word."
  ]
} as const satisfies PromptForm
