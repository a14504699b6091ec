import * as path from "node:path"
import { DateTime, Effect, Option, Stream } from "effect"
import { Environment } from "../../../layers/config.ts"
import { Db } from "../../../layers/db.ts"
import { found } from "../formats/item.ts"
import { importItems } from "../import.ts"
import { writeBatch } from "../write/batch.ts"
import { writeMediaFrom } from "../write/media.ts"
import { unchanged } from "../write/outcome.ts"
import { zone } from "./calendar.ts"
import { sampleMedia } from "./media.ts"
import { sampleEntities } from "./sample.ts"

/** Whether the sample is wanted is kept with the record: a start puts it there once, and its removal lasts. */
const setting = "sample"

const today = Effect.map(DateTime.now, (now) => DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(now, zone)))

const wanted = Effect.fnUntraced(function* (value: boolean) {
  const db = yield* Db
  yield* db`
    insert into setting (name, value, updated_at) values (${setting}, ${JSON.stringify(value)}::jsonb, now())
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`
})

/** Puts the sample on record as it is around today; on another day the same meetings move along. */
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
      yield* db`delete from meeting_search where body_id in (select id from body where slug = any(${agencies}))`
      yield* db`delete from meeting where body_id in (select id from body where slug = any(${agencies}))`
      yield* db`delete from body where slug = any(${agencies})`
      yield* db`
        delete from place p where slug = any(${places}) and not exists (select from body_place bp where bp.place_id = p.id)`
      yield* wanted(false)
    })
  )
}).pipe(Effect.withSpan("Records.removeSample"))

/** Whether a start should put the sample there: the record is empty and nobody took it off, or it is there already. */
export const isSampleWanted = Effect.gen(function* () {
  const db = yield* Db
  const { databaseUrl } = yield* Environment
  const [row] = yield* db<{ wanted: boolean | null; empty: boolean }>`
    select (select value = 'true' from setting where name = ${setting}) as wanted,
      not exists (select from meeting) as empty`
  return row?.wanted ?? (Option.isNone(databaseUrl) && row?.empty === true)
})

/** Makes what media of the sample is not made yet, and puts each on record as it is finished; gives how many there are. */
export const keepSampleMedia = Effect.gen(function* () {
  const { dataDir } = yield* Environment
  const folder = path.join(dataDir, "sample")
  const write = writeMediaFrom(folder, true)
  return yield* sampleMedia(folder, { today: yield* today }).pipe(
    Stream.mapEffect((media) => writeBatch([media], write)),
    Stream.runCount
  )
}).pipe(Effect.withSpan("Records.keepSampleMedia"))
