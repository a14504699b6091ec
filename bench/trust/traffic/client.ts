import { Effect, type Scope } from "effect"
import { Agent, request } from "undici"
import type { Kind, Tally } from "./tally.ts"

/** An answer, with when it was asked for and when it had come, in milliseconds. */
export interface Answer {
  readonly status: number
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
}

export interface Asked {
  readonly kind?: Kind
  readonly method?: "GET" | "PUT" | "POST" | "DELETE"
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** The statuses that are answers; any other is an error. */
  readonly fine?: ReadonlyArray<number>
}

export interface Client {
  readonly agent: Agent
  readonly base: string
  /**
   * Asks, and counts what comes; nothing is returned for what is no answer. Whoever is told to come back later waits
   * for a moment.
   */
  readonly ask: (path: string, asked?: Asked) => Effect.Effect<Answer | undefined>
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : error instanceof Error ? error.name : "unknown"

/** What may be said of an error answer in a table. */
const named = ({ status, bytes }: Pick<Answer, "status" | "bytes">) =>
  `status ${status} ${/"error": ?"(\w+)"/.exec(bytes.toString("utf8"))?.[1] ?? ""}`.trim()

/** A client of the stand, which trusts its certificate. */
export const client = Effect.fnUntraced(function* (
  base: string,
  trusted: string,
  tally: Tally,
  connections = 64
): Effect.fn.Return<Client, never, Scope.Scope> {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(
      () => new Agent({ connect: { ca: trusted }, connections, headersTimeout: 20_000, bodyTimeout: 20_000 })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )
  const send = (path: string, asked: Asked, signal: AbortSignal) => {
    const headers = {
      ...(asked.cookie === undefined ? {} : { cookie: asked.cookie }),
      ...(asked.json === undefined ? {} : { "content-type": "application/json" }),
      ...asked.headers
    }
    return request(`${base}${path}`, {
      dispatcher: agent,
      method: asked.method ?? "GET",
      headers,
      signal,
      ...(asked.json === undefined ? {} : { body: JSON.stringify(asked.json) })
    })
  }
  const ask = (path: string, asked: Asked = {}) =>
    Effect.promise(async (signal) => {
      const { kind = asked.method === undefined ? "read" : "write", fine = [200] } = asked
      const from = performance.now()
      try {
        const response = await send(path, asked, signal)
        const bytes = Buffer.from(await response.body.arrayBuffer())
        const answer: Answer = { status: response.statusCode, bytes, from, to: performance.now() }
        if (fine.includes(answer.status)) {
          tally.answered(kind, from)
          return answer
        }
        if (answer.status === 503 && response.headers["retry-after"] !== undefined) tally.unavailable(from)
        else tally.failed(named(answer))
      } catch (error) {
        if (!signal.aborted) tally.failed(codeOf(error))
      }
      return undefined
    }).pipe(Effect.tap((answer) => (answer === undefined ? Effect.sleep("200 millis") : Effect.void)))
  return { agent, base, ask }
})

export const json = (answer: Answer): unknown => JSON.parse(answer.bytes.toString("utf8"))
