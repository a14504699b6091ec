import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { deployment } from "../record/importing.ts"
import { freePort } from "../support/free-port.ts"
import { running } from "../support/program.ts"
import { wayTo } from "../support/way.ts"

const drain = 2

/** What is running, how its primary dies, and by which signal it is told to end. */
const cases = [
  ["serve", "cut", "SIGINT"],
  ["serve", "hush", "SIGINT"],
  ["serve", "hush", "SIGTERM"],
  ["worker", "cut", "SIGINT"],
  ["worker", "hush", "SIGINT"],
  ["worker", "hush", "SIGTERM"]
] as const

/** The ten seconds that a supervisor waits beyond the drain, and what a busy machine adds. */
const within = 10 + 4

const answers = (url: string) =>
  Effect.promise(() =>
    fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined
    )
  )

describe("a process whose primary is dead", { concurrent: true }, () => {
  for (const [command, death, signal] of cases) {
    const how = death === "cut" ? "refuses connections" : "says nothing any more"
    it.live(
      `ends on ${signal} although the primary of its ${command} ${how}`,
      () =>
        Effect.gen(function* () {
          const { url, folder } = yield* deployment
          const to = new URL(Redacted.value(url))
          const way = yield* wayTo(to.hostname, Number(to.port))
          to.host = `127.0.0.1:${way.port}`
          const port = yield* freePort
          const { child, said, ended, until } = yield* running(
            {
              ...{ PATH: process.env.PATH, DATABASE_URL: to.href, DATA_DIR: path.join(folder, "data") },
              ...{ PORT: String(port), OPERATOR_PORT: String(yield* freePort), LOCAL_IDENTITY_PORT: "0" },
              DRAIN_SECONDS: String(drain)
            },
            [command]
          )
          yield* until(
            command === "serve"
              ? answers(`http://127.0.0.1:${port}/health/ready`)
              : Effect.sync(() => (said.join("").includes("Waiting for tasks") ? true : undefined))
          )
          // Its own work has begun, and asks every two seconds.
          yield* Effect.sleep("2 seconds")
          yield* way[death]
          yield* Effect.sleep("3 seconds")
          const from = performance.now()
          child.kill(signal)
          const code = yield* Effect.promise(() => ended).pipe(Effect.timeoutOption("40 seconds"))
          const took = (performance.now() - from) / 1000
          assert.strictEqual(code._tag, "Some", said.join(""))
          assert.isBelow(took, within + (signal === "SIGTERM" && command === "serve" ? drain : 0))
        }),
      120_000
    )
  }
})
