import * as http from "node:http"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { deployment } from "../record/importing.ts"
import { freePort } from "../support/free-port.ts"
import { running } from "../support/program.ts"
import { eventually } from "../support/rendering.ts"

interface Answer {
  readonly status: number
  readonly connection: string | undefined
}

/** A keep-alive client with a single connection, like each of a proxy's. */
const client = (port: number) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const get = (path: string) =>
    Effect.callback<Answer | "lost">((resume) => {
      const request = http.get({ port, path, agent, host: "127.0.0.1" }, (response) => {
        response.resume()
        response.on("end", () =>
          resume(Effect.succeed({ status: response.statusCode ?? 0, connection: response.headers.connection }))
        )
      })
      request.on("error", () => resume(Effect.succeed("lost")))
    })
  return { get, close: Effect.sync(() => agent.destroy()) }
}

describe("a service that is stopped by SIGTERM", () => {
  it.live(
    "reports that it is not ready, answers on every kept-alive connection, and then closes them",
    () =>
      Effect.gen(function* () {
        const { url, folder } = yield* deployment
        const [port, operatorPort] = [yield* freePort, yield* freePort]
        const service = yield* running(
          {
            ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") },
            ...{ PORT: String(port), OPERATOR_PORT: String(operatorPort), LOCAL_IDENTITY_PORT: "0" },
            ...{ DRAIN_SECONDS: "3", PUBLIC_READ_LIMIT: "100000" }
          },
          ["serve"]
        )
        const connections = Array.from({ length: 20 }, () => client(port))
        const [console_, probe] = [client(operatorPort), client(port)]
        for (const { close } of [...connections, console_, probe]) yield* Effect.addFinalizer(() => close)
        yield* service.until(
          Effect.map(probe.get("/health/ready"), (answer) =>
            answer !== "lost" && answer.status === 200 ? answer : undefined
          )
        )
        const kept = (answer: Answer | "lost") => answer !== "lost" && answer.connection === "keep-alive"
        for (const { get } of connections) assert.isTrue(kept(yield* get("/api/places")))
        assert.isTrue(kept(yield* console_.get("/metrics")))

        service.child.kill("SIGTERM")
        const ready = yield* eventually(
          Effect.map(client(port).get("/health/ready"), (answer) =>
            answer !== "lost" && answer.status === 503 ? answer : undefined
          )
        )
        assert.deepStrictEqual(ready, { status: 503, connection: "close" })
        const last = { status: 200, connection: "close" }
        assert.deepStrictEqual(yield* client(port).get("/health"), last)
        assert.deepStrictEqual(
          yield* Effect.forEach(connections, ({ get }) => get("/api/places"), { concurrency: "unbounded" }),
          connections.map(() => last)
        )
        assert.deepStrictEqual(yield* console_.get("/metrics"), last)
        // A connection that was idle meanwhile is closed, and delays nothing.
        assert.strictEqual(yield* Effect.promise(() => service.ended), 0)
        assert.strictEqual(yield* client(port).get("/health"), "lost")
      }),
    120_000
  )
})
