import * as path from "node:path"
import { Cause, DateTime, Effect, Option, Schedule, Stream } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db } from "../../../layers/db/db.ts"
import { meetingsRemoved } from "../../services/feed/changed.ts"
import { Settings } from "../../services/settings/settings.ts"
import { found } from "../formats/item.ts"
import { importItems } from "../import.ts"
import { writeBatch } from "../write/batch.ts"
import { writeMediaFrom } from "../write/media.ts"
import { unchanged } from "../write/outcome.ts"
import { zone } from "./calendar.ts"
import { sampleMedia } from "./media.ts"
import { sampleEntities } from "./sample.ts"

const today = Effect.map(DateTime.now, (now) => DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(now, zone)))

/** Kept with the record, so that a start adds the sample once and its removal lasts. */
const setWanted = Effect.fnUntraced(function* (wanted: boolean) {
  const settings = yield* Settings
  yield* Effect.orDie(settings.set("record.Sample", wanted))
})

/** Puts the sample on record, dated around today; on another day the same meetings move to dates around that day. */
export const putSample = Effect.gen(function* () {
  const entities = yield* sampleEntities(yield* today)
  const items = Stream.fromIterable(entities.map((entity, at) => found({ file: "sample", line: at + 1 }, entity)))
  yield* importItems(items, {
    dryRun: false,
    writeMedia: () => Effect.succeed(unchanged),
    onNotice: ({ line, field, message }) => Effect.logWarning(`sample:${line} ${field} ${message}`),
    onProgress: () => Effect.void,
    writers: 1
  })
  yield* setWanted(true)
}).pipe(Effect.withSpan("Records.putSample"))

/**
 * Takes what the sample brought off the record: its meetings by their ids, then its matters, and its people, bodies and
 * places that nothing else uses. Returns how many meetings and bodies were removed, and how many of its bodies stay.
 */
export const removeSample = Effect.gen(function* () {
  const db = yield* Db
  const entities = yield* sampleEntities(yield* today)
  const ids = entities.flatMap((entity) => (entity.type === "meeting" ? [entity.id] : []))
  const agencies = entities.flatMap((entity) => (entity.type === "agency" ? [entity.slug] : []))
  const places = entities.flatMap((entity) => (entity.type === "place" ? [entity.slug] : []))
  const people = entities.flatMap((entity) => (entity.type === "person" ? [entity.slug] : []))
  const matters = entities.flatMap((entity) => (entity.type === "matter" ? [entity.slug] : []))
  return yield* db.withTransaction(
    Effect.gen(function* () {
      yield* setWanted(false)
      let bodies = 0
      const directory = Effect.gen(function* () {
        const removed = yield* db`
          delete from body b
          where slug = any(${agencies}) and not exists (select from meeting m where m.body_id = b.id)
            and not exists (select from source_body sb where sb.body_id = b.id) returning b.id`
        bodies = removed.length
        yield* db`delete from matter where slug = any(${matters})`
        yield* db`
          delete from person p where slug = any(${people})
            and not exists (select from ballot b where b.person_id = p.id)`
        yield* db`
          delete from place p
          where slug = any(${places}) and not exists (select from body_place bp where bp.place_id = p.id)
            and not exists (select from person o where o.place_id = p.id)
            and not exists (select from matter x where x.place_id = p.id)
            and not exists (select from source s where s.place_id = p.id)`
      })
      const reason = "It belonged to the sample record, which is made up."
      const meetings = yield* meetingsRemoved(db, ids, reason, directory)
      const [left] = yield* db<{ bodies: number }>`
        select count(*)::int as bodies from body where slug = any(${agencies})`
      return { meetings: meetings.length, bodies, kept: left?.bodies ?? 0 }
    })
  )
}).pipe(Effect.withSpan("Records.removeSample"))

/**
 * Whether a start should add the sample: the record is empty and the sample was not removed, or it is there already.
 */
export const isSampleWanted = Effect.gen(function* () {
  const db = yield* Db
  const { databaseUrl } = yield* Environment
  const settings = yield* Settings
  const wanted = yield* settings.chosen("record.Sample")
  if (Option.isSome(wanted)) return wanted.value
  const meetings = yield* db`select from meeting limit 1`
  return Option.isNone(databaseUrl) && meetings.length === 0
})

/**
 * Makes the media of the sample that is not made yet, and puts each file on record as it is finished; returns how many.
 */
export const keepSampleMedia = Effect.gen(function* () {
  const { dataDir } = yield* Environment
  const folder = path.join(dataDir, "sample")
  const write = writeMediaFrom(folder, true)
  return yield* sampleMedia(folder, { today: yield* today }).pipe(
    Stream.mapEffect((media) => writeBatch([media], write)),
    Stream.runCount
  )
}).pipe(Effect.withSpan("Records.keepSampleMedia"))

/** A failure is often brief, such as a store that restarts, and making a recording is not cheap. */
const pauses = Schedule.min([Schedule.exponential("5 seconds"), Schedule.spaced("10 minutes")])

/**
 * `keepSampleMedia` beside a running service: readers need not wait for recordings, which take a while to make, and
 * stopping in between loses nothing. Whatever goes wrong is logged, once per failure, and tried again after a pause.
 */
export const keepTryingSampleMedia = keepSampleMedia.pipe(
  Effect.sandbox,
  Effect.tapError((cause) =>
    Effect.logWarning("The media of the sample could not be made; it will be tried again", Cause.squash(cause))
  ),
  Effect.retry(pauses),
  Effect.orDie,
  Effect.tap((count) => Effect.logDebug(`${count} media files of the sample are on record`))
)
