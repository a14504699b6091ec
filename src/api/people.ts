import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { People, PeopleQuery, Person } from "../../schema/people.ts"
import { PersonSaid, PersonSaidQuery } from "../../schema/person-said.ts"
import { Matter, Matters, MattersQuery, PersonVotes, PersonVotesQuery, Votes } from "../../schema/vote.ts"
import { Access } from "./access.ts"
import { Gone, Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { meetingRef } from "./meetings.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { pageLink } from "./page-link.ts"
import { anyoneOrReader, Security } from "./security.ts"
import { Cached, Surface } from "./surface.ts"

const person = Schema.String.annotate({
  description: "The person's slug. One that was retired by a merge still works.",
  examples: ["springfield-ada-marsh"]
})

const open =
  "Open to everyone; the second of the recording and the words are there for callers who may read the meeting."

/** People in public office, the matters that bodies decide, and votes. */
export const PeopleGroup = HttpApiGroup.make("people")
  .add(
    HttpApiEndpoint.get("people", "/api/people", {
      query: PeopleQuery.fields,
      success: HttpApiSchema.WithHeaders(People, { link: pageLink("/api/people?page=2") }),
      error: [Internal, Unavailable]
    })
      .annotate(Surface, "public")
      .annotate(Cached, "minute")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listPeople",
          summary: "List people in public office",
          description:
            "Returns one page of people by name, with the seats and offices they hold on the day asked for. With `agency_slug` and `on`, the members of a body on that day."
        })
      ),
    HttpApiEndpoint.get("person", "/api/people/:slug", {
      params: { slug: person },
      success: Person,
      error: [NotFound, Internal, Unavailable]
    })
      .annotate(Surface, "public")
      .annotate(Cached, "record")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getPerson",
          summary: "Get a person",
          description:
            "Returns a person's seats and offices, their votes and attendance in figures, and how often others voted alike in divided votes."
        })
      ),
    HttpApiEndpoint.get("person_votes", "/api/people/:slug/votes", {
      params: { slug: person },
      query: PersonVotesQuery.fields,
      success: HttpApiSchema.WithHeaders(PersonVotes, {
        link: pageLink("/api/people/springfield-ada-marsh/votes?page=2")
      }),
      error: [NotFound, Internal, Unavailable]
    })
      .annotate(Surface, "by_viewer")
      .annotate(Cached, "record")
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listPersonVotes",
          summary: "List a person's votes",
          description: `Returns one page of the votes that a person took part in, the newest first, with how they voted. ${open}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("person_said", "/api/people/:slug/said", {
      params: { slug: person },
      query: PersonSaidQuery.fields,
      success: HttpApiSchema.WithHeaders(PersonSaid, {
        link: pageLink("/api/people/springfield-ada-marsh/said?page=2")
      }),
      error: [NotFound, Internal, Unavailable]
    })
      .annotate(Surface, "by_viewer")
      .annotate(Cached, "record")
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listPersonSaid",
          summary: "List what a person said",
          description:
            "Returns one page of the meetings at which a person spoke, the newest first, and how often they took the floor there. Callers who may read a meeting are told where they speak longest, and how that begins. Who a speaker is follows from the transcript, or from who sat on the body on that day."
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("matters", "/api/matters", {
      query: MattersQuery.fields,
      success: HttpApiSchema.WithHeaders(Matters, { link: pageLink("/api/matters?page=2") }),
      error: [Internal, Unavailable]
    })
      .annotate(Surface, "public")
      .annotate(Cached, "record")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listMatters",
          summary: "List matters",
          description:
            "Returns one page of ordinances, resolutions and other matters, the newest first. `q` finds words of the title and identifiers in any spelling: `Ord. 24-117` and `Ordinance No. 24-117` are one."
        })
      ),
    HttpApiEndpoint.get("matter", "/api/matters/:slug", {
      params: {
        slug: Schema.String.annotate({ description: "The matter's slug.", examples: ["springfield-ord-2026-14"] })
      },
      success: Matter,
      error: [NotFound, Internal, Unavailable]
    })
      .annotate(Surface, "by_viewer")
      .annotate(Cached, "record")
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getMatter",
          summary: "Get a matter",
          description: `Returns a matter with its sponsors and its way through the bodies: every action with the meeting and the vote, the meetings at which it stands on the agenda, who spoke at its items, and the meetings at which it is only spoken of. ${open}`
        })
      )
      .middleware(Access),
    HttpApiEndpoint.get("votes", "/api/meetings/:id/votes", {
      params: { id: meetingRef },
      success: Votes,
      error: [NotFound, Gone, Internal, Unavailable]
    })
      .annotate(Surface, "by_viewer")
      .annotate(Cached, "record")
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listVotes",
          summary: "List a meeting's votes",
          description: `Returns the roll calls and votes of a meeting with how each member voted, and where each is known from (\`from\`). A vote read from the words gives way where the city's data or minutes tell of the same item. ${open}`
        })
      )
      .middleware(Access)
  )
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "People", description: "People in public office, matters, and votes." }))
