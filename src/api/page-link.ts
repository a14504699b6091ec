import { Schema } from "effect"

/** The `Link` header of a paged list; `next` is the target of a second page, for the example. */
export const pageLink = (next: string) =>
  Schema.String.annotate({
    description:
      "Absolute addresses of the `first`, `prev`, `next` and `last` pages, with every filter kept (RFC 8288).",
    examples: [`<https://record.example.gov${next}>; rel="next"`]
  })
