/**
 * What a second process of the service brings: requests of all kinds, of which none is repeated soon, are sent to
 * `serve --processes 1` and then to `--processes 2`. Prints requests per second, and per second of CPU that the service
 * and PostgreSQL used: where the cores are shared with whoever asks, only the latter says what a request costs.
 *
 *     node bench/processes.ts [--seconds 20] [--clients 16] [--processes 1,2] [--size 10000] [--data FOLDER]
 *       [--words N]
 */
import * as http from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { keptRecord, recordNamed, recordOptions } from "./load/kept.ts"
import { toldOnce } from "./load/progress.ts"
import { cpuOf, familyCpu, postgresCpu } from "./reads/cpu.ts"
import { startService, stopAll } from "./reads/processes.ts"
import { variedPaths, visit } from "./reads/varied.ts"

const { values } = parseArgs({
  options: {
    ...recordOptions,
    seconds: { type: "string", default: "20" },
    clients: { type: "string", default: "16" },
    processes: { type: "string", default: "1,2" }
  }
})
const { wanted, folder } = recordNamed(values)

/** How long is asked before anything is measured, so that V8 has compiled what is asked often. */
const warming = 10_000

const measure = async (processes: string) => {
  const service = await startService(folder, [], {}, ["--processes", processes])
  await service.quiet()
  const pathOf = await variedPaths(service.databaseUrl)
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number(values.clients) })
  let [turn, isOver] = [0, false]
  const client = async () => {
    while (!isOver) await visit(agent, service.base, pathOf, turn++)
  }
  const clients = Array.from({ length: Number(values.clients) }, client)
  // The service started PostgreSQL.
  const used = () => ({
    service: familyCpu(service.pid) - cpuOf(service.postmaster),
    database: postgresCpu(service.postmaster)
  })
  await wait(warming)
  const [from, first, before, own] = [performance.now(), turn, used(), process.cpuUsage()]
  await wait(Number(values.seconds) * 1000)
  const [seconds, asked, after, asker] = [
    (performance.now() - from) / 1000,
    turn - first,
    used(),
    process.cpuUsage(own)
  ]
  isOver = true
  await Promise.all(clients)
  agent.destroy()
  const cpu = { service: (after.service - before.service) / 1000, database: (after.database - before.database) / 1000 }
  console.log(
    [
      `${processes} processes: ${(asked / seconds).toFixed(0)} requests a second`,
      `${(asked / (cpu.service + cpu.database)).toFixed(0)} a CPU second of service and PostgreSQL`,
      `CPU seconds a second: service ${(cpu.service / seconds).toFixed(2)}, PostgreSQL ${(cpu.database / seconds).toFixed(2)}`,
      `asker ${((asker.user + asker.system) / 1e6 / seconds).toFixed(2)}`
    ].join("; ")
  )
  await stopAll()
}

try {
  await keptRecord(folder, wanted, toldOnce(console.log))
  for (const processes of values.processes.split(",")) await measure(processes)
} finally {
  await stopAll()
}
