import { DateTime } from "effect"
import { type Answer, says } from "./city-server.ts"

/** An event as Legistar's Web API returns it. */
export interface ApiEvent {
  readonly EventId: number
  readonly EventDate: string
  readonly [field: string]: unknown
}

/** A day from today on: `YYYY-MM-DD`. */
export const day = (days: number): string => DateTime.formatIsoDate(DateTime.add(DateTime.nowUnsafe(), { days }))

/** An event of a body this many days from today, with the field names and the usual values of Legistar's Web API. */
export const apiEvent = (
  id: number,
  [bodyId, body]: readonly [number, string],
  days: number,
  over: Readonly<Record<string, unknown>> = {}
): ApiEvent => ({
  EventId: id,
  EventGuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`.toUpperCase(),
  EventLastModifiedUtc: "2026-01-05T15:58:59.527",
  EventRowVersion: "AAAAAACXbqo=",
  EventBodyId: bodyId,
  EventBodyName: body,
  EventDate: `${day(days)}T00:00:00`,
  EventTime: "6:30 PM",
  EventVideoStatus: "Public",
  EventAgendaStatusId: 2,
  EventAgendaStatusName: "Final",
  EventMinutesStatusId: 1,
  EventMinutesStatusName: "Draft",
  EventLocation: "Council Chambers",
  EventAgendaFile: null,
  EventMinutesFile: null,
  EventComment: null,
  EventVideoPath: null,
  EventMedia: null,
  EventInSiteURL: `https://springfield.legistar.com/MeetingDetail.aspx?LEGID=${id}`,
  EventItems: [],
  ...over
})

/**
 * Legistar's `/events`: those of the days in `$filter`, in the order of their ids and in pages. `$top` is capped at
 * 1000.
 */
export const eventsAnswer =
  (events: () => ReadonlyArray<ApiEvent>, mostOfPage = 1000): Answer =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://city")
    const [, from = "", to = ""] =
      /^EventDate ge datetime'([^']+)' and EventDate le datetime'([^'T]+)T/.exec(searchParams.get("$filter") ?? "") ??
      []
    const skip = Number(searchParams.get("$skip"))
    const page = events()
      .filter(({ EventDate }) => EventDate.slice(0, 10) >= from && EventDate.slice(0, 10) <= to)
      .toSorted((a, b) => a.EventId - b.EventId)
      .slice(skip, skip + Math.min(mostOfPage, Number(searchParams.get("$top"))))
    says(JSON.stringify(page), "application/json; charset=utf-8")(request, response)
  }

/** Answers each request with the next of these, and then with the last. */
export const inTurn = (...answers: readonly [Answer, ...ReadonlyArray<Answer>]): Answer => {
  let at = 0
  return (request, response) => {
    const answer = answers[Math.min(at, answers.length - 1)] ?? answers[0]
    at += 1
    answer(request, response)
  }
}

/** A slow file: a fifth of it at a time, with a pause of this many milliseconds between. */
export const slowly =
  (bytes: Buffer, type: string, pause: number): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": type, "content-length": bytes.length })
    const part = Math.ceil(bytes.length / 5)
    const send = (from: number) => {
      response.write(bytes.subarray(from, from + part))
      if (from + part >= bytes.length) response.end()
      else setTimeout(send, pause, from + part)
    }
    send(0)
  }

/** Legistar's `/EventItems/{id}/Votes` or `/RollCalls`: the words of members by their names. */
export const ballotRows = (kind: "RollCall" | "Vote", item: number, words: Readonly<Record<string, string>>): Answer =>
  says(
    JSON.stringify(
      Object.entries(words).map(([name, word], at) => ({
        ...{ [`${kind}Id`]: item * 100 + at, [`${kind}PersonId`]: at + 1, [`${kind}PersonName`]: name },
        ...{ [`${kind}ValueId`]: 1, [`${kind}ValueName`]: word, [`${kind}Sort`]: at, [`${kind}EventItemId`]: item }
      }))
    ),
    "application/json; charset=utf-8"
  )
