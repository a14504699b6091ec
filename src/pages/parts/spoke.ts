import type { Person } from "../../../schema/people.ts"
import type { PersonSaid } from "../../../schema/person-said.ts"
import type { Matter } from "../../../schema/vote.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { withQuery } from "../query.ts"
import { number, plainDate, plural } from "../said.ts"
import { moment } from "./card.ts"
import { listed } from "./listed.ts"
import { signInAt } from "./paths.ts"

/** Meetings at which somebody spoke that their page lists. */
export const meetingsShown = 6

/** An entry of the day and the body of a meeting, how much was spoken there, and what. */
const atMeeting = ({ date, path, body }: PersonSaid["meetings"][number]["meeting"], spoken: string, what: Kid): Kid =>
  el(
    "li",
    {},
    el("p", { class: "when" }, el("time", { datetime: date }, plainDate(date))),
    el("div", {}, el("p", {}, el("a", { href: path }, body.name), ", ", el("span", { class: "note" }, spoken)), what)
  )

/** A meeting at which they spoke, with where they spoke longest for who may read it. */
const saidAt = ({ meeting, turns, moments = [] }: PersonSaid["meetings"][number]): Kid =>
  atMeeting(
    meeting,
    turns === 1 ? "spoke once" : `spoke ${number(turns)} times`,
    moments.map(({ start, text, item }) =>
      el(
        "p",
        {},
        moment(`${meeting.path}?t=${Math.floor(start)}`, start, "Hear it"),
        text !== undefined && ` “${text}”`,
        item !== undefined && [" ", el("span", { class: "note" }, `At: ${item.title}`)]
      )
    )
  )

/** What they said: the latest meetings, and the way to all of them. */
export const saidSection = ({ name, path }: Person, { total, meetings }: PersonSaid): Kid =>
  total > 0 &&
  listed(
    { id: "said", title: "What they said", kind: "results" },
    el(
      "p",
      { class: "note" },
      `Spoke at ${plural(total, "meeting")} on record. `,
      meetings.some(({ moments }) => moments === undefined) && [
        el("a", { href: signInAt(path) }, "Sign in to read and hear it"),
        ". "
      ],
      el("a", { href: withQuery("/browse", { q: `speaker:"${name}"` }) }, "Search what they said"),
      "."
    ),
    el("ol", { class: "way" }, meetings.map(saidAt))
  )

/** A list of which the first are shown, and the rest on demand. */
export const folded = (items: ReadonlyArray<Kid>, shown: number): Kid => [
  el("ul", { class: "dotted" }, items.slice(0, shown)),
  items.length > shown &&
    el(
      "details",
      {},
      el("summary", {}, `${number(items.length - shown)} more`),
      el("ul", { class: "dotted" }, items.slice(shown))
    )
]

/** Speakers at an item that are shown before the rest is folded away. */
const speakersShown = 12

/** Who spoke at an item about it, each with a way to the second; others than readers are told how many. */
export const discussion = ({ meeting, speaker_count, speakers }: Matter["discussions"][number], path: string): Kid =>
  atMeeting(
    meeting,
    plural(speaker_count, "speaker"),
    speakers === undefined
      ? el("p", { class: "note" }, el("a", { href: signInAt(path) }, "Sign in to see who, and to hear them"))
      : folded(
          speakers.map(({ name, person, start }) =>
            el(
              "li",
              {},
              el(
                "span",
                {},
                person === undefined ? name : el("a", { href: person.path }, person.name),
                " ",
                moment(`${meeting.path}?t=${Math.floor(start)}`, start, `Hear ${name}`)
              )
            )
          ),
          speakersShown
        )
  )
