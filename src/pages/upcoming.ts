import { Effect, Schema, Struct } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { bodyKindLabels } from "../../schema/agency.ts"
import { UpcomingQuery } from "../../schema/browse.ts"
import type { MeetingCard } from "../../schema/meeting.ts"
import type { PlaceRef } from "../../schema/place.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { Directory } from "../services/directory/directory.ts"
import { type AnnouncedQuery, type CalendarPage, Upcoming } from "../services/directory/upcoming.ts"
import type { Load, Page } from "./page.ts"
import { comingCard } from "./parts/card.ts"
import { pager } from "./parts/pager.ts"
import { subscribe } from "./parts/subscribe.ts"
import { queryDecoder, withQuery } from "./query.ts"
import { longDate, number, plural } from "./said.ts"

/** The parameters of the page: those of the API, and the page number. */
const CalendarQuery = Schema.Struct(Struct.omit(UpcomingQuery.fields, ["per_body", "page_size"]))
type CalendarQuery = typeof CalendarQuery.Type

/** Meetings per page. */
const pageSize = 200

export interface UpcomingView {
  /** `BASE_URL`, for addresses that other programs read. */
  readonly base: string
  readonly query: CalendarQuery
  readonly found: CalendarPage
  readonly places: ReadonlyArray<PlaceRef>
  readonly newSince?: string | undefined
}

/** How many places the choice offers before a link to all of them is better. */
const mostChoices = 12

const choice = ({ query, places }: UpcomingView): Kid =>
  places.length > 1 &&
  el(
    "nav",
    { "aria-label": "Meetings of one place" },
    el(
      "ul",
      { class: "choice", inline: true },
      el(
        "li",
        {},
        el(
          "a",
          { href: "/upcoming", "aria-current": query.place_slug === undefined ? "true" : undefined },
          "All places"
        )
      ),
      places
        .filter(({ slug }, index) => index < mostChoices || slug === query.place_slug)
        .map(({ slug, name }) =>
          el(
            "li",
            {},
            el(
              "a",
              {
                href: withQuery("/upcoming", { place_slug: slug }),
                "aria-current": slug === query.place_slug ? "true" : undefined
              },
              name
            )
          )
        )
    )
  )

const days = (meetings: ReadonlyArray<MeetingCard>, newSince: string | undefined): Kid =>
  [...Map.groupBy(meetings, ({ date }) => date)].map(([date, onIt]) =>
    el(
      "section",
      {},
      heading(el("time", { datetime: date }, longDate(date))),
      el(
        "ol",
        { class: "entries" },
        onIt.map((card) => comingCard(card, { by: "hour", newSince }))
      )
    )
  )

/** What a list of announced meetings is about, by its filters: `Coming up in Larkmoor: city councils`. */
export const nameOfAnnounced = (
  { place_slug, type = [], follow_agency = [], follow_place = [] }: AnnouncedQuery,
  places: ReadonlyArray<PlaceRef>
): string => {
  const place = places.find(({ slug }) => slug === place_slug)
  const followed = follow_agency.length + follow_place.length
  const narrowed = [
    ...type.map((kind) => bodyKindLabels[kind].toLowerCase()),
    ...(followed === 0 ? [] : [plural(followed, "chosen body or place", "chosen bodies and places")])
  ]
  return `Coming up${place === undefined ? "" : ` in ${place.name}`}${narrowed.length === 0 ? "" : `: ${narrowed.join(", ")}`}`
}

/** `/upcoming`: announced meetings, day by day; a cancelled one keeps its place. */
export const upcomingPage = (view: UpcomingView): Page => {
  const { base, query, found, places } = view
  const { meetings, total, cancelled, withinDays: within } = found
  const { page = 1, ...announced } = query
  const pages = Math.ceil(total / pageSize)
  const place = places.find(({ slug }) => slug === query.place_slug)
  const where = place === undefined ? "" : ` in ${place.name}`
  const calendar = withQuery("/upcoming.ics", announced)
  const name = nameOfAnnounced(announced, places)
  const pathOf = (page: number) => withQuery("/upcoming", { ...announced, page: page > 1 ? page : undefined })
  return {
    head: {
      title: page > 1 ? `Coming up${where}, page ${page}` : `Coming up${where}`,
      description: `${plural(total, "public meeting")} announced${where} for the next ${plural(within, "day")}, with the hour and the agenda where it is posted.`,
      path: pathOf(page),
      access: "open",
      current: "upcoming",
      json: withQuery("/api/upcoming", announced),
      calendar: { href: calendar, title: name },
      script: "copying",
      watched: { href: withQuery("/api/upcoming", { ...announced, per_body: 10 }) }
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        heading(`Coming up${where}`),
        el(
          "p",
          { class: "lede" },
          `${plural(total, "meeting")} announced for the next ${plural(within, "day")}`,
          cancelled > 0 && `, ${number(cancelled)} of them cancelled`,
          pages > 1 && `; page ${number(page)} of ${number(pages)}`,
          "."
        ),
        choice(view),
        subscribe({ base, name, calendar })
      ),
      el(
        "div",
        { class: "wide calendar" },
        total > 0
          ? days(meetings, view.newSince)
          : el(
              "div",
              { class: "empty" },
              el("p", {}, `No meeting is announced${where}. Bodies post them up to ${plural(within, "day")} ahead.`),
              el(
                "ul",
                { class: "plain" },
                el("li", {}, el("a", { href: place?.path ?? "/browse" }, "See the meetings that were held"))
              )
            ),
        pager({ page, pages, path: pathOf })
      )
    ]
  }
}

const decode = queryDecoder(CalendarQuery)

export const loadUpcoming: Load<Directory | Environment | Upcoming> = Effect.fn("UpcomingPage.load")(function* (asked) {
  const query = yield* decode(asked.query)
  const offset = ((query.page ?? 1) - 1) * pageSize
  const found = yield* (yield* Upcoming).calendar(query, { offset, limit: pageSize })
  const { places } = yield* (yield* Directory).places
  return upcomingPage({ base: (yield* Environment).baseUrl, query, found, places, newSince: asked.newSince })
})
