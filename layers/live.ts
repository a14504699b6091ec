import * as fs from "node:fs"
import { Effect, Layer, Option } from "effect"
import { Environment } from "./config.ts"
import { lockData } from "./data-lock.ts"
import { Db, migrate } from "./db.ts"

/** Folders of ours may be walked through, for the database runs as another user; what is secret in them may not be read. */
const makeDataDir = Effect.fnUntraced(function* () {
  const { dataDir } = yield* Environment
  yield* Effect.sync(() => fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 }))
  return dataDir
})

const migrated = Layer.effectDiscard(migrate())

/**
 * The database of a process that has the data folder to itself: the service. Fails with `DataInUse` where another one
 * runs on the same folder.
 */
export const ServiceDb = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl } = yield* Environment
    yield* lockData(yield* makeDataDir(), `the service at ${baseUrl} (process ${process.pid})`)
    return Layer.provideMerge(migrated, Db.layer("own", { statementTimeout: "30 seconds" }))
  })
)

/** The database of a command: the running service's where there is one, else one of its own for as long as it runs. */
export const CommandDb = Layer.unwrap(
  Effect.gen(function* () {
    const dataDir = yield* makeDataDir()
    const { databaseUrl } = yield* Environment
    const ownership = Option.isSome(databaseUrl)
      ? ("attach" as const)
      : yield* lockData(dataDir, `a civic-record command (process ${process.pid})`).pipe(
          Effect.as("own" as const),
          Effect.catchTag("DataInUse", () => Effect.succeed("attach" as const))
        )
    return Layer.provideMerge(migrated, Db.layer(ownership))
  })
)
