import type { Meeting } from "../../../schema/meeting.ts"
import { type El, el, heading, type Kid, textOf, web } from "../../page-tree/tree.ts"
import { nameWithBody } from "../parts/meeting-name.ts"
import { dayAt, length, longDate, timeOfDay } from "../said.ts"
import { isRecord, type MeetingView } from "./view.ts"

const external = (href: string, words: string): El => el("a", { href, rel: "external" }, words)

/** `isTitled` if the heading is the title because there is no headline. */
const facts = (meeting: Meeting, isTitled: boolean): Kid => {
  const { body, title, date, starts_at, timezone, duration, location, join_url, agenda_url, source_url } = meeting
  const { agenda_changed_at } = meeting
  return el(
    "ul",
    { class: "facts", inline: true },
    el("li", {}, el("a", { href: body.path }, body.name)),
    !isTitled && el("li", {}, title),
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

/** The decision; if nothing says it, which meeting this is. */
export const headlineOf = (view: MeetingView): string => {
  const { meeting } = view
  return meeting.headline ?? (isRecord(view) ? view.recap?.headline : undefined) ?? nameWithBody(meeting)
}

/** The headline, the meeting's facts, and links to each part of the page. */
export const title = (view: MeetingView, parts: ReadonlyArray<El>): El => {
  const { meeting } = view
  const name = headlineOf(view)
  return el(
    "header",
    { class: "title" },
    heading(
      meeting.status === "cancelled"
        ? [el("strong", { class: "verdict" }, "Cancelled"), " ", el("del", {}, name)]
        : name
    ),
    facts(meeting, name === nameWithBody(meeting)),
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
