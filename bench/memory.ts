/**
 * What the service has resident while it answers requests of all kinds, of which none is repeated soon: every kind of
 * public read, meetings, their pages and transcripts, in all codings. Prints it as it goes, the most there was, and
 * what is left after half a minute of rest.
 *
 *     node bench/memory.ts [--requests 350000] [--clients 16] [--size 10000] [--data FOLDER] [--words N]
 */
import * as http from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import postgres from "postgres"
import { keptRecord, recordNamed, recordOptions } from "./load/kept.ts"
import { toldOnce } from "./load/progress.ts"
import { startService, stopAll } from "./reads/processes.ts"
import { rowsFor, variantsOf } from "./reads/rows.ts"
import { knownOf } from "./reads/words.ts"

const { values } = parseArgs({
  options: {
    ...recordOptions,
    requests: { type: "string", default: "350000" },
    clients: { type: "string", default: "16" }
  }
})
const { wanted, folder } = recordNamed(values)
const requests = Number(values.requests)

const codings = ["br", "gzip", "identity"]

/** Sends a request, discards the response, and gives its status; 0 if there was none. */
const ask = (agent: http.Agent, url: string, coding: string): Promise<number> =>
  new Promise((resolve) => {
    http
      .get(url, { agent, headers: { "accept-encoding": coding } }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0))
        response.on("error", () => resolve(0))
      })
      .on("error", () => resolve(0))
  })

try {
  await keptRecord(folder, wanted, toldOnce(console.log))
  const service = await startService(folder)
  const sql = postgres(service.databaseUrl, { max: 1, onnotice: () => undefined })
  const known = await knownOf(sql)
  const meetings = (await sql<{ id: string }[]>`select meeting_id::text as id from transcript limit 3000`).map(
    ({ id }) => id
  )
  await sql.end()

  const kinds = rowsFor(known).map((row) => variantsOf(row))
  const meeting = (at: number) => meetings[at % meetings.length] ?? ""
  const pathOf = (turn: number): string => {
    if (turn % 50 === 24)
      return `/api/meetings/${meeting(turn * 13)}/transcript?format=${["json", "vtt", "txt"][turn % 3]}`
    if (turn % 10 === 6) return `/meetings/${meeting(turn * 11)}`
    return kinds[turn % kinds.length]?.() ?? "/"
  }
  /** In MB: resident, and of the JavaScript heap. */
  const memory = async () => {
    const text = await service.metrics()
    const read = (name: string) => Math.round(Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]) / 1e6)
    return { resident: read("process_resident_memory_bytes"), heap: read("nodejs_heap_size_used_bytes") }
  }

  let [turn, most, failed] = [0, 0, 0]
  const agent = new http.Agent({ keepAlive: true, maxSockets: Number(values.clients) })
  const client = async () => {
    while (turn < requests) {
      const at = turn++
      const status = await ask(agent, service.base + pathOf(at), codings[at % 3] ?? "br")
      // A transcript is behind a gate, and not every meeting has one.
      if (status === 0 || status >= 500) failed++
    }
  }
  console.log(`at rest  ${(await memory()).resident} MB`)
  const done = Promise.all(Array.from({ length: Number(values.clients) }, client)).then(() => true)
  for (let shown = 0; !(await Promise.race([done, wait(1000, false)])); ) {
    const { resident, heap } = await memory()
    most = Math.max(most, resident)
    if (turn - shown < requests / 35) continue
    shown = turn
    console.log(
      `${turn} requests  ${resident} MB, of which ${heap} MB JavaScript; ${most} MB at most; ${failed} failed`
    )
  }
  agent.destroy()
  await wait(30_000)
  console.log(`${requests} requests: ${most} MB at most, ${(await memory()).resident} MB after half a minute of rest`)
} finally {
  await stopAll()
}
