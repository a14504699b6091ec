import { Effect } from "effect"
import type { Program } from "../stand/program.ts"
import type { Stand } from "../stand/stand.ts"
import { again, type Fault } from "./fault.ts"

/** Every part, with the signal by which its supervisor stops it in order. */
const parts: ReadonlyArray<readonly [name: string, part: (stand: Stand) => Program, stop: NodeJS.Signals]> = [
  ["node", ({ nodes }) => nodes[1], "SIGTERM"],
  ["worker", ({ workers }) => workers[0], "SIGTERM"],
  ["pooler", ({ bouncer }) => bouncer, "SIGINT"],
  ["store", ({ media }) => media, "SIGTERM"],
  ["Redis", ({ cache }) => cache, "SIGTERM"],
  ["database", ({ databases }) => databases.primary().program, "SIGINT"]
]

/** The database comes back by itself here: nothing else is promoted. */
const withoutFailover =
  (stand: Stand) =>
  <A>(doing: Effect.Effect<A>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => stand.databases.setAutomatic(false)),
      () => doing,
      () => Effect.sync(() => stand.databases.setAutomatic(true))
    )

/** Each part is stopped in order and started again, then killed and started again. */
export const restarts: ReadonlyArray<Fault> = [
  ...parts.flatMap(([name, part, stop]) => [
    {
      name: `${name} restarted`,
      run: ({ stand }) => withoutFailover(stand)(again(part(stand), stop))
    } satisfies Fault,
    {
      name: `${name} killed (kill -9)`,
      run: ({ stand }) => withoutFailover(stand)(again(part(stand), "SIGKILL"))
    } satisfies Fault
  ]),
  {
    name: "proxy reloaded",
    run: ({ stand }) => Effect.as(Effect.andThen(stand.proxy.signal("SIGUSR2"), Effect.sleep("2 seconds")), undefined)
  },
  {
    name: "proxy killed (kill -9)",
    severs: true,
    run: ({ stand }) => Effect.as(again(stand.proxy, "SIGKILL"), "there is one: nobody connects until it is back")
  },
  { name: "proxy of the database killed (kill -9)", run: ({ stand }) => again(stand.postgresProxy, "SIGKILL") }
]
