import { Schema } from "effect"

/** The one shape of every error (spec section 7): a code for programs, a sentence for people, and the next step. */
export const ErrorBody = Schema.Struct({
  error: Schema.String.annotate({ description: "A code for programs.", examples: ["not_found"] }),
  message: Schema.String.annotate({
    description: "What is wrong, naming the field.",
    examples: ['No place has the slug "atlantis".']
  }),
  hint: Schema.String.annotate({
    description: "The exact next step.",
    examples: ["GET /api/places lists every place."]
  })
}).annotate({ identifier: "Error", description: "What went wrong, and what to do next." })
export interface ErrorBody extends Schema.Schema.Type<typeof ErrorBody> {}
