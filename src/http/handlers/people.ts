import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { People as PeoplePage } from "../../../schema/people.ts"
import { PersonSaid } from "../../../schema/person-said.ts"
import { Matters as MattersPage, PersonVotes } from "../../../schema/vote.ts"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { Matters } from "../../services/people/matters.ts"
import { People } from "../../services/people/people.ts"
import { Said } from "../../services/people/said.ts"
import { Votes } from "../../services/people/votes.ts"
import { asTyped } from "../as-typed.ts"
import { pageLinks } from "../links.ts"

export const PeopleLive = HttpApiBuilder.group(
  Api,
  "people",
  Effect.fnUntraced(function* (handlers) {
    const meetings = yield* Meetings
    const people = yield* People
    const matters = yield* Matters
    const said = yield* Said
    const votes = yield* Votes
    const { baseUrl } = yield* Environment

    interface Page {
      readonly total: number
      readonly page: number
      readonly page_size: number
    }

    /** The `Link` header of a page. */
    const linksOf = ({ url }: { readonly url: string }, { total, page, page_size }: Page) => ({
      link: pageLinks(new URL(url, baseUrl), { total, page, pageSize: page_size })
    })

    return handlers.handleAll({
      people: ({ query, request }) =>
        Effect.map(people.list(query), (found) => asTyped(PeoplePage)(found, linksOf(request, found))),
      person: ({ params }) => Effect.mapError(people.person(params.slug), wire),
      person_votes: Effect.fnUntraced(function* ({ params, query, request }) {
        const found = yield* Effect.mapError(votes.ofPerson(params.slug, query, yield* CurrentViewer), wire)
        return asTyped(PersonVotes)(found, linksOf(request, found))
      }),
      person_said: Effect.fnUntraced(function* ({ params, query, request }) {
        const found = yield* Effect.mapError(said.byPerson(params.slug, query, yield* CurrentViewer), wire)
        return asTyped(PersonSaid)(found, linksOf(request, found))
      }),
      matters: ({ query, request }) =>
        Effect.map(matters.list(query), (found) => asTyped(MattersPage)(found, linksOf(request, found))),
      matter: Effect.fnUntraced(function* ({ params }) {
        return yield* Effect.mapError(matters.matter(params.slug, yield* CurrentViewer), wire)
      }),
      votes: Effect.fnUntraced(function* ({ params }) {
        const id = yield* Effect.mapError(meetings.resolve(params.id), wire)
        return yield* votes.ofMeeting(id, yield* CurrentViewer)
      })
    })
  })
)
