import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as http from "node:http"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Db } from "../../layers/db/db.ts"
import { deployment } from "../record/importing.ts"
import { databaseAt } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"
import { running } from "../support/program.ts"
import { eventually } from "../support/rendering.ts"

/** The status of a request on a connection of its own, whose response stays open; or why there is none. */
const open = (port: number, path: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly status: number | string; readonly request: http.ClientRequest }>((resume) => {
      const request = http.get({ port, path, agent: false, host: "127.0.0.1" }, (response) => {
        response.resume()
        resume(Effect.succeed({ status: response.statusCode ?? 0, request }))
      })
      request.on("error", (error) => resume(Effect.succeed({ status: error.message, request })))
    }),
    ({ request }) => Effect.sync(() => request.destroy())
  )

const status = (port: number, path: string) => Effect.scoped(Effect.map(open(port, path), ({ status }) => status))

const text = (port: number, path: string) =>
  Effect.promise(() =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.text(),
      () => ""
    )
  )

/** The ids of the processes that a process has started. */
const childrenOf = (pid: number | undefined): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "ppid=,pid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s.*main\.ts serve/.exec(line))
    .flatMap((found) => (found?.[1] === String(pid) ? [Number(found[2])] : []))

/** How many tasks each process that takes some takes at a time. */
const jobsAtOnce = (url: Redacted.Redacted) =>
  Effect.flatMap(Db, (db) => db<{ jobs: number }>`select jobs from worker where ended_at is null`).pipe(
    Effect.map((rows) => rows.map(({ jobs }) => jobs)),
    Effect.provide(databaseAt(url)),
    Effect.orDie
  )

const counted = (all: ReadonlyArray<number | string>) =>
  Object.fromEntries([...Map.groupBy(all, (status) => status)].map(([status, some]) => [status, some.length]))

describe("a service of several processes", () => {
  it.live(
    "answers as one: one address, one index, limits and metrics of all, whatever becomes of one of them",
    () =>
      Effect.gen(function* () {
        const { url, folder } = yield* deployment
        const [port, operatorPort, identityPort] = [yield* freePort, yield* freePort, yield* freePort]
        const dataDir = path.join(folder, "data")
        const service = yield* running(
          {
            ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: dataDir },
            ...{ PORT: String(port), OPERATOR_PORT: String(operatorPort), LOCAL_IDENTITY_PORT: String(identityPort) },
            ...{ DRAIN_SECONDS: "0", PUBLIC_READ_LIMIT: "60", STREAM_LIMIT: "3" }
          },
          ["serve", "--processes", "2", "--jobs", "0"]
        )
        const metrics = text(operatorPort, "/metrics")
        const until = (...lines: ReadonlyArray<string>) =>
          service.until(
            Effect.map(metrics, (all) => (lines.every((line) => all.split("\n").includes(line)) ? all : undefined))
          )
        const bothReady = until(
          "civic_record_processes_up 2",
          'civic_record_search_index_ready{process="1"} 1',
          'civic_record_search_index_ready{process="2"} 1'
        )
        yield* bothReady
        assert.strictEqual(fs.readdirSync(path.join(dataDir, "search-index")).length, 1)
        // It leaves all tasks to workers, of which there is none.
        assert.deepStrictEqual(yield* jobsAtOnce(url), [])

        const stream = "/api/meetings/stream"
        yield* Effect.scoped(
          Effect.gen(function* () {
            const streams = yield* Effect.forEach(Array(4), () => open(port, stream))
            assert.deepStrictEqual(
              streams.map(({ status }) => status),
              [200, 200, 200, 429]
            )
            // What the streams of a killed process held is free again.
            const [, second = 0] = childrenOf(service.child.pid)
            process.kill(second, "SIGKILL")
            yield* until("civic_record_processes_up 1")
            const others = yield* Effect.forEach(Array(3), () => open(port, stream))
            assert.isTrue(others.some(({ status }) => status === 200))
          })
        )
        yield* bothReady

        // Each connection goes to the next process, and neither has reached the limit by itself.
        const reads = yield* Effect.forEach(Array(100), () => status(port, "/api/places"), { concurrency: 10 })
        assert.isAbove(counted(reads)[429] ?? 0, 0)
        assert.isAtLeast(counted(reads)[200] ?? 0, 50)
        const all = yield* metrics
        for (const process of ["1", "2"]) {
          assert.match(
            all,
            new RegExp(`^civic_record_http_request_duration_seconds_count\\{process="${process}".*places`, "m")
          )
        }
        assert.match(all, /^process_resident_memory_bytes\{process="parent"\} /m)
        const types = all.split("\n").filter((line) => line.startsWith("# TYPE "))
        assert.strictEqual(new Set(types).size, types.length, "the samples of a metric are together")

        const before = childrenOf(service.child.pid)
        service.child.kill("SIGHUP")
        const answers: Array<number | string> = []
        yield* service.until(
          Effect.gen(function* () {
            answers.push(yield* status(port, "/health/ready"))
            const now = childrenOf(service.child.pid)
            return now.length === 2 && now.every((pid) => !before.includes(pid)) ? now : undefined
          })
        )
        yield* bothReady
        assert.deepStrictEqual(counted(answers), { 200: answers.length })
        // Whoever is at the sign-in page finds it where it was.
        assert.strictEqual(yield* status(identityPort, "/.well-known/openid-configuration"), 200)

        service.child.kill("SIGTERM")
        assert.strictEqual(yield* Effect.promise(() => service.ended), 0)
        assert.deepStrictEqual(childrenOf(service.child.pid), [])
      }),
    400_000
  )

  it.live("does four tasks at a time unless told otherwise, and 64 at most", () =>
    Effect.gen(function* () {
      const { url, folder } = yield* deployment
      const [port, operatorPort] = [yield* freePort, yield* freePort]
      const env = {
        ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") },
        ...{ PORT: String(port), OPERATOR_PORT: String(operatorPort), LOCAL_IDENTITY_PORT: "0" }
      }
      const refused = yield* running(env, ["serve", "--jobs", "65"])
      assert.notStrictEqual(yield* Effect.promise(() => refused.ended), 0)
      assert.include(refused.said.join(""), "must be from 0 to 64")
      yield* running(env, ["serve"])
      assert.strictEqual(yield* eventually(Effect.map(jobsAtOnce(url), ([jobs]) => jobs)), 4)
    })
  )

  it.live(
    "says why it cannot start, once",
    () =>
      Effect.gen(function* () {
        const { url, folder } = yield* deployment
        const service = yield* running(
          {
            ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") },
            // Nobody may listen there.
            ...{ HOST: "192.0.2.1", LOCAL_IDENTITY_PORT: "0", OPERATOR_PORT: "0" }
          },
          ["serve", "--processes", "2"]
        )
        assert.strictEqual(yield* Effect.promise(() => service.ended), 1)
        assert.strictEqual(service.said.join("").match(/civic-record: /g)?.length, 1, service.said.join(""))
      }),
    120_000
  )
})
