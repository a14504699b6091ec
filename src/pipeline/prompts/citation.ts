import { Schema } from "effect"

/** A passage of the transcript as a model cites it. */
export const Citation = Schema.Struct({
  line: Schema.Int.annotate({ description: "The number of the line in which the passage begins." }),
  quote: Schema.String.annotate({ description: "3 to 40 words of the transcript, exactly as they stand there." })
})
export interface Citation extends Schema.Schema.Type<typeof Citation> {}
