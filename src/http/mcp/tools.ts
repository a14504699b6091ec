import { Effect, type JsonSchema, Schema, Struct } from "effect"
import { UpcomingQuery } from "../../../schema/browse.ts"
import { BrowseQuery } from "../../../schema/browse-query.ts"
import { anonymous } from "../../../schema/viewer.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { Directory } from "../../services/directory/directory.ts"
import { Locations } from "../../services/directory/locations.ts"
import { Upcoming } from "../../services/directory/upcoming.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { Browse } from "../../services/search/browse.ts"
import { firstTrouble } from "../middleware/bad-fields.ts"

/** The services that the tools read. No viewer is passed on, because every caller is anonymous. */
export type ToolServices = Browse | Meetings | Directory | Upcoming | Locations

/** A tool as clients see it, and its implementation, which receives undecoded arguments. */
export interface Tool {
  readonly listing: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: { readonly type: "object" } & JsonSchema.JsonSchema
    readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false }
  }
  readonly call: (sent: Readonly<Record<string, unknown>> | undefined) => Effect.Effect<object, WireError, ToolServices>
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

const tool = <Fields extends Schema.Struct.Fields>(
  name: string,
  title: string,
  description: string,
  input: Schema.Struct<Fields> & Schema.Codec<unknown, unknown>,
  run: (input: Schema.Struct<Fields>["Type"]) => Effect.Effect<object, WireError, ToolServices>
): Tool => ({
  listing: {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input),
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  call: (sent = {}) => {
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
      Effect.flatMap(run)
    )
  }
})

const slug = (of: string) => Schema.String.annotate({ description: `The slug of a ${of}, as other answers name it.` })

/** Every tool of `/mcp`: read-only, over the services of the API, as an anonymous caller (spec section 1). */
export const tools: ReadonlyArray<Tool> = [
  tool(
    "search_meetings",
    "Search meetings",
    "Searches the held meetings of the record by what was said and decided, newest or best match first. Each meeting says where its words were found, with the second of the recording. Leave out q to browse, also announced and cancelled meetings by status.",
    Schema.Struct(
      Struct.pick(BrowseQuery.fields, [
        "q",
        "exact",
        "place_slug",
        "agency_slug",
        "state",
        "county",
        "city",
        "type",
        "year",
        "date_from",
        "date_to",
        "has",
        "status",
        "sort",
        "page",
        "after",
        "page_size"
      ])
    ),
    (query) =>
      Effect.flatMap(Browse, (browse) => browse.search(query)).pipe(
        // Facets are for people who filter a list by hand, and longer than the list.
        Effect.map((page) => Struct.omit(page, ["facets"])),
        Effect.mapError(wire)
      )
  ),
  tool(
    "get_meeting",
    "Open a meeting",
    "One meeting: what, who, when, its agenda, its chapters and the beginning of its briefing. The transcript, the whole briefing and the recording need a free account; the page at `url` says so.",
    Schema.Struct({
      id: Schema.String.annotate({ description: "The id or slug of a meeting, as other answers name it." })
    }),
    ({ id }) => Effect.flatMap(Meetings, (meetings) => Effect.mapError(meetings.open(id, anonymous), wire))
  ),
  tool(
    "list_upcoming",
    "List upcoming meetings",
    "The meetings that public bodies have announced for the next 30 days, by body, with their agendas where posted; cancelled ones have that status.",
    Schema.Struct(
      Struct.pick(UpcomingQuery.fields, ["place_slug", "type", "within_days", "per_body", "page", "page_size"])
    ),
    (query) => Effect.flatMap(Upcoming, (upcoming) => Effect.map(upcoming.list(query), ({ list }) => list))
  ),
  tool(
    "find_place_or_body",
    "Find a place or a public body",
    "Finds cities, counties and public bodies by name, address or ZIP code, misspelled ones too. Their slugs narrow the other tools.",
    Schema.Struct({ q: Schema.String.check(Schema.isMaxLength(200)).annotate({ description: "What to look for." }) }),
    ({ q }) => Effect.flatMap(Locations, (locations) => locations.search(q))
  ),
  tool(
    "get_place",
    "Describe a place",
    "A city or county, and the public bodies that serve it, with how many meetings of each are on record.",
    Schema.Struct({ slug: slug("place") }),
    ({ slug }) => Effect.flatMap(Directory, (directory) => Effect.mapError(directory.place(slug), wire))
  ),
  tool(
    "get_body",
    "Describe a public body",
    "A council, board or commission: its kind, the places it serves, how many meetings are on record and since when.",
    Schema.Struct({ slug: slug("public body") }),
    ({ slug }) => Effect.flatMap(Directory, (directory) => Effect.mapError(directory.agency(slug), wire))
  )
]

/** An answer in which everything that has a page includes its address, so that it can be cited. */
export const withAddresses = (base: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => withAddresses(base, one))
  if (typeof value !== "object" || value === null) return value
  const told = Object.fromEntries(Object.entries(value).map(([name, of]) => [name, withAddresses(base, of)]))
  return "path" in value && typeof value.path === "string" ? { ...told, url: `${base}${value.path}` } : told
}
