import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Db } from "../../layers/db/db.ts"
import { schemaFit } from "../../layers/db/migrate.ts"
import { CommandDb } from "../../layers/live.ts"

export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    // Opening the database has already migrated it.
    const db = yield* Db
    const [latest] = yield* db<{ id: number; name: string }>`
      select migration_id as id, name from migration order by migration_id desc limit 1`
    const { build, fit, schema } = yield* schemaFit
    yield* Console.log(
      build === schema
        ? `The schema is up to date: ${latest?.id} ${latest?.name}.`
        : `The schema belongs to a newer build than this one (${schema}, this one has ${build}), which ${
            fit === "serves" ? "can serve with it" : "cannot serve with it"
          }.`
    )
  })
).pipe(Command.withDescription("Migrate the database to this build's schema"), Command.provide(CommandDb))
