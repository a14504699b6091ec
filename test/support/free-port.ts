import { createServer } from "node:net"
import { Effect } from "effect"

/**
 * Linux takes the ports of outgoing connections from 32768 up, and one of those may take a port between the look and
 * the use. These are below, and each process of a test run has a share of its own.
 */
const [lowest, share, shares] = [12_000, 2000, 10]

const from = lowest + (Number(process.env.VITEST_POOL_ID ?? 0) % shares) * share

// Not from the beginning, as another run may be under way.
let next = Math.floor(Math.random() * share)

const isFree = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const server = createServer()
      .on("error", () => resume(Effect.succeed(false)))
      .listen(port, () => server.close(() => resume(Effect.succeed(true))))
  })

/** A port that nobody listens on, and that this process is not given again soon. */
export const freePort: Effect.Effect<number> = Effect.suspend(() => {
  next = (next + 1) % share
  const port = from + next
  return Effect.flatMap(isFree(port), (is) => (is ? Effect.succeed(port) : freePort))
})

/** A port under each of these names. */
export const freePorts = <const Names extends ReadonlyArray<string>>(names: Names) =>
  Effect.map(
    Effect.forEach(names, (name) => Effect.map(freePort, (port) => [name, port] as const)),
    (named) => Object.fromEntries(named) as Record<Names[number], number>
  )
