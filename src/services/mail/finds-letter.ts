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
  /** What happened to a matter that is followed. */
  readonly happened: ReadonlyArray<{ readonly text: string; readonly href: string }>
  /** How somebody who is followed voted, by meeting. */
  readonly votes: ReadonlyMap<string, ReadonlyArray<string>>
}

export const findsSubject = (finds: ReadonlyArray<Find>): string => {
  const total = finds.reduce((sum, find) => sum + find.total, 0)
  const [first] = finds
  const { length } = finds.flatMap(({ happened }) => happened)
  if (length > 0) {
    const news = length === 1 ? "1 new action" : `${length} new actions`
    return clampAtWord(`${news} on ${finds.length === 1 && first !== undefined ? first.name : "what you follow"}`, 140)
  }
  return clampAtWord(
    finds.length === 1 && first !== undefined
      ? `${total} new ${total === 1 ? "meeting" : "meetings"} for ${first.name}`
      : `Your saved searches found ${meetingCount(total)}`,
    140
  )
}

/**
 * What happened to matters, and the new results of each search, newest first, with a link to the rest if there are more
 * than the mail lists.
 */
export const findsParts = (finds: ReadonlyArray<Find>, baseUrl: string): ReadonlyArray<Part> =>
  finds.flatMap(
    ({ name, href, total, cards, happened, votes }): ReadonlyArray<Part> => [
      { kind: "heading", text: name, href },
      ...happened.map((one): Part => ({ kind: "link", ...one })),
      ...(total === 0 ? [] : [{ kind: "note" as const, text: `${meetingCount(total)} not found before` }]),
      ...cards.flatMap(
        (card): ReadonlyArray<Part> => [
          { kind: "link", text: meetingName(card), href: new URL(card.path, baseUrl).href },
          {
            kind: "note",
            text: `${whoAndWhen(card)}${meetingName(card).startsWith(sessionOf(card)) ? "" : ` · ${sessionOf(card)}`}`
          },
          ...(votes.has(card.id) ? [{ kind: "list" as const, items: votes.get(card.id) ?? [] }] : [])
        ]
      ),
      ...(total > cards.length ? [{ kind: "link" as const, text: `And ${total - cards.length} more`, href }] : [])
    ]
  )

export const becauseOfSearches = (cadence: "daily" | "weekly"): string =>
  `You are receiving this because you saved searches on Civic Record and chose to get their new results ${cadence === "daily" ? "once a day" : "once a week"}.`
