/**
 * What the service has resident while it answers requests of all kinds, of which none is repeated soon: every kind of
 * public read, meetings, their pages and transcripts, in all codings. Prints it as it goes, the most there was, and
 * what is left after half a minute of rest.
 *
 *     node bench/memory.ts [--requests 350000] [--minutes N] [--clients 16] [--with NAME=VALUE]... [--size 10000]
 *       [--data FOLDER] [--words N]
 */
import * as http from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { keptRecord, recordNamed, recordOptions } from "./load/kept.ts"
import { toldOnce } from "./load/progress.ts"
import { startService, stopAll } from "./reads/processes.ts"
import { variedPaths, visit } from "./reads/varied.ts"

const { values } = parseArgs({
  options: {
    ...recordOptions,
    requests: { type: "string", default: "350000" },
    /** Ends sooner than with the last request. */
    minutes: { type: "string", default: "60" },
    clients: { type: "string", default: "16" },
    /** Environment variables of the service. */
    with: { type: "string", multiple: true, default: [] }
  }
})
const { wanted, folder } = recordNamed(values)
const requests = Number(values.requests)

try {
  await keptRecord(folder, wanted, toldOnce(console.log))
  const settings = Object.fromEntries(values.with.map((each) => each.split(/=(.*)/s, 2)))
  const service = await startService(folder, [], settings)
  const pathOf = await variedPaths(service.databaseUrl)
  /** In MB: resident, the JavaScript heap in use and in all, and what buffers have outside of it. */
  const memory = async () => {
    const text = await service.metrics()
    const read = (name: string) => Math.round(Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]) / 1e6)
    return {
      resident: read("process_resident_memory_bytes"),
      used: read("nodejs_heap_size_used_bytes"),
      heap: read("nodejs_heap_size_total_bytes"),
      external: read("nodejs_external_memory_bytes")
    }
  }

  let [turn, most, failed] = [0, 0, 0]
  const end = performance.now() + Number(values.minutes) * 60_000
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number(values.clients) })
  const client = async () => {
    while (turn < requests && performance.now() < end) {
      const at = turn++
      const status = await visit(agent, service.base, pathOf, at)
      // A transcript is behind a gate, and not every meeting has one.
      if (status === 0 || status >= 500) failed++
    }
  }
  console.log(`at rest  ${(await memory()).resident} MB`)
  const done = Promise.all(Array.from({ length: Number(values.clients) }, client)).then(() => true)
  for (let shown = 0; !(await Promise.race([done, wait(1000, false)])); ) {
    const { resident, used, heap, external } = await memory()
    most = Math.max(most, resident)
    if (turn - shown < requests / 35) continue
    shown = turn
    console.log(
      `${turn} requests  ${resident} MB, of which ${heap} MB heap (${used} in use), ${external} MB external; ${most} MB at most; ${failed} failed`
    )
  }
  agent.destroy()
  await wait(30_000)
  console.log(`${turn} requests: ${most} MB at most, ${(await memory()).resident} MB after half a minute of rest`)
} finally {
  await stopAll()
}
