import { Effect, Schema } from "effect"
import { Environment } from "../../layers/config/config.ts"
import type { Agency } from "../../schema/agency.ts"
import type { BrowsePage as Found } from "../../schema/browse.ts"
import { wholeNumber } from "../../schema/browse-query.ts"
import type { MeetingCard } from "../../schema/meeting.ts"
import type { People } from "../../schema/people.ts"
import { el, heading, type Kid, prose } from "../page-tree/tree.ts"
import type { EmailPrefs } from "../services/accounts/email-prefs.ts"
import type { Follows } from "../services/accounts/follows.ts"
import { Directory } from "../services/directory/directory.ts"
import type { Changes, News } from "../services/directory/news.ts"
import { Upcoming } from "../services/directory/upcoming.ts"
import type { People as PeopleOnRecord } from "../services/people/people.ts"
import { Browse } from "../services/search/browse.ts"
import type { Load, Page } from "./page.ts"
import { ask } from "./parts/ask.ts"
import { bodyAt } from "./parts/body-at.ts"
import { comingUp } from "./parts/coming-up.ts"
import { type FollowState, followButton, followState } from "./parts/follow.ts"
import { bodyKindNames } from "./parts/kinds.ts"
import { bodyData } from "./parts/linked-data.ts"
import { membersNow, membersOf } from "./parts/members.ts"
import { byMonth } from "./parts/months.ts"
import { newsLine, newsOf } from "./parts/news.ts"
import { pager } from "./parts/pager.ts"
import { subscribe } from "./parts/subscribe.ts"
import { queryDecoder, withQuery } from "./query.ts"
import { month, plural } from "./said.ts"

interface BodyView {
  /** `BASE_URL`, for addresses that other programs read. */
  readonly base: string
  readonly body: Agency
  /** The place it was requested under; it may serve others too. */
  readonly at: string
  readonly coming: ReadonlyArray<MeetingCard>
  readonly held: Found
  readonly members: People["people"]
  /** Undefined if not signed in. */
  readonly follow: FollowState | undefined
  readonly newSince: string | undefined
  readonly news: Changes | undefined
}

/** `11 meetings on record, from September 2025 to November 2026` */
const span = ({ meetings_held, first_meeting, latest_meeting }: Agency): string => {
  const [first, latest] = [first_meeting, latest_meeting].map((date) => (date === undefined ? "" : month(date)))
  const when = first === "" ? "" : first === latest ? ` in ${first}` : `, from ${first} to ${latest}`
  return meetings_held === 0 ? "No held meeting on record yet" : `${plural(meetings_held, "meeting")} on record${when}`
}

/** Facts as a one-line list: the places it serves, its website. */
const facts = ({ places, website }: Agency): Kid =>
  el(
    "ul",
    { class: "facts", inline: true },
    places.map(({ name, path }) => el("li", {}, prose("Serves "), el("a", { href: path }, name))),
    website !== undefined &&
      el("li", {}, el("a", { href: website, rel: "external" }, `Website: ${new URL(website).host}`))
  )

/** `/in/{place}/{body}`: one council, board or commission; first upcoming meetings, then decisions by month. */
const bodyPage = ({ base, body, at, coming, held, members, follow, newSince, news }: BodyView): Page => {
  const { name, slug, path, places } = body
  const place = places.find((one) => one.slug === at) ?? places[0]
  const pages = Math.ceil(held.total / held.page_size)
  return {
    head: {
      title: held.page > 1 ? `${name}, page ${held.page}` : name,
      description: `${name}, ${bodyKindNames[body.kind].toLowerCase()}. ${span(body)}, and what comes next.`,
      path: withQuery(path, { page: held.page > 1 ? held.page : undefined }),
      access: "open",
      current: "places",
      searches: true,
      json: `/api/agencies/${slug}`,
      feed: { href: `${path}.atom`, title: `Meetings of ${name}` },
      calendar: { href: `${path}.ics`, title: `Calendar of ${name}` },
      data: bodyData(body),
      script: "copying",
      watched: { href: withQuery("/api/meetings/browse", { agency_slug: slug, page_size: 1 }), seen: held.total },
      crumbs: [...(place === undefined ? [] : [{ name: place.name, path: place.path }]), { name, path }]
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        el("p", { class: "place-line" }, bodyKindNames[body.kind]),
        heading(name),
        el("p", { class: "lede" }, `${span(body)}.`),
        newsLine(news),
        facts(body),
        followButton({ field: "agency", slug, path, state: follow }),
        ask({ label: `Search the meetings of this body`, within: [["agency", slug]] })
      ),
      el(
        "div",
        { class: "wide split" },
        el(
          "div",
          { class: "side" },
          comingUp(
            coming,
            { named: "title", newSince },
            subscribe({ base, name, calendar: `${path}.ics`, feed: `${path}.atom` })
          ),
          membersOf(slug, members)
        ),
        el(
          "div",
          { class: "results" },
          byMonth(held.meetings, { ofOneBody: true, newSince }),
          pager({ page: held.page, pages, path: (page) => withQuery(path, { page: page > 1 ? page : undefined }) })
        )
      )
    ]
  }
}

const decode = queryDecoder(Schema.Struct({ page: Schema.optionalKey(wholeNumber(1, 10_000)) }))

export const loadBody: Load<
  Browse | Directory | EmailPrefs | Environment | Follows | PeopleOnRecord | Upcoming | News
> = Effect.fn("BodyPage.load")(function* (asked) {
  const { place = "", body: segment = "" } = asked.params
  const { page = 1 } = yield* decode(asked.query)
  const body = yield* bodyAt(place, segment)
  if ("movedTo" in body) return body
  const held = yield* (yield* Browse).search({ agency_slug: body.slug, page, page_size: 50 })
  const { meetings } = yield* (yield* Upcoming).ofAgency(body.slug)
  const follow = yield* followState(asked.viewer, "agencies", body.slug)
  const members = yield* membersNow({ agency_slug: body.slug })
  const { newSince } = asked
  const news = yield* newsOf(asked, { agencies: [body.slug], places: [] })
  const { baseUrl: base } = yield* Environment
  return bodyPage({ base, body, at: place, coming: meetings, held, members, follow, newSince, news })
})

/** The flat address of a body, which redirects forever (spec section 1). */
export const movedBody: Load<Directory> = Effect.fn("BodyPage.moved")(function* ({ params }) {
  const { path } = yield* (yield* Directory).agency(params.slug ?? "")
  return { movedTo: path }
})
