import type { Match, MeetingCard } from "../../../schema/meeting.ts"
import { meetingParts } from "../../../schema/part.ts"
import { type El, el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import { meetingName, nameWithBody, sessionOf } from "../../text/meeting-name.ts"
import { clock, hourAndZone, length, longDate, number, plural, shortDate, timeOfDay, weekday } from "../said.ts"
import { marked } from "./marked.ts"

/** The margin label of a list entry: a word or two, the second one smaller. */
const margin = (datetime: string, first: string, second: string): El =>
  el("time", { class: "day", datetime }, el("span", { class: "num" }, first), " ", el("span", { class: "wd" }, second))

/** A day in the margin: the date, and below it the weekday or, in a list that spans years, the year. */
const dayMark = (date: string, second = weekday(date)): El => margin(date, shortDate(date), second)

/** Facts in one line; Markdown-only facts have their own place in it. */
const line = (...facts: ReadonlyArray<Kid>): El =>
  el(
    "ul",
    { class: "meta", inline: true },
    facts.map((fact) => {
      if (fact === false) return false
      const isProse = typeof fact === "object" && "tag" in fact && fact.tag === "prose"
      return isProse ? prose(el("li", {}, fact)) : [el("li", {}, fact), " "]
    })
  )

/** A second of a recording, as a link that opens it there. */
export const moment = (path: string, start: number, spoken?: string): El =>
  el("a", { class: "moment", href: path, "aria-label": spoken }, clock(start))

/** The parts of a meeting in words: `recording`, `2 clips`. */
export const holdings = ({ has }: MeetingCard): ReadonlyArray<string> =>
  [
    has.video && meetingParts.video.label,
    has.transcript && meetingParts.transcript.label,
    has.briefing && meetingParts.briefing.label,
    has.agenda && "agenda",
    has.clips > 0 && plural(has.clips, "clip")
  ].filter((held) => held !== false)

const fieldNames: Readonly<Record<string, string>> = {
  title: "Title",
  body: "Body",
  agenda: "Agenda",
  chapter: "Chapter",
  clip: "Clip",
  briefing: "Briefing",
  speaker: "Speaker"
}

/** Where in the recording the matches lie: one attribute each, because a page has no inline style. */
const ruler = ({ duration }: MeetingCard, matches: ReadonlyArray<Match>): Kid => {
  const hits = matches.flatMap(({ start }) => (start === undefined ? [] : [start]))
  return (
    duration !== undefined &&
    hits.length > 0 &&
    web(
      el(
        "div",
        { class: "ruler", "aria-hidden": true },
        el(
          "svg",
          { viewBox: "0 0 1000 6", preserveAspectRatio: "none", width: "100%", height: 6 },
          hits.map((start) => el("rect", { x: Math.round((1000 * start) / duration), y: 0, width: 6, height: 6 }))
        )
      )
    )
  )
}

/** A moment of the transcript, which readers open at the words themselves, without a script too. */
const atWords = (path: string, start: number): Kid => [
  web(moment(`${path}#said`, start, `Hear it at ${clock(start)}`)),
  prose(moment(path, start))
]

/** What is said there, for those who may read it. */
const saying = ({ start, path, speaker, snippet = "" }: Match, words: ReadonlyArray<string>): Kid =>
  start !== undefined &&
  el(
    "li",
    {},
    atWords(path, start),
    " ",
    el("span", { class: "found-in" }, speaker ?? "Said"),
    ": ",
    "“",
    marked(snippet, words),
    "”"
  )

/** A page of a document, which everybody may read. */
const pageItem = ({ document, page = 1, snippet = "", path }: Match, words: ReadonlyArray<string>): Kid =>
  document !== undefined &&
  el(
    "li",
    {},
    web(el("span", { class: "moment none", "aria-hidden": true }, "–")),
    " ",
    el("a", { class: "found-in", href: path }, `${document.title}, page ${number(page)}`),
    ": ",
    marked(snippet, words)
  )

const fieldItem = ({ field, snippet = "", start, path }: Match, words: ReadonlyArray<string>): El =>
  el(
    "li",
    {},
    start === undefined
      ? web(el("span", { class: "moment none", "aria-hidden": true }, "–"))
      : moment(path, start, `Hear it at ${clock(start)}`),
    " ",
    el("span", { class: "found-in" }, fieldNames[field] ?? field),
    ": ",
    marked(snippet, words)
  )

/**
 * Spoken words can be found by anyone but read only by readers: for everybody else, such matches are moments without
 * words, on one line.
 */
const found = (matches: ReadonlyArray<Match>, words: ReadonlyArray<string>): Kid => {
  const byTime = matches.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
  const shown = matches.filter(({ field, snippet }) => snippet !== undefined && field !== "transcript")
  const said = byTime.filter(({ field, snippet }) => snippet !== undefined && field === "transcript")
  // Two matches within one second lead to the same place.
  const spoken = new Map(
    byTime.flatMap(({ snippet, start, path }) => (snippet === undefined && start !== undefined ? [[path, start]] : []))
  )
  const count = matches.find((one) => one.count !== undefined)?.count ?? 0
  const times = count > 1 && el("span", { class: "times" }, `${number(count)} times in this meeting`)
  return (
    shown.length + said.length + spoken.size > 0 &&
    el(
      "ul",
      { class: "matches", "aria-label": "Where it was found" },
      shown.map((match) => (match.field === "document" ? pageItem : fieldItem)(match, words)),
      said.map((match) => saying(match, words)),
      spoken.size > 0 &&
        el(
          "li",
          { class: "spoken" },
          el("span", { class: "found-in" }, "Said at"),
          [...spoken].map(([path, start]) => [" ", moment(path, start, `Hear it at ${clock(start)}`)]),
          times !== false && said.length === 0 && [" ", times]
        ),
      times !== false && said.length > 0 && el("li", { class: "spoken" }, times)
    )
  )
}

/** What tells a meeting that is new to the reader. */
interface Marked {
  /** Since when meetings are new to the reader. */
  readonly newSince?: string | undefined
}

/** A mark on a meeting that came on record, or changed, since the reader's last visit. */
const newMark = ({ updated_at }: MeetingCard, newSince: string | undefined): Kid =>
  newSince !== undefined && updated_at > newSince && [el("strong", { class: "new" }, "New"), " "]

export interface Held extends Marked {
  /** The words searched for. */
  readonly words?: ReadonlyArray<string>
  /** The list is about one body, so entries need not name it. */
  readonly ofOneBody?: true
  /** The list is grouped by month, so entries need not give the year. */
  readonly underMonth?: true
}

/** What it is called; screen readers also get the body, where the name does not say it. */
const nameOf = (card: MeetingCard): Kid => {
  const name = meetingName(card)
  return [name, nameWithBody(card) !== name && el("span", { class: "unseen" }, `: ${card.body.name}`)]
}

/**
 * A held meeting in a list: its decision, its body, its parts, and where the words were found; one that was not held as
 * it is announced, or called off.
 */
export const heldCard = (card: MeetingCard, { words = [], ofOneBody, underMonth, newSince }: Held = {}): El => {
  if (card.status !== "held") return comingCard(card, { newSince })
  const { date, path, body, duration, matches = [] } = card
  return el(
    "li",
    { class: "entry" },
    el(
      "article",
      {},
      web(dayMark(date, underMonth === true ? undefined : date.slice(0, 4))),
      el(
        "div",
        { class: "what" },
        heading(newMark(card, newSince), el("a", { href: path }, nameOf(card))),
        line(
          ofOneBody !== true && el("a", { href: body.path }, body.name),
          ![meetingName(card), "Meeting"].some((known) => known.startsWith(sessionOf(card))) && sessionOf(card),
          prose(longDate(date)),
          duration !== undefined && length(duration)
        ),
        holdings(card).length > 0 && el("p", { class: "has" }, prose("On record: "), holdings(card).join(", ")),
        found(matches, words),
        ruler(card, matches)
      )
    )
  )
}

export interface Coming extends Marked {
  /** The margin label: the day or, in a list grouped by day, the time. */
  readonly by?: "day" | "hour"
  /** The link's text: the body or, on the body's own page, the title. */
  readonly named?: "body" | "title"
}

const hourOf = ({ starts_at, timezone }: MeetingCard): string =>
  starts_at === undefined ? "Hour not posted" : timeOfDay(starts_at, timezone)

const hourMark = ({ starts_at, timezone, date }: MeetingCard): El => {
  const [hour, zone] = starts_at === undefined ? ["Hour", "not posted"] : hourAndZone(starts_at, timezone)
  return margin(starts_at ?? date, hour, zone)
}

/** An upcoming meeting, or a cancelled one, which keeps its place and says so. */
export const comingCard = (card: MeetingCard, { by = "day", named = "body", newSince }: Coming = {}): El => {
  const isOff = card.status === "cancelled"
  const link = el("a", { href: card.path }, named === "body" ? card.body.name : meetingName(card))
  const when = el("time", { datetime: card.starts_at ?? card.date }, prose(longDate(card.date), ", "), hourOf(card))
  return el(
    "li",
    { class: isOff ? "entry next off" : "entry next" },
    el(
      "article",
      {},
      web(by === "day" ? dayMark(card.date) : hourMark(card)),
      el(
        "div",
        { class: "what" },
        heading(
          newMark(card, newSince),
          isOff ? [el("strong", { class: "verdict" }, "Cancelled"), " ", el("del", {}, link)] : link
        ),
        line(named === "body" && meetingName(card), by === "day" ? when : prose(when), card.has.agenda && "agenda")
      )
    )
  )
}
