import type { Meeting } from "../../../schema/meeting.ts"
import { type El, el, heading, type Kid, textOf, web } from "../../page-tree/tree.ts"
import { meetingName, nameWithBody, sessionOf, uncutHeadline } from "../../text/meeting-name.ts"
import { dayAt, length, longDate, timeOfDay } from "../said.ts"
import { isRecord, type MeetingView } from "./view.ts"

const external = (href: string, words: string): El => el("a", { href, rel: "external" }, words)

/** `name` is the heading: the facts do not repeat it. */
const facts = (meeting: Meeting, name: string): Kid => {
  const { body, date, starts_at, timezone, duration, location, join_url, agenda_url, source_url } = meeting
  const { agenda_changed_at } = meeting
  const session = sessionOf(meeting)
  return el(
    "ul",
    { class: "facts", inline: true },
    el("li", {}, el("a", { href: body.path }, body.name)),
    ![name, "Meeting"].some((known) => known.startsWith(session)) && el("li", {}, session),
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
    location !== undefined && el("li", {}, location),
    join_url !== undefined && meeting.status === "upcoming" && el("li", {}, external(join_url, "Attend online")),
    agenda_url !== undefined && el("li", {}, external(agenda_url, "Posted agenda")),
    agenda_changed_at !== undefined &&
      el(
        "li",
        {},
        "Agenda changed on ",
        el("time", { datetime: agenda_changed_at }, dayAt(agenda_changed_at, timezone))
      ),
    source_url !== undefined && el("li", {}, external(source_url, `Source: ${new URL(source_url).host}`))
  )
}

/** The meeting with the best headline that the viewer may read. */
const named = (view: MeetingView): Meeting => {
  const headline = view.meeting.headline ?? (isRecord(view) ? view.recap?.headline : undefined)
  return headline === undefined ? view.meeting : { ...view.meeting, headline }
}

/** What the page calls the meeting. */
export const headlineOf = (view: MeetingView): string => nameWithBody(named(view))

/** The same with body and day, for whoever sees it beside other pages. */
export const titleOf = (view: MeetingView): string => {
  const [name, when] = [headlineOf(view), longDate(view.meeting.date)]
  const { body } = view.meeting
  return `${name}${name.toLowerCase().includes(body.name.toLowerCase()) ? "" : `: ${body.name}`}, ${when}`
}

/** Names from this many characters on are set smaller, so that they stay within three lines. */
const longName = 60

/** The headline, the meeting's facts, and links to each part of the page. */
export const title = (view: MeetingView, parts: ReadonlyArray<El>): El => {
  const { meeting } = view
  const name = headlineOf(view)
  const newsletter = isRecord(view) ? view.newsletter : undefined
  const edited = newsletter === undefined || newsletter.pending_verification ? undefined : newsletter.headline
  const whole = uncutHeadline(meeting, edited ?? named(view).headline)
  return el(
    "header",
    { class: name.length > longName ? "title long" : "title" },
    heading(
      meeting.status === "cancelled"
        ? [el("strong", { class: "verdict" }, "Cancelled"), " ", el("del", {}, name)]
        : name
    ),
    whole !== undefined && el("p", { class: "lede" }, whole),
    facts(meeting, meetingName(named(view))),
    parts.length > 1 &&
      web(
        el(
          "nav",
          { class: "sections", "aria-label": "On this page" },
          el(
            "ul",
            {},
            parts.map(({ attributes: { id }, kids: [name] }) => el("li", {}, el("a", { href: `#${id}` }, textOf(name))))
          )
        )
      )
  )
}
