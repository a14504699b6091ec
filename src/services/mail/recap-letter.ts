import type { EditedNewsletter, Recap } from "../../../schema/briefing.ts"
import type { AgendaItemCard, MeetingCard } from "../../../schema/meeting.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { meetingName, sessionOf } from "../../text/meeting-name.ts"
import { plainSummary } from "../../text/plain-words/decisions.ts"
import type { Part } from "./letter.ts"
import { mostMeetings, shortDate, whoAndWhen } from "./meeting-parts.ts"

export interface MailedFigure {
  readonly id: string
  readonly title: string
  readonly alt: string
  readonly width: number
  readonly height: number
  /** Its URL, with the grant `eg`. */
  readonly src: string
}

/** The content of a mail about one meeting. */
export interface MailedMeeting {
  readonly card: MeetingCard
  readonly recap: Recap | undefined
  /** As the API serves it: without sentences that the claim check did not support. */
  readonly briefing: EditedNewsletter | undefined
  readonly figures: ReadonlyArray<MailedFigure>
  readonly items: ReadonlyArray<Pick<AgendaItemCard, "id" | "number" | "title">>
}

const headlineOf = ({ recap, briefing, card }: MailedMeeting): string =>
  meetingName({ ...card, headline: recap?.headline ?? briefing?.headline ?? card.title })

export const recapSubject = (meetings: ReadonlyArray<MailedMeeting>, total: number): string => {
  const [first] = meetings
  if (first === undefined) return "Recaps"
  const what =
    total === 1
      ? `${first.card.body.name}, ${shortDate(first.card)}: ${headlineOf(first)}`
      : `${total} recaps: ${headlineOf(first)}, and more`
  return clampAtWord(what, 140)
}

const decisionsOf = ({ recap, items }: MailedMeeting): ReadonlyArray<Part> => {
  const decisions = recap?.decisions ?? []
  return decisions.length === 0
    ? []
    : [
        { kind: "subheading", text: "Decisions" },
        {
          kind: "list",
          items: decisions.map(({ agenda_item, outcome, vote }) => {
            const item = items.find(({ id }) => id === agenda_item)
            return `${item === undefined ? "" : `${item.title}: `}${outcome}${vote === undefined ? "" : `, ${vote}`}`
          })
        }
      ]
}

const shown = (figure: MailedFigure): Part => ({ kind: "figure", ...figure })

/** The topics of the briefing, each with its figures; without a briefing, only the figures. */
const topicsOf = ({ briefing, figures }: MailedMeeting): ReadonlyArray<Part> => {
  if (briefing === undefined) return figures.map(shown)
  const byId = new Map(figures.map((figure) => [figure.id, figure]))
  return briefing.topics.flatMap(
    (topic): ReadonlyArray<Part> => [
      { kind: "subheading", text: topic.title },
      ...(topic.sentences.length === 0
        ? []
        : [{ kind: "paragraph" as const, text: topic.sentences.map(({ text }) => text).join(" ") }]),
      ...topic.figures.flatMap((id) => byId.get(id) ?? []).map(shown)
    ]
  )
}

const partsOfMeeting = (meeting: MailedMeeting, baseUrl: string): ReadonlyArray<Part> => {
  const { card, recap, briefing, items } = meeting
  const isRepeated = recap !== undefined && recap.summary === plainSummary(items, recap.decisions)
  const href = new URL(card.path, baseUrl).href
  return [
    { kind: "heading", text: headlineOf(meeting), href },
    { kind: "note", text: `${whoAndWhen(card)} · ${sessionOf(card)}` },
    ...(recap === undefined || isRepeated ? [] : [{ kind: "paragraph" as const, text: recap.summary }]),
    ...decisionsOf(meeting),
    ...(briefing === undefined || briefing.worth_watching.length === 0
      ? []
      : [
          { kind: "subheading" as const, text: "Worth watching" },
          { kind: "list" as const, items: briefing.worth_watching.map(({ text }) => text) }
        ]),
    ...topicsOf(meeting),
    { kind: "link", text: "Read the meeting", href }
  ]
}

/** The recaps of a mail, in order, and a link to the rest if there are more than it lists. */
export const recapParts = (
  meetings: ReadonlyArray<MailedMeeting>,
  total: number,
  baseUrl: string
): ReadonlyArray<Part> => [
  ...meetings.flatMap((meeting) => partsOfMeeting(meeting, baseUrl)),
  ...(total > mostMeetings
    ? [{ kind: "link" as const, text: `And ${total - mostMeetings} more`, href: new URL("/browse", baseUrl).href }]
    : [])
]

const cadences = { each: "as each is published", daily: "once a day", weekly: "once a week" } as const

export const becauseOfFollows = (recaps: keyof typeof cadences): string =>
  `You are receiving this because you follow these bodies or their places on Civic Record and chose to get recaps ${cadences[recaps]}.`
