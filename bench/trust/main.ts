/**
 * Sets up everything that a state would run on this machine, in a folder of its own on free ports of loopback; sends
 * traffic whose every answer is compared with what is known to be true; breaks one thing at a time; and prints a table.
 *
 *     npm run trust -- [--only TEXT,TEXT] [--snapshot SECONDS] [--minutes N] [--rush SECONDS] [--json FILE]
 *       [--markdown FILE] [--keep]
 *
 * Exits with 1 if an answer was wrong, a write was lost, anything but 503 with `Retry-After` was seen, or a promise of
 * the remarks was not kept.
 */
import * as fs from "node:fs"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Logger } from "effect"
import { usually } from "./faults/fault.ts"
import { faults } from "./faults/faults.ts"
import { missing } from "./stand/needs.ts"
import { stand } from "./stand/stand.ts"
import { cells, columns, holds, machine, markdown, type Row } from "./table.ts"
import { accounts } from "./traffic/accounts.ts"
import { client } from "./traffic/client.ts"
import { listeners } from "./traffic/listeners.ts"
import { readers } from "./traffic/readers.ts"
import { tally } from "./traffic/tally.ts"
import { makeWorld, servicesOn } from "./traffic/world.ts"
import { writer } from "./traffic/writer.ts"
import { tried } from "./trial.ts"

const { values } = parseArgs({
  options: {
    /** Only faults with one of these texts, joined by commas, in their name. */
    only: { type: "string" },
    /** How long a snapshot is held beside a busy queue. */
    snapshot: { type: "string", default: "60" },
    /** How long the busy evening lasts, and a rush. */
    minutes: { type: "string", default: "10" },
    rush: { type: "string", default: "120" },
    json: { type: "string" },
    markdown: { type: "string" },
    /** Keeps the folder, with the logs of everything. */
    keep: { type: "boolean", default: false }
  }
})

const say = (text: string) => Effect.sync(() => console.log(text))

/** How long everything takes to start, in seconds, on two idle cores. */
const setUp = 25

/** Readers, who ask about so often (in milliseconds), and those who change the record and their accounts. */
const [readersCount, readPause, writePause, accountPause, listenerCount] = [10, 120, 400, 700, 3]
/** Of these, so many also change their accounts; and there are so many accounts in all. */
const [changingCount, accountCount] = [4, 80]

const program = Effect.gen(function* () {
  const about = machine()
  const begun = performance.now()
  const lacking = missing()
  if (lacking !== undefined) {
    yield* say(lacking)
    return false
  }
  const { snapshot, minutes, rush } = values
  for (const [name, given] of Object.entries({ snapshot, minutes, rush })) {
    if (Number(given) > 0) continue
    yield* say(`--${name} must be a number above 0, not ${JSON.stringify(given)}.`)
    return false
  }
  const all = faults({
    snapshotSeconds: Number(snapshot),
    eveningMinutes: Number(minutes),
    rushSeconds: Number(rush)
  })
  const chosen = all.filter(
    ({ name }) => values.only === undefined || values.only.split(",").some((text) => name.includes(text))
  )
  if (chosen.length === 0) {
    yield* say(
      `No fault has ${JSON.stringify(values.only)} in its name. There are:\n${all.map(({ name }) => `  ${name}`).join("\n")}`
    )
    return false
  }
  const minutesWanted = chosen.reduce((sum, { lasts = usually }) => sum + lasts, setUp) / 60
  yield* say(
    `${about}\nSetting up; ${chosen.length} faults, about ${minutesWanted.toFixed(0)} minutes on two idle cores`
  )
  const built = yield* stand(values.keep)
  if (values.keep) yield* say(`Everything is in ${built.folder}`)
  yield* built.start
  const services = yield* Layer.build(servicesOn(built))
  const counts = tally()
  const world = yield* Effect.provide(makeWorld(accountCount), services)
  const reading = yield* client(built.base, built.trusted, counts)
  const heard = yield* listeners(reading, counts, listenerCount)
  yield* Effect.forkScoped(readers(reading, world, counts, world.readers.slice(0, readersCount), readPause))
  yield* Effect.forkScoped(accounts(reading, world, counts, world.readers.slice(0, changingCount), accountPause))
  yield* Effect.forkScoped(Effect.provide(writer(world, counts, writePause), services))
  const trial = { stand: built, world, tally: counts, client: reading, listeners: heard, services }
  yield* say(`Ready after ${((performance.now() - begun) / 1000).toFixed(0)} s\n${columns.join(" | ")}`)
  const rows: Array<Row> = []
  for (const fault of chosen) {
    const row = yield* tried(trial, fault)
    rows.push(row)
    yield* say(`${cells(row).join(" | ")} (${row.seconds.toFixed(0)} s)`)
    for (const what of [...row.seen.wrong, ...row.lost, ...row.unheard].slice(0, 10)) yield* say(`    ${what}`)
  }
  const took = ((performance.now() - begun) / 60_000).toFixed(0)
  yield* say(`Done after ${took} minutes`)
  const text = `${markdown(rows)}\n\nOn ${about}, in ${took} minutes.\n`
  if (values.markdown !== undefined) fs.writeFileSync(values.markdown, text)
  if (values.json !== undefined) {
    const plain = rows.map(({ seen: { took: _took, refused: _refused, errors, ...seen }, ...row }) => ({
      ...row,
      seen: { ...seen, errors: Object.fromEntries(errors) }
    }))
    fs.writeFileSync(values.json, `${JSON.stringify({ about, minutes: took, rows: plain }, null, 2)}\n`)
  }
  return rows.every(holds)
})

NodeRuntime.runMain(
  program.pipe(
    Effect.scoped,
    Effect.provide(Logger.layer([])),
    Effect.flatMap((isWell) => Effect.sync(() => process.exit(isWell ? 0 : 1)))
  )
)
