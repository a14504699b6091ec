import * as fs from "node:fs"
import { Console, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { Environment } from "../../layers/config.ts"
import { Db } from "../../layers/db.ts"
import { CommandDb } from "../../layers/live.ts"
import { aboutFfmpeg } from "../../layers/renderer/tools.ts"
import { Ended } from "./ended.ts"

interface Finding {
  readonly ok: boolean
  readonly what: string
}

const finding = (ok: boolean, what: string): Finding => ({ ok, what })

const lookAtDatabase = Effect.gen(function* () {
  const db = yield* Db
  const [server] = yield* db<{ version: string; extensions: ReadonlyArray<string> }>`
    select current_setting('server_version') as version,
      array(select extname::text from pg_extension where extname in ('unaccent', 'pg_trgm')) as extensions`
  const [held] = yield* db<{ meetings: number; held: number; lost: number }>`
    select (select count(*)::int from meeting) as meetings, (select coalesce(sum(held), 0)::int from held_count) as held,
      (select count(*)::int from meeting m where m.status = 'held'
        and not exists (select from meeting_search s where s.meeting_id = m.id)) as lost`
  return [
    finding(true, `PostgreSQL ${server?.version} answers, and its schema matches this build`),
    finding(server?.extensions.length === 2, "the extensions unaccent and pg_trgm are installed"),
    finding(
      held?.lost === 0,
      `${held?.meetings} meetings on record, ${held?.held} of them held; search covers ${held?.lost === 0 ? "all of those" : `all but ${held?.lost} of those`}`
    )
  ]
}).pipe(
  Effect.provide(CommandDb),
  Effect.catch((error) => Effect.succeed([finding(false, `the database: ${error.message}`)]))
)

const lookAtFolder = Effect.map(Environment, ({ dataDir }) => {
  const free = fs.existsSync(dataDir) ? fs.statfsSync(dataDir) : fs.statfsSync(".")
  const gigabytes = Math.floor((free.bavail * free.bsize) / 1e9)
  return finding(gigabytes >= 2, `${gigabytes} GB are free for ${dataDir} (at least 2 are needed)`)
})

const lookAtNode = finding(
  Number(process.versions.node.split(".")[0]) >= 24,
  `Node ${process.versions.node} (24 or newer is needed; npm scripts use the project's own)`
)

const lookAtFfmpeg = Effect.map(aboutFfmpeg, ({ state, text }) => finding(state !== "missing", text))

export const doctor = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const { baseUrl, databaseUrl } = yield* Environment
    const findings = [lookAtNode, yield* lookAtFfmpeg, yield* lookAtFolder, ...(yield* lookAtDatabase)]
    yield* Console.log(
      `Base address: ${baseUrl}. Database: ${Option.isSome(databaseUrl) ? "DATABASE_URL" : "embedded"}.`
    )
    for (const { ok, what } of findings) yield* Console.log(`${ok ? "  ok   " : "  FIX  "} ${what}`)
    if (findings.some(({ ok }) => !ok)) return yield* new Ended({ code: 1 })
  })
).pipe(Command.withDescription("Check that everything the service needs is there"))
