import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Db } from "../../layers/db/db.ts"
import { isMigrated } from "../../layers/db/migrate.ts"
import { CommandDb } from "../../layers/live.ts"

export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    // Opening the database has already migrated it.
    const db = yield* Db
    const [latest] = yield* db<{ id: number; name: string }>`
      select migration_id as id, name from migration order by migration_id desc limit 1`
    yield* Console.log(
      (yield* isMigrated)
        ? `The schema is up to date: ${latest?.id} ${latest?.name}.`
        : "The schema belongs to a newer build than this one."
    )
  })
).pipe(Command.withDescription("Migrate the database to this build's schema"), Command.provide(CommandDb))
