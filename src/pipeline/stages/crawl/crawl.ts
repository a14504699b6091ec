import { Effect } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import type { BundlePlace } from "../../../../schema/bundle.ts"
import { isOnItsDay } from "../../../record/doubts.ts"
import { agencyOf } from "../../../record/formats/row.ts"
import { writeBatch } from "../../../record/write/batch.ts"
import { unchanged } from "../../../record/write/outcome.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { type CrawlableSource, Crawls } from "../../../services/sources/crawls.ts"
import type { SourceMeeting } from "../../../services/sources/discovered-meetings.ts"
import { Discoveries, type SourceBody } from "../../../services/sources/discoveries.ts"
import type { Days, NoCalendar } from "../../sources/calendar.ts"
import { readCalendar } from "../../sources/read-calendar.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"
import { stageFailure, type WebFailed } from "../../web/failure.ts"
import { asSource, PoliteWeb } from "../../web/polite-web.ts"

const placeOf = ({ place }: CrawlableSource): BundlePlace => ({
  type: "place",
  slug: place.slug,
  name: place.name,
  kind: place.kind,
  state: place.state,
  ...(place.county === null ? {} : { county: place.county })
})

/** The bodies that a calendar lists. If one id has several names, the newest meeting's name is current. */
const bodiesOf = (meetings: ReadonlyArray<SourceMeeting>, place: BundlePlace): ReadonlyArray<SourceBody> => {
  const newestFirst = meetings.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
  const current = new Map<string, string>()
  const bodies = new Map<string, SourceBody>()
  for (const { source_body: name, body_external_id: external_id } of newestFirst) {
    if (external_id !== undefined && !current.has(external_id)) current.set(external_id, name)
    if (bodies.has(name)) continue
    const is_current = external_id === undefined || current.get(external_id) === name
    bodies.set(name, { name, external_id, slug: agencyOf({ name }, place).slug, is_current })
  }
  return [...bodies.values()]
}

/** The meetings of a list; one that starts on another day than its own has lost its hour. */
const sounded = Effect.fnUntraced(function* (listed: ReadonlyArray<SourceMeeting>) {
  const misdated = listed.filter((meeting) => !isOnItsDay(meeting)).length
  if (misdated > 0) yield* Effect.logWarning(`${misdated} meetings start on another day than their own`)
  return listed.map((meeting) => (isOnItsDay(meeting) ? meeting : { ...meeting, starts_at: undefined }))
})

/**
 * Puts what a source lists on record, in the caller's transaction: its bodies, then its meetings. With `whole`, those
 * of these days that it no longer lists are withdrawn.
 */
export const notingLists = Effect.gen(function* () {
  const discoveries = yield* Discoveries
  const db = yield* Db
  return Effect.fnUntraced(function* (
    source: CrawlableSource,
    list: { readonly meetings: ReadonlyArray<SourceMeeting>; readonly namesBodies: boolean },
    whole?: Days
  ) {
    const place = placeOf(source)
    const meetings = yield* sounded(list.meetings)
    const bodies = bodiesOf(meetings, place)
    const { renamed, unknown } = yield* discoveries.noteBodies(source, bodies)
    const founded = unknown
      .filter(({ isNew }) => list.namesBodies || isNew)
      .map(({ name }) => agencyOf({ name }, place))
    if (renamed.length + founded.length > 0) {
      yield* writeBatch([...renamed, ...founded], () => Effect.succeed(unchanged)).pipe(Effect.provideService(Db, db))
      // By now their names and ids are on record.
      yield* discoveries.noteBodies(source, bodies)
    }
    yield* discoveries.note(source, { meetings, whole })
  })
})

/** Why a calendar could not be read, as a failure of its stage. */
export const asStageFailure = (failure: WebFailed | NoCalendar) =>
  failure._tag === "NoCalendar" ? new StageFailed({ message: failure.message, final: true }) : stageFailure(failure)

/**
 * Reads a source's calendar and updates the record to match: new, moved, renamed, cancelled and withdrawn meetings, and
 * new and renamed bodies. A body unlike any other of the place is added if the calendar names bodies explicitly; any
 * other unknown body waits until an operator maps it, or says that it is new.
 */
export const crawlStage = Effect.gen(function* () {
  const crawls = yield* Crawls
  const discoveries = yield* Discoveries
  const web = yield* PoliteWeb
  const note = yield* notingLists

  const work = Effect.fn("CrawlStage.work")(function* (task: ClaimedTask) {
    const source = task.sourceId === null ? undefined : yield* crawls.source(task.sourceId)
    if (source === undefined) return yield* new StageFailed({ message: "The flow has no source.", final: true })
    const list = yield* Effect.mapError(readCalendar(source, asSource(web, source)), asStageFailure)
    if (list === undefined) {
      return Effect.andThen(discoveries.note(source, undefined), crawls.succeeded(source.id))
    }
    const { days, isWhole, validators } = list
    const upcoming = list.meetings.length === 0 && isWhole ? yield* discoveries.upcoming(source.id) : 0
    if (upcoming > 0) {
      return yield* new StageFailed({
        message: `The calendar is empty, although ${upcoming} of its meetings are still to come.`,
        final: true
      })
    }
    return Effect.andThen(note(source, list, isWhole ? days : undefined), crawls.succeeded(source.id, validators))
  })

  return {
    work,
    failed: (task, failure) =>
      task.sourceId === null
        ? Effect.void
        : crawls.failed(task.sourceId, failure?.message ?? "Its crawl ended its worker each time.")
  } satisfies StageHandler
})
