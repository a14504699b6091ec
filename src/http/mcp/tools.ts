import { Effect, Schema, Struct } from "effect"
import { UpcomingQuery } from "../../../schema/browse.ts"
import { BrowseQuery } from "../../../schema/browse-query.ts"
import { PeopleQuery } from "../../../schema/people.ts"
import { MattersQuery, PersonVotesQuery } from "../../../schema/vote.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { readerTokenHeader } from "../../pages/parts/reader-token-header.ts"
import { plural } from "../../pages/said.ts"
import { Directory } from "../../services/directory/directory.ts"
import { Locations } from "../../services/directory/locations.ts"
import { Upcoming } from "../../services/directory/upcoming.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { Matters } from "../../services/people/matters.ts"
import { People } from "../../services/people/people.ts"
import { Said } from "../../services/people/said.ts"
import { Votes } from "../../services/people/votes.ts"
import { Browse } from "../../services/search/browse.ts"
import { checkQuote } from "./check-quote.ts"
import { getDocument } from "./get-document.ts"
import { readMeeting, viewerOf } from "./read-meeting.ts"
import { type Tool, tool } from "./tool.ts"

const slug = (of: string) => Schema.String.annotate({ description: `The slug of a ${of}, as other answers name it.` })

/**
 * Every tool of `/mcp`: read-only, over the services of the API. Those that tell words or seconds ask who is calling.
 */
