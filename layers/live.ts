import { Effect, Layer, Option } from "effect"
import { Environment, InvalidSetting } from "./config/config.ts"
import { lockData } from "./data-folder/data-lock.ts"
import { makeFolder } from "./data-folder/make-folder.ts"
import { Db } from "./db/db.ts"
import { migrate } from "./db/migrate.ts"
import { refusePooler } from "./db/pooler.ts"
import { Siblings } from "./processes/siblings.ts"

/** The data folder is traversable, because the database runs as another user; its secrets are not readable. */
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

const migrated = Layer.effectDiscard(Effect.andThen(refusePooler, migrate()))

/** Exclusive use of the data folder until the scope closes. Fails with `DataInUse` if another process has it. */
export const ownData = Effect.gen(function* () {
  const { baseUrl } = yield* Environment
  yield* lockData(yield* makeDataDir(), `the service at ${baseUrl} (process ${process.pid})`)
})

/** The service's database, with exclusive use of the data folder, unless this process's parent has both. */
export const ServiceDb = Layer.unwrap(
  Effect.gen(function* () {
    const { ask } = yield* Siblings
    if (ask === undefined) yield* ownData
    const ownership = ask === undefined ? "own" : "attach"
    return Layer.provideMerge(migrated, Db.layer(ownership, { statementTimeout: "30 seconds" }))
  })
)

/** The database for a command, unmigrated: the running service's, or one that runs for as long as the command. */
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

/** The same, migrated to this build's schema. */
export const CommandDb = Layer.provideMerge(migrated, UnmigratedDb)
