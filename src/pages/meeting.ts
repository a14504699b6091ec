import { Effect } from "effect"
import type { Meeting } from "../../schema/meeting.ts"
import { Meetings } from "../services/meetings/meetings.ts"
import type { Load, Page } from "./page.ts"
import { moment } from "./parts/card.ts"
import { meetingData } from "./parts/linked-data.ts"
import { onThisOrigin } from "./parts/origin.ts"
import { clipPath, meetingIn } from "./parts/paths.ts"
import { clock, length, longDate, timeOfDay } from "./said.ts"
import { type El, el, heading, type Kid, prose, web } from "./tree/tree.ts"

const part = (id: string, title: string, ...kids: ReadonlyArray<Kid>): El =>
  el(
    "section",
    { id, class: "part", "aria-labelledby": `${id}-h` },
    heading(el("span", { id: `${id}-h` }, title)),
    kids
  )

const facts = (meeting: Meeting): Kid => {
  const { body, title, date, starts_at, timezone, duration, source_url } = meeting
  return el(
    "ul",
    { class: "facts", inline: true },
    el("li", {}, el("a", { href: body.path }, body.name)),
    el("li", {}, title),
    el(
      "li",
      {},
      el(
        "time",
        { datetime: starts_at ?? date },
        longDate(date),
        starts_at !== undefined && `, ${timeOfDay(starts_at, timezone)}`
      )
    ),
    duration !== undefined && el("li", {}, length(duration)),
    source_url !== undefined &&
      el("li", {}, el("a", { href: source_url, rel: "external" }, `Source: ${new URL(source_url).host}`))
  )
}

const chapters = ({ chapters }: Meeting): Kid =>
  chapters.length > 0 &&
  part(
    "chapters",
    "Chapters",
    el(
      "ol",
      { class: "chapters" },
      chapters.map(({ title, start }) =>
        el("li", {}, el("time", { datetime: `PT${Math.floor(start)}S` }, clock(start)), " ", el("span", {}, title))
      )
    )
  )

const briefing = (meeting: Meeting): Kid => {
  if (!meeting.gated || meeting.newsletter_teaser === undefined) return false
  const { first_topic, worth_watching } = meeting.newsletter_teaser
  return part(
    "briefing",
    "Briefing",
    first_topic !== undefined &&
      el("section", { class: "topic" }, heading(first_topic.title), el("p", {}, first_topic.summary)),
    worth_watching.length > 0 &&
      el(
        "section",
        { class: "watch" },
        heading("Worth watching"),
        el(
          "ul",
          {},
          worth_watching.map((text) => el("li", {}, text))
        )
      )
  )
}

const agenda = ({ agenda_items }: Meeting): Kid =>
  agenda_items.length > 0 &&
  part(
    "agenda",
    "Agenda",
    el(
      "ol",
      { class: "agenda" },
      agenda_items.map(({ number, title, start }) =>
        el(
          "li",
          {},
          number !== undefined && web(el("span", { class: "number" }, number)),
          el("strong", {}, title),
          start !== undefined && [" ", moment(`?t=${Math.floor(start)}`, start, `Hear it at ${clock(start)}`)]
        )
      )
    )
  )

const clips = ({ path, clips }: Meeting): Kid =>
  clips.length > 0 &&
  part(
    "clips",
    "Clips",
    el("p", { class: "note" }, "Open to all."),
    el(
      "ul",
      { class: "clips" },
      clips.map(({ id, title, start, duration }) =>
        el(
          "li",
          {},
          web(el("span", { class: "num" }, clock(start))),
          el("a", { href: clipPath(path, id) }, title),
          " ",
          el("span", { class: "num" }, length(duration))
        )
      )
    )
  )

/** What signing in opens, told beside the headline and never over it. */
const invitation = ({ gated, path, has, duration, poster_url }: Meeting): Kid => {
  const start = `/signin?return_to=${encodeURIComponent(path)}`
  return (
    gated &&
    el(
      "div",
      { class: "stage gate" },
      poster_url !== undefined &&
        web(el("img", { class: "poster", src: onThisOrigin(poster_url), alt: "", width: 1280, height: 720 })),
      el(
        "section",
        { class: "invitation", "aria-labelledby": "more-h" },
        heading(el("span", { id: "more-h" }, "Read and hear the whole meeting")),
        el("p", {}, "With a free account, or a link that a reader shares, you get:"),
        el(
          "ul",
          {},
          has.video && el("li", {}, `the recording${duration === undefined ? "" : `, ${length(duration)}`}`),
          has.transcript && el("li", {}, "the transcript, every word with its time, to search, quote and download"),
          has.briefing &&
            el("li", {}, "the whole briefing, each sentence with the moments it rests on, and what was removed"),
          has.agenda && el("li", {}, "the agenda with its outcomes, and its PDF"),
          el("li", {}, "clips of your own, to share")
        ),
        el(
          "p",
          { class: "act" },
          web(el("a", { class: "action", href: start }, "Sign in with an e-mail address")),
          prose(
            "Sign in: ",
            el("a", { href: start }, "with an e-mail address"),
            ". A person has to do this, in a browser."
          )
        ),
        el(
          "p",
          { class: "note" },
          "An account is made when you first sign in. Search, lists, agendas, chapters and published clips stay open to all."
        )
      )
    )
  )
}

/** `/in/{place}/{body}/{date}-{id}`: what anyone may know of a meeting. */
export const meetingPage = (meeting: Meeting): Page => {
  const { title, headline, body, date, path, places, updated_at, source_url } = meeting
  const when = longDate(date)
  const [place] = places
  const name = headline ?? `${title}: ${body.name}`
  return {
    head: {
      title: `${name}: ${body.name}, ${when}`,
      description: `${title} of ${body.name} on ${when}: agenda, chapters, clips.`,
      path,
      access: "teaser",
      updated: updated_at,
      ...(source_url === undefined ? {} : { source: source_url }),
      current: "browse",
      json: `/api/meetings/${meeting.id}`,
      data: meetingData(meeting),
      ...(meeting.poster_url === undefined ? {} : { image: onThisOrigin(meeting.poster_url) }),
      crumbs: [...(place === undefined ? [] : [place]), body, { name: when, path }]
    },
    main: el(
      "div",
      { class: "meeting wide" },
      el("header", { class: "title" }, heading(name), facts(meeting)),
      invitation(meeting),
      el("div", { class: "record" }, chapters(meeting), briefing(meeting), agenda(meeting), clips(meeting))
    )
  }
}

export const loadMeeting: Load<Meetings> = Effect.fn("MeetingPage.load")(function* ({ params, viewer }) {
  const meeting = yield* (yield* Meetings).open(meetingIn(params.meeting), viewer)
  // Another body, place or date before the same id: one address a meeting.
  const isHere = meeting.path === `/in/${params.place}/${params.body}/${params.meeting}`
  return isHere ? meetingPage(meeting) : { movedTo: meeting.path }
})
