import { Effect, Result } from "effect"
import type { SourceKind } from "../../../../schema/agent/directory.ts"
import { stages } from "../../../services/queue/stages.ts"
import { type ClaimedTask, Tasks } from "../../../services/queue/tasks.ts"
import { type Candidate, Candidates, type FoundCalendar } from "../../../services/sources/candidates.ts"
import { longestCalendar, NoCalendar } from "../../sources/calendar.ts"
import { readCalendar } from "../../sources/read-calendar.ts"
import { type StageHandler, StageWaits } from "../../stage.ts"
import { isPassing, stageFailure, type WebFailed } from "../../web/failure.ts"
import { PoliteWeb } from "../../web/polite-web.ts"

/** The most bodies of a calendar that are listed. */
const mostBodies = 200

const accept = "text/calendar, application/json, application/rss+xml, application/atom+xml, text/xml;q=0.8, */*;q=0.1"

/** The kind of calendar that a page seems to be, by its first characters. */
export const kindOf = (head: string): SourceKind | "web page" | undefined => {
  if (/^BEGIN:VCALENDAR\b/i.test(head)) return "ical"
  if (head.startsWith("[")) return "legistar"
  if (head.startsWith("{")) return "json"
  if (/<(rss|feed)\b/i.test(head)) return "rss"
  return /<(!doctype )?html\b/i.test(head) ? "web page" : undefined
}

/** Finds the calendar at a candidate's address. The page is fetched once, and shared with the reader of its kind. */
const calendarAt = Effect.fn("ProbeStage.calendarAt")(function* (
  { id, url, place }: Candidate,
  web: PoliteWeb["Service"]
) {
  const page = yield* web.page(url, { accept, types: /./, bytes: longestCalendar })
  const head = page?.body.toString("utf8", 0, 2000) ?? ""
  const kind = kindOf(head.replace(/^\ufeff/, "").trimStart())
  if (kind === undefined) {
    return yield* new NoCalendar({
      message: "It is neither Legistar, iCalendar, RSS nor Atom, nor JSON of docs/calendar.md."
    })
  }
  if (kind === "web page") {
    return yield* new NoCalendar({ message: "Its address leads to a web page, not to a calendar." })
  }
  const list = yield* readCalendar(
    { id, url, kind, place, etag: null, last_modified: null },
    { ...web, page: (address, request) => (address === url ? Effect.succeed(page) : web.page(address, request)) }
  )
  const meetings = list?.meetings ?? []
  if (meetings.length === 0) {
    return yield* new NoCalendar({
      message: `It is a calendar (${kind}) without a meeting from a year ago to a year from now.`
    })
  }
  const bodies = [...new Set(meetings.map(({ source_body }) => source_body))].toSorted().slice(0, mostBodies)
  return { kind, bodies, meetings: meetings.length } satisfies FoundCalendar
})

/**
 * Probes the candidates for a run's place: each is a calendar, which an operator may add as a source, or is unreadable
 * for a reason that the run shows. A server that does not answer is retried for as long as the stage is.
 */
export const probeStage = Effect.gen(function* () {
  const candidates = yield* Candidates
  const tasks = yield* Tasks
  const web = yield* PoliteWeb

  const work = Effect.fn("ProbeStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const isLast = task.attempts >= stages.probe.tries
    const waiting = yield* candidates.waiting(task.flow)
    let passing: WebFailed | undefined
    for (const [at, candidate] of waiting.entries()) {
      const calendar = yield* Effect.result(calendarAt(candidate, web))
      yield* onProgress((at + 1) / waiting.length)
      if (Result.isFailure(calendar)) {
        const { failure } = calendar
        if (failure._tag === "WebFailed" && (failure.reason === "busy" || (isPassing(failure) && !isLast))) {
          passing ??= failure
          continue
        }
      }
      yield* tasks.during(
        task,
        Result.match(calendar, {
          onSuccess: (found) => candidates.found(candidate.id, found),
          onFailure: ({ message }) => candidates.unreadable(candidate.id, message)
        })
      )
    }
    if (passing !== undefined) return yield* stageFailure(passing)
    return Effect.gen(function* () {
      if ((yield* candidates.hold(task.flow)).length === 0) return
      return yield* new StageWaits({ message: "Other candidates were filed meanwhile.", seconds: 0 })
    })
  })

  return {
    work,
    failed: Effect.fnUntraced(function* (task, failure) {
      for (const { id } of yield* candidates.waiting(task.flow)) {
        yield* candidates.unreadable(id, failure?.message ?? "Probing it ended its worker each time.")
      }
    })
  } satisfies StageHandler
})
