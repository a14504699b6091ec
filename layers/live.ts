import { Effect, Layer, Option } from "effect"
import { Environment, InvalidSetting } from "./config/config.ts"
import { lockData } from "./data-folder/data-lock.ts"
import { makeFolder } from "./data-folder/make-folder.ts"
import { Db } from "./db/db.ts"
import { migrate } from "./db/migrate.ts"

/** The data folder may be traversed, because the database runs as another user; the secrets in it may not be read. */
const makeDataDir = Effect.fnUntraced(function* () {
  const { dataDir } = yield* Environment
  yield* Effect.try({
    try: () => makeFolder(dataDir, 0o711),
    catch: () =>
      new InvalidSetting({
        setting: "DATA_DIR",
        message: `DATA_DIR must be a folder that can be made and written to, and ${dataDir} cannot.`
      })
  })
  return dataDir
})

const migrated = Layer.effectDiscard(migrate())

/**
 * The database of the service, which needs the data folder to itself. Fails with `DataInUse` if another process has it.
 */
export const ServiceDb = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl } = yield* Environment
    yield* lockData(yield* makeDataDir(), `the service at ${baseUrl} (process ${process.pid})`)
    return Layer.provideMerge(migrated, Db.layer("own", { statementTimeout: "30 seconds" }))
  })
)

/** The database of a command as it is: that of the running service, or else one that runs as long as the command. */
export const UnmigratedDb = Layer.unwrap(
  Effect.gen(function* () {
    const dataDir = yield* makeDataDir()
    const { databaseUrl } = yield* Environment
    const ownership = Option.isSome(databaseUrl)
      ? ("attach" as const)
      : yield* lockData(dataDir, `a civic-record command (process ${process.pid})`).pipe(
          Effect.as("own" as const),
          Effect.catchTag("DataInUse", () => Effect.succeed("attach" as const))
        )
    return Db.layer(ownership)
  })
)

/** The same with this build's schema. */
export const CommandDb = Layer.provideMerge(migrated, UnmigratedDb)
