import * as path from "node:path"
import { DateTime, Effect, Option, Stream } from "effect"
import { Environment } from "../../../layers/config.ts"
import { Db } from "../../../layers/db.ts"
import { meetingsRemoved } from "../../services/feed/changed.ts"
import { found } from "../formats/item.ts"
import { importItems } from "../import.ts"
import { writeBatch } from "../write/batch.ts"
import { writeMediaFrom } from "../write/media.ts"
import { unchanged } from "../write/outcome.ts"
import { zone } from "./calendar.ts"
import { sampleMedia } from "./media.ts"
import { sampleEntities } from "./sample.ts"

/** Whether the sample is wanted is stored with the record: a start adds it once, and its removal lasts. */
const setting = "sample"

const today = Effect.map(DateTime.now, (now) => DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(now, zone)))

const wanted = Effect.fnUntraced(function* (value: boolean) {
  const db = yield* Db
  yield* db`
    insert into setting (name, value, updated_at) values (${setting}, ${JSON.stringify(value)}::jsonb, now())
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`
})

/** Puts the sample on record, dated around today; on another day the same meetings move to dates around that day. */
export const putSample = Effect.gen(function* () {
  const entities = [...sampleEntities(yield* today)]
  const items = Stream.fromIterable(entities.map((entity, at) => found({ file: "sample", line: at + 1 }, entity)))
  yield* importItems(items, {
    dryRun: false,
    writeMedia: () => Effect.succeed(unchanged),
    onNotice: ({ line, field, message }) => Effect.logWarning(`sample:${line} ${field} ${message}`),
    onProgress: () => Effect.void
  })
  yield* wanted(true)
}).pipe(Effect.withSpan("Records.putSample"))

/** Takes every meeting, body and place of the sample off the record. */
export const removeSample = Effect.gen(function* () {
  const db = yield* Db
  const agencies: Array<string> = []
  const places: Array<string> = []
  for (const entity of sampleEntities(yield* today)) {
    if (entity.type === "agency") agencies.push(entity.slug)
    if (entity.type === "place") places.push(entity.slug)
  }
  yield* db.withTransaction(
    Effect.gen(function* () {
      yield* wanted(false)
      const meetings = yield* db<{ id: string }>`
        select m.id from meeting m join body b on b.id = m.body_id where b.slug = any(${agencies})`
      const directory = Effect.gen(function* () {
        yield* db`delete from body where slug = any(${agencies})`
        yield* db`
          delete from place p
          where slug = any(${places}) and not exists (select from body_place bp where bp.place_id = p.id)`
      })
      const ids = meetings.map(({ id }) => id)
      yield* meetingsRemoved(db, ids, "It belonged to the sample record, which is made up.", directory)
    })
  )
}).pipe(Effect.withSpan("Records.removeSample"))

/** Whether a start should add the sample: the record is empty and the sample was not removed, or it is there already. */
export const isSampleWanted = Effect.gen(function* () {
  const db = yield* Db
  const { databaseUrl } = yield* Environment
  const [row] = yield* db<{ wanted: boolean | null; empty: boolean }>`
    select (select value = 'true' from setting where name = ${setting}) as wanted,
      not exists (select from meeting) as empty`
  return row?.wanted ?? (Option.isNone(databaseUrl) && row?.empty === true)
})

/** Makes the media of the sample that is not made yet, and puts each file on record as it is finished; returns how many. */
export const keepSampleMedia = Effect.gen(function* () {
  const { dataDir } = yield* Environment
  const folder = path.join(dataDir, "sample")
  const write = writeMediaFrom(folder, true)
  return yield* sampleMedia(folder, { today: yield* today }).pipe(
    Stream.mapEffect((media) => writeBatch([media], write)),
    Stream.runCount
  )
}).pipe(Effect.withSpan("Records.keepSampleMedia"))
