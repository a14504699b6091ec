import { Clock, Effect, Option } from "effect"
import { Environment } from "../../../../layers/config.ts"
import { Db } from "../../../../layers/db/db.ts"
import { changedSince } from "../changes.ts"
import { indexFolder } from "./folder.ts"
import { usableOrigin } from "./line.ts"

/** The base segment on disk that a service would go on with: its age, and how many meetings have changed since. */
export const lookAtIndex = Effect.fn("SearchIndex.lookAt")(function* () {
  const db = yield* Db
  const { dataDir } = yield* Environment
  const origin = yield* usableOrigin(db, indexFolder(dataDir))
  if (Option.isNone(origin)) return Option.none()
  const { position, made_at } = origin.value
  const [row] = yield* db<{ changed: number }>`
    select count(distinct c.meeting_id)::int as changed from ${changedSince(db, position)} c`
  const hours = Math.round(((yield* Clock.currentTimeMillis) - made_at) / 3_600_000)
  return Option.some({ hours, changed: row?.changed ?? 0 })
})
