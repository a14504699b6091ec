import { Effect } from "effect"
import { UpcomingQuery } from "../../schema/browse.ts"
import type { MeetingCard } from "../../schema/meeting.ts"
import type { PlaceRef } from "../../schema/place.ts"
import { Directory } from "../services/directory/directory.ts"
import { Upcoming } from "../services/directory/upcoming.ts"
import type { Load, Page } from "./page.ts"
import { comingCard } from "./parts/card.ts"
import { soonestFirst } from "./parts/order.ts"
import { queryDecoder, withQuery } from "./query.ts"
import { longDate, plural } from "./said.ts"
import { el, heading, type Kid } from "./tree/tree.ts"

export interface UpcomingView {
  readonly query: UpcomingQuery
  readonly within: number
  readonly meetings: ReadonlyArray<MeetingCard>
  readonly places: ReadonlyArray<PlaceRef>
}

/** Places to choose from before the list of them all is the better way. */
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

const days = (meetings: ReadonlyArray<MeetingCard>): Kid =>
  [...Map.groupBy(meetings, ({ date }) => date)].map(([date, onIt]) =>
    el(
      "section",
      {},
      heading(el("time", { datetime: date }, longDate(date))),
      el(
        "ol",
        { class: "entries" },
        onIt.map((card) => comingCard(card, { by: "hour" }))
      )
    )
  )

/** `/upcoming`: what is announced, day by day; what was called off keeps its place. */
export const upcomingPage = (view: UpcomingView): Page => {
  const { query, within, meetings, places } = view
  const place = places.find(({ slug }) => slug === query.place_slug)
  const where = place === undefined ? "" : ` in ${place.name}`
  const off = meetings.filter(({ status }) => status === "cancelled").length
  const path = withQuery("/upcoming", { ...query })
  return {
    head: {
      title: `Coming up${where}`,
      description: `${plural(meetings.length, "public meeting")} announced${where} for the next ${plural(within, "day")}, with the hour and the agenda where it is posted.`,
      path,
      access: "open",
      current: "upcoming",
      json: withQuery("/api/upcoming", { ...query })
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        heading(`Coming up${where}`),
        el(
          "p",
          { class: "lede" },
          `${plural(meetings.length, "meeting")} announced for the next ${plural(within, "day")}`,
          off > 0 && `, ${off} of them cancelled`,
          "."
        ),
        choice(view)
      ),
      el(
        "div",
        { class: "wide calendar" },
        meetings.length === 0
          ? el(
              "div",
              { class: "empty" },
              el("p", {}, `No meeting is announced${where}. Bodies post them up to ${plural(within, "day")} ahead.`),
              el(
                "ul",
                { class: "plain" },
                el("li", {}, el("a", { href: place?.path ?? "/browse" }, "See the meetings that were held"))
              )
            )
          : days(meetings)
      )
    ]
  }
}

const decode = queryDecoder(UpcomingQuery)

/** A calendar leaves nothing out that a body announced. */
const wholeCalendar = { per_body: 10 }

export const loadUpcoming: Load<Directory | Upcoming> = Effect.fn("UpcomingPage.load")(function* (asked) {
  const query = yield* decode(asked.query)
  const { list } = yield* (yield* Upcoming).list({ ...wholeCalendar, ...query })
  const { places } = yield* (yield* Directory).places
  return upcomingPage({
    query,
    within: list.within_days,
    meetings: soonestFirst(list.bodies.flatMap(({ meetings }) => meetings)),
    places
  })
})
