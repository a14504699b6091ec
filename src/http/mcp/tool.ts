import { Effect, type JsonSchema, Schema, Struct } from "effect"
import type { WireError } from "../../api/errors/classes.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import type { ReaderTokens } from "../../services/accounts/reader-tokens.ts"
import type { Shares } from "../../services/accounts/shares.ts"
import type { Directory } from "../../services/directory/directory.ts"
import type { Locations } from "../../services/directory/locations.ts"
import type { Upcoming } from "../../services/directory/upcoming.ts"
import type { Documents } from "../../services/meetings/documents.ts"
import type { Meetings } from "../../services/meetings/meetings.ts"
import type { Summaries } from "../../services/meetings/summaries.ts"
import type { Transcripts } from "../../services/meetings/transcripts.ts"
import type { Matters } from "../../services/people/matters.ts"
import type { People } from "../../services/people/people.ts"
import type { Said } from "../../services/people/said.ts"
import type { Votes } from "../../services/people/votes.ts"
import type { Browse } from "../../services/search/browse.ts"
import type { QuoteChecks } from "../../services/search/quotes/quote-check.ts"
import type { Quotes } from "../../services/search/quotes/quotes.ts"
import { firstTrouble } from "../middleware/bad-fields.ts"

/** The services that the tools read. */
export type ToolServices =
  | Browse
  | Directory
  | Documents
  | Locations
  | Matters
  | Meetings
  | People
  | QuoteChecks
  | Quotes
  | ReaderTokens
  | Said
  | Shares
  | Summaries
  | Transcripts
  | Upcoming
  | Votes

/** The token that came with the request, in the header `X-Civic-Record-Token`; not checked yet. */
export type ReaderToken = string | undefined

/** An answer: the data, and a sentence about it for people and for clients that show only text. */
export interface Told {
  readonly data: object
  readonly text: string
}

/** A tool as clients see it, and its implementation, which receives undecoded arguments. */
export interface Tool {
  readonly listing: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: { readonly type: "object" } & JsonSchema.JsonSchema
    readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false }
  }
  /** Counted against the limit of quote checks as well. */
  readonly isQuoteCheck?: true
  readonly call: (
    sent: Readonly<Record<string, unknown>> | undefined,
    token: ReaderToken
  ) => Effect.Effect<Told, WireError, ToolServices>
}

/** The schema of arguments, as JSON Schema (draft 2020-12). */
const jsonSchemaOf = (schema: Schema.Top): Tool["listing"]["inputSchema"] => {
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(schema)
  return {
    ...root,
    type: "object",
    additionalProperties: false,
    ...(Struct.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
}

/** PostgreSQL cannot store U+0000; it is refused here as in an address. */
const holdsNul = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\u0000") : Array.isArray(value) && value.some(holdsNul)

/** A read-only tool. Its arguments are decoded, and a wrong one is refused by its name. */
export const tool = <Fields extends Schema.Struct.Fields>(
  name: string,
  title: string,
  description: string,
  input: Schema.Struct<Fields> & Schema.Codec<unknown, unknown>,
  run: (input: Schema.Struct<Fields>["Type"], token: ReaderToken) => Effect.Effect<Told, WireError, ToolServices>
): Tool => ({
  listing: {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input),
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  call: (sent = {}, token) => {
    const refused = (field: string, problem: string) =>
      invalidRequest(field, problem, `Correct it, and call ${name} again.`)
    return Schema.decodeUnknownEffect(input, { onExcessProperty: "error" })(sent).pipe(
      Effect.mapError(({ issue }) => {
        const { field = "The arguments", problem } = firstTrouble(issue)
        return refused(field, problem)
      }),
      Effect.tap(() => {
        const bad = Object.keys(sent).find((field) => holdsNul(sent[field]))
        return bad === undefined ? Effect.void : Effect.fail(refused(bad, "must not hold the character U+0000"))
      }),
      Effect.flatMap((decoded) => run(decoded, token))
    )
  }
})
