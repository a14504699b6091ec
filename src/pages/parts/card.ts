import type { Match, MeetingCard } from "../../../schema/meeting.ts"
import { clock, length, longDate, plural, shortDate, timeOfDay, weekday } from "../said.ts"
import { type El, el, heading, type Kid, prose, web } from "../tree/tree.ts"

/** A day in the margin that every list hangs on: the date, and the weekday under it. */
export const dayMark = (date: string): El =>
  el(
    "time",
    { class: "day", datetime: date },
    el("span", { class: "num" }, shortDate(date)),
    " ",
    el("span", { class: "wd" }, weekday(date))
  )

/** A second of a recording, as a link that opens it there. */
export const moment = (path: string, start: number, spoken?: string): El =>
  el("a", { class: "moment", href: path, "aria-label": spoken }, clock(start))

const holdings = ({ has }: MeetingCard): ReadonlyArray<string> =>
  [
    has.video && "recording",
    has.transcript && "transcript",
    has.briefing && "briefing",
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

/** A snippet with the words that were asked for marked. */
const marked = (text: string, words: ReadonlyArray<string>): Kid => {
  if (words.length === 0) return text
  const wanted = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
  return text
    .split(new RegExp(`((?<![\\p{L}\\p{N}])(?:${wanted}))`, "giu"))
    .map((part, index) => (index % 2 === 1 ? el("mark", {}, part) : part))
}

/** Where in the recording the hits lie: an attribute each, because a page has no inline style. */
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

/** What was said is found by anyone and read by readers: such matches are moments without words, all in one line. */
const found = (matches: ReadonlyArray<Match>, words: ReadonlyArray<string>): Kid => {
  const shown = matches.filter(({ snippet }) => snippet !== undefined)
  const spoken = matches.filter(({ snippet }) => snippet === undefined)
  return (
    matches.length > 0 &&
    el(
      "ul",
      { class: "matches", "aria-label": "Where it was found" },
      shown.map(({ field, snippet = "", start, path }) =>
        el(
          "li",
          {},
          start === undefined
            ? web(el("span", { class: "moment none", "aria-hidden": true }, "–"))
            : moment(path, start, `Hear it at ${clock(start)}`),
          " ",
          el("span", { class: "field" }, fieldNames[field] ?? field),
          ": ",
          marked(snippet, words)
        )
      ),
      spoken.length > 0 &&
        el(
          "li",
          { class: "spoken" },
          el("span", { class: "field" }, "Said at"),
          spoken.flatMap(({ start, path }) =>
            start === undefined ? [] : [" ", moment(path, start, `Hear it at ${clock(start)}`)]
          )
        )
    )
  )
}

/** A held meeting in a list: what was decided, by whom, what there is of it, and where the words were found. */
export const heldCard = (card: MeetingCard, words: ReadonlyArray<string> = []): El =>
  el(
    "li",
    { class: "entry" },
    el(
      "article",
      {},
      web(dayMark(card.date)),
      el(
        "div",
        { class: "what" },
        heading(el("a", { href: card.path }, card.headline ?? `${card.title}: ${card.body.name}`)),
        el(
          "p",
          { class: "meta" },
          el("a", { href: card.body.path }, card.body.name),
          `, ${card.title}`,
          prose(", ", longDate(card.date)),
          card.duration !== undefined && ` · ${length(card.duration)}`
        ),
        holdings(card).length > 0 && el("p", { class: "has" }, prose("On record: "), holdings(card).join(", ")),
        found(card.matches ?? [], words),
        ruler(card, card.matches ?? [])
      )
    )
  )

interface Coming {
  /** What the margin holds: the day, or where the list has days of its own the hour. */
  readonly margin?: "day" | "hour"
  /** What the link says: the body or, on its own page, the title. */
  readonly named?: "body" | "title"
}

const hourOf = ({ starts_at, timezone }: MeetingCard): string =>
  starts_at === undefined ? "Hour not posted" : timeOfDay(starts_at, timezone)

const hourMark = (card: MeetingCard): El =>
  el("time", { class: "day", datetime: card.starts_at ?? card.date }, el("span", { class: "num" }, hourOf(card)))

/** A meeting to come, or one that was called off, which stays in its place with the word. */
export const comingCard = (card: MeetingCard, { margin = "day", named = "body" }: Coming = {}): El => {
  const isOff = card.status === "cancelled"
  const link = el("a", { href: card.path }, named === "body" ? card.body.name : card.title)
  const when = el("time", { datetime: card.starts_at ?? card.date }, prose(longDate(card.date), ", "), hourOf(card))
  return el(
    "li",
    { class: isOff ? "entry next off" : "entry next" },
    el(
      "article",
      {},
      web(margin === "day" ? dayMark(card.date) : hourMark(card)),
      el(
        "div",
        { class: "what" },
        heading(isOff ? [el("strong", { class: "verdict" }, "Cancelled"), " ", el("del", {}, link)] : link),
        el(
          "p",
          { class: "meta" },
          named === "title" ? when : [card.title, margin === "hour" ? prose(", ", when) : [", ", when]],
          card.has.agenda && " · agenda posted"
        )
      )
    )
  )
}