export const tools: ReadonlyArray<Tool> = [
  tool(
    "search_meetings",
    "Search meetings",
    "Searches the held meetings of the record by what was said and decided, newest or best match first. Each meeting says where its words were found, with the second of the recording, or the document and its page (get_document reads it). Leave out q to browse, also announced and cancelled meetings by status.",
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
        "person",
        "matter",
        "vote",
        "facet",
        "status",
        "sort",
        "page",
        "after",
        "page_size"
      ])
    ),
    (query) =>
      Effect.flatMap(Browse, (browse) => browse.search(query)).pipe(
        Effect.map((page) => ({
          // The other facets are for people who filter a list by hand, and longer than the list.
          data: {
            ...Struct.omit(page, ["facets"]),
            ...(query.facet === undefined ? {} : { facets: Struct.pick(page.facets, query.facet) })
          },
          text: `${plural(page.total, "meeting")} found, ${page.meetings.length} of them here.`
        })),
        Effect.mapError(wire)
      )
  ),
  readMeeting,
  getDocument,
  checkQuote,
  tool(
    "list_upcoming",
    "List upcoming meetings",
    "The meetings that public bodies have announced for the next 30 days, by body, with their agendas where posted; cancelled ones have that status.",
    Schema.Struct(
      Struct.pick(UpcomingQuery.fields, ["place_slug", "type", "within_days", "per_body", "page", "page_size"])
    ),
    (query) =>
      Effect.flatMap(Upcoming, (upcoming) =>
        Effect.map(upcoming.list(query), ({ list }) => ({
          data: list,
          text: `The next meetings of ${plural(list.bodies.length, "body", "bodies")}.`
        }))
      )
  ),
  tool(
    "find_place_or_body",
    "Find a place or a public body",
    "Finds cities, counties and public bodies by name, address or ZIP code, misspelled ones too. Their slugs narrow the other tools.",
    Schema.Struct({ q: Schema.String.check(Schema.isMaxLength(200)).annotate({ description: "What to look for." }) }),
    ({ q }) =>
      Effect.flatMap(Locations, (locations) =>
        Effect.map(locations.search(q), (data) => ({
          data,
          text: `${plural(data.results.length, "place or body", "places and bodies")} found.`
        }))
      )
  ),
  tool(
    "get_place",
    "Describe a place",
    "A city or county, and the public bodies that serve it, with how many meetings of each are on record.",
    Schema.Struct({ slug: slug("place") }),
    ({ slug }) =>
      Effect.flatMap(Directory, (directory) => directory.place(slug)).pipe(
        Effect.map((data) => ({ data, text: `${data.name}.` })),
        Effect.mapError(wire)
      )
  ),
  tool(
    "get_body",
    "Describe a public body",
    "A council, board or commission: its kind, the places it serves, how many meetings are on record and since when.",
    Schema.Struct({ slug: slug("public body") }),
    ({ slug }) =>
      Effect.flatMap(Directory, (directory) => directory.agency(slug)).pipe(
        Effect.map((data) => ({ data, text: `${data.name}.` })),
        Effect.mapError(wire)
      )
  ),
  tool(
    "find_people",
    "Find people in public office",
    "People by name, or the members of a body on a day, with their seats.",
    PeopleQuery,
    (query) =>
      Effect.flatMap(People, (people) =>
        Effect.map(people.list(query), (data) => ({ data, text: `${plural(data.total, "person", "people")} found.` }))
      )
  ),
  tool(
    "get_person",
    "Describe a person in public office",
    `Seats and offices, votes and attendance in figures, who votes alike in divided votes, and the latest meetings at which they spoke; with a reader's token (header ${readerTokenHeader}) where they spoke longest and how that begins.`,
    Schema.Struct({ slug: slug("person") }),
    ({ slug }, token) =>
      Effect.gen(function* () {
        const viewer = yield* viewerOf(token, undefined)
        const person = yield* (yield* People).person(slug)
        const said = yield* (yield* Said).byPerson(slug, {}, viewer)
        return { data: { ...person, said }, text: `${person.name}.` }
      }).pipe(Effect.mapError(wire))
  ),
  tool(
    "find_matters",
    "Find matters",
    "Ordinances, resolutions and applications by words or by number, in any spelling of it, newest first.",
    MattersQuery,
    (query) =>
      Effect.flatMap(Matters, (matters) =>
        Effect.map(matters.list(query), (data) => ({ data, text: `${plural(data.total, "matter")} found.` }))
      )
  ),
  tool(
    "get_matter",
    "Follow a matter",
    `A matter with its sponsors and its way through the bodies: each action with its meeting and the vote, and how many spoke at its items; with a reader's token (header ${readerTokenHeader}) who, and the seconds.`,
    Schema.Struct({ slug: slug("matter") }),
    ({ slug }, token) =>
      Effect.gen(function* () {
        const viewer = yield* viewerOf(token, undefined)
        const data = yield* (yield* Matters).matter(slug, viewer)
        return { data, text: `${data.identifier}: ${data.title}` }
      }).pipe(Effect.mapError(wire))
  ),
  tool(
    "list_votes",
    "List votes",
    "The votes of a meeting with how each member voted, or of a person, the newest first.",
    Schema.Struct({
      meeting: Schema.optionalKey(Schema.String.annotate({ description: "The id or slug of a meeting." })),
      person: Schema.optionalKey(slug("person")),
      ...PersonVotesQuery.fields
    }),
    ({ meeting, person, ...query }) =>
      Effect.gen(function* () {
        if (person !== undefined) {
          const data = yield* Effect.mapError((yield* Votes).ofPerson(person, query), wire)
          return { data, text: `${plural(data.total, "vote")} found.` }
        }
        if (meeting === undefined)
          return yield* invalidRequest("meeting", "is required", "Give the id of a meeting, or the slug of a person.")
        const id = yield* Effect.mapError((yield* Meetings).resolve(meeting), wire)
        const data = yield* (yield* Votes).ofMeeting(id)
        return { data, text: `${plural(data.total, "vote")} found.` }
      })
  )
]

/** An answer in which everything that has a page includes its address, so that it can be cited. */
export const withAddresses = (base: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => withAddresses(base, one))
  if (typeof value !== "object" || value === null) return value
  const told = Object.fromEntries(Object.entries(value).map(([name, of]) => [name, withAddresses(base, of)]))
  return "path" in value && typeof value.path === "string" ? { ...told, url: `${base}${value.path}` } : told
}
