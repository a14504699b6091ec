import * as fs from "node:fs"
import * as path from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { freePort } from "../../../test/support/free-port.ts"
import { baseBackup, postgresServer } from "../stand/postgres.ts"
import { until, writeOwn } from "../stand/program.ts"
import type { Fault } from "./fault.ts"

const fingerprint = "select md5(string_agg(id || title, ',' order by id)) as of from meeting"
const point = "before_the_mistake"

/**
 * A base backup, more writes, a point, still more writes; then a server of its own is recovered to the point from the
 * backup and the archived log (PostgreSQL's documentation, 25.3.5), and has what the record had there, to the letter.
 */
export const recovery: Fault = {
  name: "recovery to a point in time, beside the traffic",
  lasts: 28,
  run: ({ stand, tally }) =>
    Effect.gen(function* () {
      const { databases, folder, logs } = stand
      const port = yield* freePort
      const other = yield* postgresServer({
        name: "recovered",
        folder: path.join(folder, "recovered"),
        port,
        logs,
        password: databases.password,
        archive: databases.archive,
        follows: () => 1,
        more: () => [
          `restore_command=cp ${databases.archive}/%f %p`,
          `recovery_target_name=${point}`,
          "recovery_target_action=promote",
          "archive_mode=off"
        ]
      })
      yield* baseBackup(databases.primary(), other.data)
      yield* Effect.sleep("3 seconds")
      const connection = yield* PgConnection.make({ url: Redacted.make(databases.primary().url()) })
      // Nobody writes between the two.
      yield* connection.query("begin")
      yield* connection.query("lock table meeting in share mode")
      const { rows } = yield* connection.query(fingerprint)
      yield* connection.query(`select pg_create_restore_point('${point}')::text`)
      yield* connection.query("commit")
      yield* Effect.sleep("3 seconds")
      const last = yield* connection.query("select pg_walfile_name(pg_switch_wal()) as segment")
      const segment = path.join(databases.archive, String(last.rows[0]?.segment))
      yield* until(
        "the log to be archived",
        Effect.sync(() => fs.existsSync(segment))
      )
      writeOwn(path.join(other.data, "recovery.signal"), "", 0o600)
      const begun = performance.now()
      yield* other.program.start
      yield* until(
        "the recovery to reach its point",
        Effect.match(other.ask("select pg_is_in_recovery()::text"), {
          onSuccess: (recovers) => recovers === "false",
          onFailure: () => false
        })
      )
      const is = yield* other.ask(fingerprint)
      const took = ((performance.now() - begun) / 1000).toFixed(1)
      if (is !== String(rows[0]?.of)) tally.broken("the recovered record differs")
      return `recovered in ${took} s`
    }).pipe(Effect.scoped, Effect.orDie)
}
