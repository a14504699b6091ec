import { Effect } from "effect"
import type { ClipCard } from "../../schema/clip.ts"
import type { MeetingCard } from "../../schema/meeting.ts"
import type { PlaceSummary } from "../../schema/place.ts"
import { anonymous } from "../../schema/viewer.ts"
import { el, heading, type Kid, prose, web } from "../page-tree/tree.ts"
import type { Follows } from "../services/accounts/follows.ts"
import { type Arrival, Directory } from "../services/directory/directory.ts"
import type { News } from "../services/directory/news.ts"
import { Upcoming } from "../services/directory/upcoming.ts"
import { Meetings } from "../services/meetings/meetings.ts"
import { Browse } from "../services/search/browse.ts"
import { subjectsOf } from "../text/subjects.ts"
import type { Load, Page } from "./page.ts"
import { arrival, arrivalsListed } from "./parts/arrivals.ts"
import { ask } from "./parts/ask.ts"
import { heldCard } from "./parts/card.ts"
import { comingUp } from "./parts/coming-up.ts"
import { siteData } from "./parts/linked-data.ts"
import { listed } from "./parts/listed.ts"
import { type FollowedNews, followedNews, newsSection } from "./parts/news.ts"
import { onThisOrigin } from "./parts/origin.ts"
import { clipPath } from "./parts/paths.ts"
import { regionOf } from "./parts/region.ts"
import { length, nothingHeld, number, plainDate, plural } from "./said.ts"

/** An overview of the record, and its newest meetings. */
interface Home {
  readonly meetings: number
  readonly bodies: number
  readonly since: string | undefined
  /** The places with the most meetings first. */
  readonly places: ReadonlyArray<PlaceSummary>
  readonly latest: ReadonlyArray<MeetingCard>
  /** What meetings of late were about, in a few words each. */
  readonly subjects: ReadonlyArray<string>
  /** What came on record lately, newest first: meetings, and large imports in one line each. */
  readonly arrived: ReadonlyArray<MeetingCard | Arrival>
  readonly coming: ReadonlyArray<MeetingCard>
  /** Since when meetings are new to the reader, and what is new in what they follow. */
  readonly newSince: string | undefined
  readonly news: FollowedNews | undefined
  readonly clip: { readonly card: ClipCard; readonly meeting: MeetingCard } | undefined
}

const latestShown = 8
const comingShown = 6
const placesShown = 8

/** Multi-word names from the newest headlines. */
const namesIn = (latest: ReadonlyArray<MeetingCard>): ReadonlyArray<string> => {
  const named = /(?<=\p{Ll}\s)\p{Lu}[\p{L}'’]+(?:\s\p{Lu}[\p{L}'’]+)+/gu
  return latest.flatMap(({ headline = "" }) => headline.match(named) ?? [])
}

const triesShown = 3

/** What newest meetings were about: a search for each finds something. */
const tries = ({ latest, subjects }: Home): Kid => {
  const examples = [...new Set([...subjects, ...namesIn(latest)])].slice(0, triesShown)
  return el(
    "p",
    { class: "try" },
    examples.length > 0 && [
      "Try ",
      examples.map((words, index) => [
        index > 0 && ", ",
        el("a", { href: `/browse?q=${encodeURIComponent(words)}` }, `“${words}”`)
      ]),
      ", or "
    ],
    el("a", { href: "/places" }, examples.length > 0 ? "find your town" : "Find your town"),
    "."
  )
}

const feature = ({ card, meeting }: NonNullable<Home["clip"]>): Kid => {
  const path = clipPath(meeting.path, card.id)
  return el(
    "section",
    { class: "feature", "aria-labelledby": "clip" },
    meeting.poster_url !== undefined &&
      web(
        el(
          "a",
          {
            class: "poster",
            href: path,
            tabindex: -1,
            "aria-hidden": true,
            "data-clip": card.id,
            "data-clips": `/api/meetings/${meeting.id}/clips`
          },
          el("img", { src: onThisOrigin(meeting.poster_url), alt: "", width: 1280, height: 720 })
        )
      ),
    heading(el("a", { href: path, id: "clip" }, `Watch: ${card.title}`)),
    el(
      "p",
      { class: "meta" },
      el("a", { href: meeting.body.path }, meeting.body.name),
      `, ${plainDate(meeting.date)} · ${length(card.duration)}, open to all`
    )
  )
}

const making = el(
  "section",
  { class: "how wide", "aria-labelledby": "how" },
  heading(el("span", { id: "how" }, "How the record is made")),
  el(
    "ol",
    { class: "steps" },
    el(
      "li",
      {},
      el("strong", {}, "Recorded and timed."),
      " Every word of a meeting is written down with the second at which it was said."
    ),
    el(
      "li",
      {},
      el("strong", {}, "Briefed."),
      " A short account says what mattered, and each sentence links to the moment it rests on."
    ),
    el(
      "li",
      {},
      el("strong", {}, "Checked."),
      " Sentences are held against the recording. What it does not support is taken out, and we say how much. A briefing that nobody here has checked says so."
    ),
    el(
      "li",
      {},
      el("strong", {}, "Open."),
      " Anyone can find a meeting. Reading one takes a free account, or a link that a reader shares."
    )
  ),
  el("p", { class: "more" }, el("a", { href: "/about" }, "More about the record"))
)

