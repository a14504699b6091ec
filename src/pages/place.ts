import { Effect } from "effect"
import { Environment } from "../../layers/config/config.ts"
import type { AgencySummary, Place } from "../../schema/agency.ts"
import type { MeetingCard } from "../../schema/meeting.ts"
import type { People } from "../../schema/people.ts"
import { stateName } from "../geocoder/states.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import type { EmailPrefs } from "../services/accounts/email-prefs.ts"
import type { Follows } from "../services/accounts/follows.ts"
import { Directory } from "../services/directory/directory.ts"
import type { Changes, News } from "../services/directory/news.ts"
import { Upcoming } from "../services/directory/upcoming.ts"
import type { People as PeopleOnRecord } from "../services/people/people.ts"
import { Browse } from "../services/search/browse.ts"
import type { Load, Page } from "./page.ts"
import { ask } from "./parts/ask.ts"
import { heldCard } from "./parts/card.ts"
import { comingUp } from "./parts/coming-up.ts"
import { type FollowState, followButton, followState } from "./parts/follow.ts"
import { bodyKindNames } from "./parts/kinds.ts"
import { listed } from "./parts/listed.ts"
import { membersInLine, membersNow } from "./parts/members.ts"
import { newsLine, newsOf } from "./parts/news.ts"
import { subscribe } from "./parts/subscribe.ts"
import { withQuery } from "./query.ts"
import { number, plural } from "./said.ts"

interface PlaceView {
  /** `BASE_URL`, for addresses that other programs read. */
  readonly base: string
  readonly place: Place
  readonly since: string | undefined
  readonly coming: ReadonlyArray<MeetingCard>
  readonly latest: ReadonlyArray<MeetingCard>
  readonly members: People["people"]
  /** Undefined if not signed in. */
  readonly follow: FollowState | undefined
  readonly newSince: string | undefined
  readonly news: Changes | undefined
}

const latestShown = 10
/** Bodies that are shown before the rest is folded away. */
const bodiesShown = 20
const comingShown = 6

/** `City in Tamarack County, Illinois` */
const whereItIs = ({ kind, county, state }: Place): string =>
  kind === "county"
    ? `County in ${stateName(state)}`
    : `City in ${county === undefined ? "" : `${county}, `}${stateName(state)}`

const bodyItem = ({ slug, name, path, kind, meetings_held }: AgencySummary, members: PlaceView["members"]): Kid =>
  el(
    "li",
    {},
    el("a", { href: path }, name),
    " ",
    el("span", { class: "num" }, `${bodyKindNames[kind]} · ${plural(meetings_held, "meeting")}`),
    membersInLine(slug, members)
  )

/** `/in/{place}`: the bodies of a place, their decisions, and their next meetings. */
const placePage = ({ base, place, since, coming, latest, members, follow, newSince, news }: PlaceView): Page => {
  const { name, slug, path, bodies, meetings_held } = place
  const sum = `${plural(meetings_held, "meeting")} of ${plural(bodies.length, "public body", "public bodies")}${since === undefined ? "" : ` since ${since}`}`
  return {
    head: {
      title: name,
      description: `What the councils and boards of ${name} decided: ${sum}.`,
      path,
      access: "open",
      current: "places",
      searches: true,
      json: `/api/places/${slug}`,
      feed: { href: `${path}.atom`, title: `Meetings of ${name}` },
      calendar: { href: `${path}.ics`, title: `Calendar of ${name}` },
      script: "copying",
      watched: { href: withQuery("/api/meetings/browse", { place_slug: slug, page_size: 1 }), seen: meetings_held },
      crumbs: [
        { name: "Places", path: "/places" },
        { name, path }
      ]
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        el("p", { class: "place-line" }, whereItIs(place)),
        heading(name),
        el("p", { class: "lede" }, `${sum}.`),
        newsLine(news),
        followButton({ field: "place", slug, path, state: follow }),
        ask({ label: `Search the meetings of ${name}`, within: [["place_slug", slug]] })
      ),
      el(
        "div",
        { class: "wide split" },
        el(
          "div",
          { class: "side" },
          comingUp(
            coming,
            { newSince },
            subscribe({ base, name, calendar: `${path}.ics`, feed: `${path}.atom` }),
            el(
              "p",
              { class: "more" },
              el("a", { href: withQuery("/upcoming", { place_slug: slug }) }, `The next 30 days in ${name}`)
            )
          ),
          listed(
            { id: "bodies", title: "Public bodies" },
            el(
              "ul",
              { class: "dotted" },
              bodies.slice(0, bodiesShown).map((body) => bodyItem(body, members))
            ),
            bodies.length > bodiesShown &&
              el(
                "details",
                {},
                el("summary", {}, `${number(bodies.length - bodiesShown)} more`),
                el(
                  "ul",
                  { class: "dotted" },
                  bodies.slice(bodiesShown).map((body) => bodyItem(body, members))
                )
              )
          )
        ),
        listed(
          { id: "latest", title: "Latest meetings" },
          latest.length === 0
            ? el("p", { class: "note" }, "No held meeting is on record yet.")
            : el(
                "ol",
                { class: "entries" },
                latest.map((card) => heldCard(card, { newSince }))
              ),
          meetings_held > latest.length &&
            el(
              "p",
              { class: "more" },
              el("a", { href: withQuery("/browse", { place_slug: slug }) }, `All ${plural(meetings_held, "meeting")}`)
            )
        )
      )
    ]
  }
}

export const loadPlace: Load<
  Browse | Directory | EmailPrefs | Environment | Follows | PeopleOnRecord | Upcoming | News
> = Effect.fn("PlacePage.load")(function* (asked) {
  const { params, viewer, newSince } = asked
  const place = yield* (yield* Directory).place(params.place ?? "")
  const { meetings, facets } = yield* (yield* Browse).search({ place_slug: place.slug, page_size: latestShown })
  const { meetings: coming } = yield* (yield* Upcoming).calendar(
    { place_slug: place.slug },
    { offset: 0, limit: comingShown }
  )
  return placePage({
    base: (yield* Environment).baseUrl,
    place,
    since: facets.year.at(-1)?.value,
    coming,
    latest: meetings,
    members: yield* membersNow({ place_slug: place.slug }),
    newSince,
    news: yield* newsOf(asked, { agencies: [], places: [place.slug] }),
    follow: yield* followState(viewer, "places", place.slug)
  })
})

/** The flat address of a place, which redirects forever (spec section 1). */
export const movedPlace: Load<Directory> = Effect.fn("PlacePage.moved")(function* ({ params }) {
  const { path } = yield* (yield* Directory).place(params.slug ?? "")
  return { movedTo: path }
})
