import { DateTime, Effect } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { Crawls } from "../../../services/sources/crawls.ts"
import { type Past, SourcePast } from "../../../services/sources/source-past.ts"
import { pastDaysOf, readCalendar } from "../../sources/read-calendar.ts"
import { windowBefore } from "../../sources/survey.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"
import { asSource, PoliteWeb } from "../../web/polite-web.ts"
import { asStageFailure, notingLists } from "../crawl/crawl.ts"

const dayOf = (day: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(day))

/** The share of the asked days that were listed. */
const shareOf = ({ from, to, left }: Past): number =>
  left === null || from === to ? 1 : (dayOf(to) - dayOf(left)) / (dayOf(to) - dayOf(from))

/**
 * Lists the past of a source that an operator asked for, the newest days first. Each reading is put on record in a
 * transaction of its own, with the day up to which the rest is still to be listed, so a worker that was killed repeats
 * one reading. The meetings come on record as those of a crawl do, and are made after all newer work.
 */
export const historyStage = Effect.gen(function* () {
  const crawls = yield* Crawls
  const past = yield* SourcePast
  const web = yield* PoliteWeb
  const db = yield* Db
  const note = yield* notingLists

  const work = Effect.fn("HistoryStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const source = task.sourceId === null ? undefined : yield* crawls.source(task.sourceId)
    if (source === undefined) return yield* new StageFailed({ message: "The flow has no source.", final: true })
    // What the calendar had when it was last crawled says nothing about its past.
    const anew = { ...source, etag: null, last_modified: null }
    for (;;) {
      const asked = yield* past.of(source.id)
      if (asked === undefined || asked.left === null) return Effect.void
      yield* onProgress(shareOf(asked))
      const days = windowBefore(asked.from, asked.left, pastDaysOf(source))
      const list = yield* Effect.mapError(readCalendar(anew, asSource(web, source), days), asStageFailure)
      const noting = Effect.gen(function* () {
        yield* db`select from source where id = ${source.id} for no key update`
        if (list !== undefined) yield* note(source, list)
        yield* past.listed(source.id, days.from, days.to)
      })
      yield* db.withTransaction(noting)
    }
  })

  return { work } satisfies StageHandler
})
