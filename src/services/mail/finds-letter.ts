import type { MeetingCard } from "../../../schema/meeting.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { meetingName, sessionOf } from "../../text/meeting-name.ts"
import type { Part } from "./letter.ts"
import { meetingCount, whoAndWhen } from "./meeting-parts.ts"

/** The new results of one saved search. */
export interface Find {
  readonly name: string
  readonly href: string
  readonly total: number
  readonly cards: ReadonlyArray<MeetingCard>
}

export const findsSubject = (finds: ReadonlyArray<Find>): string => {
  const total = finds.reduce((sum, find) => sum + find.total, 0)
  const [first] = finds
  return clampAtWord(
    finds.length === 1 && first !== undefined
      ? `${total} new ${total === 1 ? "meeting" : "meetings"} for ${first.name}`
      : `Your saved searches found ${meetingCount(total)}`,
    140
  )
}

/** The new results of each search, newest first, and a link to the rest if there are more than the mail lists. */
export const findsParts = (finds: ReadonlyArray<Find>, baseUrl: string): ReadonlyArray<Part> =>
  finds.flatMap(
    ({ name, href, total, cards }): ReadonlyArray<Part> => [
      { kind: "heading", text: name, href },
      { kind: "note", text: `${meetingCount(total)} not found before` },
      ...cards.flatMap(
        (card): ReadonlyArray<Part> => [
          { kind: "link", text: meetingName(card), href: new URL(card.path, baseUrl).href },
          {
            kind: "note",
            text: `${whoAndWhen(card)}${meetingName(card).startsWith(sessionOf(card)) ? "" : ` · ${sessionOf(card)}`}`
          }
        ]
      ),
      ...(total > cards.length ? [{ kind: "link" as const, text: `And ${total - cards.length} more`, href }] : [])
    ]
  )

export const becauseOfSearches = (cadence: "daily" | "weekly"): string =>
  `You are receiving this because you saved searches on Civic Record and chose to get their new results ${cadence === "daily" ? "once a day" : "once a week"}.`