/** `/`: what the record is, a search field, the newest meetings and the next ones. */
const homePage = (home: Home): Page => {
  const { meetings, bodies, since, places, latest, arrived, coming, clip, newSince, news } = home
  const region = regionOf(places)
  const kinds = plural(bodies, "council, board and commission", "councils, boards and commissions")
  const holds =
    meetings === 0
      ? "The public record of local government"
      : `${plural(meetings, "public meeting")} of ${kinds}${region === "" ? "" : ` in ${region}`}`
  return {
    head: {
      title: "What your local government said",
      description: `${holds}: who met, what was decided, and every word with its time.`,
      path: "/",
      access: "open",
      searches: true,
      json: "/api/meetings/browse",
      data: siteData,
      watched: { href: "/api/meetings/browse?page_size=1", seen: meetings },
      ...(clip === undefined ? {} : { script: "watch" })
    },
    main: [
      el(
        "div",
        { class: "opening wide" },
        el(
          "div",
          { class: "pitch" },
          region !== "" && el("p", { class: "place-line" }, region),
          heading("Hear what your local government said."),
          el(
            "p",
            { class: "lede" },
            "Councils, school boards and commissions meet in public. This is the record of what they decided, and of every word on the way there."
          ),
          ask({ label: "Search what was said, decided or planned", after: tries(home) }),
          meetings > 0 &&
            el(
              "p",
              { class: "tally" },
              el("strong", {}, number(meetings)),
              ` ${meetings === 1 ? "meeting" : "meetings"} held by `,
              el("strong", {}, number(bodies)),
              ` public ${bodies === 1 ? "body" : "bodies"} in `,
              el("strong", {}, number(places.length)),
              ` ${places.length === 1 ? "place" : "places"}`,
              since !== undefined && ` since ${since}`
            )
        ),
        clip !== undefined && feature(clip)
      ),
      newsSection(news),
      el(
        "div",
        { class: "wide columns" },
        listed(
          { id: "new", title: arrived.length > 0 ? "Newly on the record" : "Latest meetings" },
          meetings === 0
            ? el("p", { class: "note" }, nothingHeld)
            : [
                arrived.length > 0 &&
                  el("p", { class: "note" }, "By when they came on record; beside each is the day it met."),
                el(
                  "ol",
                  { class: "entries" },
                  arrived.length > 0
                    ? arrived.map((one) => arrival(one, newSince))
                    : latest.map((card) => heldCard(card, { newSince }))
                ),
                el("p", { class: "more" }, el("a", { href: "/browse" }, `All ${plural(meetings, "meeting")}`))
              ]
        ),
        el(
          "div",
          { class: "side" },
          comingUp(
            coming,
            { newSince },
            el("p", { class: "more" }, el("a", { href: "/upcoming" }, "The next 30 days"))
          ),
          places.length > 0 &&
            listed(
              { id: "where", title: "Places" },
              el(
                "ul",
                { class: "dotted" },
                places
                  .slice(0, placesShown)
                  .map(({ name, path, bodies, meetings_held }) =>
                    el(
                      "li",
                      {},
                      el("a", { href: path }, name),
                      " ",
                      el("span", { class: "num" }, `${plural(meetings_held, "meeting")}`),
                      prose(`, ${plural(bodies, "body", "bodies")}`)
                    )
                  )
              ),
              places.length > placesShown &&
                el("p", { class: "more" }, el("a", { href: "/places" }, `All ${plural(places.length, "place")}`))
            )
        )
      ),
      making
    ]
  }
}

/** A published clip from one of the newest meetings that have a clip and a poster. */
const findClip = Effect.fnUntraced(function* (latest: ReadonlyArray<MeetingCard>) {
  const meeting = latest.find(({ has, poster_url }) => has.clips > 0 && poster_url !== undefined)
  if (meeting === undefined) return undefined
  const { clips } = yield* Effect.orDie((yield* Meetings).open(meeting.id, anonymous))
  // The longest clip says the most, and none is long.
  const card = clips.toSorted((a, b) => b.duration - a.duration)[0]
  return card === undefined ? undefined : { card, meeting }
})

export const loadHome: Load<Browse | Directory | Follows | Meetings | Upcoming | News> = Effect.fn("HomePage.load")(
  function* (asked) {
    const browse = yield* Browse
    const directory = yield* Directory
    const upcoming = yield* Upcoming
    const [{ total, meetings, facets }, bodies, { places }, { meetings: coming }, arrivals] = yield* Effect.all(
      [
        browse.search({ page_size: 40 }),
        directory.holding,
        directory.places,
        upcoming.calendar({}, { offset: 0, limit: comingShown }),
        directory.arrivals
      ],
      { concurrency: "unbounded" }
    )
    return homePage({
      meetings: total,
      bodies,
      since: facets.year.at(-1)?.value,
      places,
      latest: meetings.slice(0, latestShown),
      subjects: subjectsOf(meetings, triesShown),
      arrived: yield* arrivalsListed(arrivals, latestShown),
      coming,
      newSince: asked.newSince,
      news: yield* followedNews(asked),
      clip: yield* findClip(meetings)
    })
  }
)
