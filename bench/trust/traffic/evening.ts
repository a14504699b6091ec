import { spawn } from "node:child_process"
import * as path from "node:path"
import * as tls from "node:tls"
import { Effect } from "effect"
import { request } from "undici"
import { Sources } from "../../../src/services/sources/sources.ts"
import { place, putOnRecord } from "../../../test/support/builders.ts"
import { cityServer, says } from "../../../test/support/city-server.ts"
import { writeBundle } from "../../load/bundle.ts"
import { recordOf } from "../../load/record.ts"
import { programPath, root } from "../stand/needs.ts"
import type { Stand } from "../stand/stand.ts"
import type { Client } from "./client.ts"
import type { Tally } from "./tally.ts"
import type { World } from "./world.ts"

/** One sign-in at the provider, from redirect to redirect, with a browser's cookies; ends with who is signed in. */
const signIn = async ({ base, agent }: Client, signal: AbortSignal) => {
  const cookies = new Map<string, string>()
  let url = new URL("/api/auth/oidc/city/start?return_to=/api/auth/session", base)
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ")
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, headers: { cookie }, signal })
    const text = await body.text()
    for (const line of [headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    if (headers.location === undefined) return { statusCode, headers, text }
    url = new URL(String(headers.location), url)
  }
  throw new Error("A sign-in went in circles")
}

/** Somebody signs in again and again, with a pause of so many milliseconds. */
export const signIns = (client: Client, tally: Tally, pause: number) =>
  Effect.promise(async (signal) => {
    const from = performance.now()
    try {
      const { statusCode, headers, text } = await signIn(client, signal)
      if (statusCode === 503 && headers["retry-after"] !== undefined) return tally.unavailable(from)
      if (statusCode !== 200) return tally.failed(`status ${statusCode} of a sign-in`)
      tally.answered("write", from)
      if (!text.includes('"account"')) tally.wrong(`sign-in: ${text.slice(0, 80)}`)
    } catch (error) {
      if (!signal.aborted) tally.failed(`sign-in: ${String(error)}`)
    }
  }).pipe(Effect.delay(pause), Effect.forever)

/** So many streams that hardly anything is said on; returns how many are still open. */
export const idleStreams = Effect.fnUntraced(function* (stand: Stand, world: World, count: number) {
  const open = new Set<tls.TLSSocket>()
  const one = (at: number) =>
    Effect.callback<void>((resume) => {
      const socket = tls.connect({ host: "localhost", port: stand.ports.https, ca: stand.trusted }, () => {
        const meeting = world.recorded[at % world.recorded.length]
        const cookie = world.readers[at % world.readers.length]?.cookie
        socket.write(`GET /api/events?meeting_id=${meeting} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`)
      })
      socket.once("data", (bytes) => {
        if (String(bytes).startsWith("HTTP/1.1 200")) open.add(socket)
        resume(Effect.void)
      })
      socket.on("data", () => undefined)
      socket.on("error", () => resume(Effect.void))
      socket.on("close", () => {
        open.delete(socket)
        resume(Effect.void)
      })
    })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const socket of open) socket.destroy()
    })
  )
  yield* Effect.forEach(Array.from({ length: count }).keys(), one, { concurrency: 40, discard: true })
  return () => open.size
})

/** Runs a command of ours as an importer does; returns its exit code. */
const command = ({ folder, importerUrls, mediaUrl }: Stand, ...args: ReadonlyArray<string>) =>
  Effect.callback<number | null>((resume) => {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/main.ts", ...args], {
      cwd: root,
      env: {
        PATH: programPath,
        DATABASE_URL: importerUrls.pooled,
        DATABASE_DIRECT_URL: importerUrls.direct,
        MEDIA_URL: mediaUrl(),
        DATA_DIR: path.join(folder, "imports")
      },
      stdio: "ignore"
    })
    child.once("exit", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** How many meetings come with one import, each with about so many words. */
const [imported, words] = [60, 600]

/** One bundle after another is imported, each with other meetings. */
export const imports = Effect.fnUntraced(function* (stand: Stand, tally: Tally) {
  for (let run = 0; ; run++) {
    const file = path.join(stand.folder, "bundle.ndjson")
    const until = new Date().toISOString().slice(0, 10)
    const record = yield* Effect.promise(() => recordOf({ seed: `evening ${run}`, size: imported, words, until }))
    yield* Effect.promise(() => writeBundle(file, record))
    const code = yield* command(stand, "import", file)
    if (code !== 0) tally.broken(`an import ended with ${code}`)
    yield* Effect.sleep("20 seconds")
  }
})

/** A city's calendar that changes, and is crawled again and again. */
export const crawls = Effect.fnUntraced(function* () {
  const city = yield* cityServer()
  yield* putOnRecord(place("shelbyville"))
  const sources = yield* Sources
  const at = "/v1/shelbyville/events"
  const id = yield* sources.add({ kind: "legistar", url: `${city.url}${at}`, place: "shelbyville", everySeconds: 3600 })
  for (let round = 0; ; round++) {
    const events = Array.from({ length: 40 }, (_, number) => ({
      EventId: number + 1,
      EventGuid: `00000000-0000-4000-8000-${String(number + 1).padStart(12, "0")}`,
      EventBodyId: 1 + (number % 2),
      EventBodyName: ["City Council", "Parks Board"][number % 2],
      EventDate: `${new Date(Date.now() + (number + 2) * 86_400_000).toISOString().slice(0, 10)}T00:00:00`,
      EventTime: "6:30 PM",
      EventAgendaStatusName: "Final",
      EventMinutesStatusName: "Draft",
      EventLocation: `Room ${number % 3 === 0 ? round : 1}`
    }))
    city.answers.set(at, says(JSON.stringify(events)))
    yield* sources.crawl(id)
    yield* Effect.sleep("20 seconds")
  }
}, Effect.orDie)
