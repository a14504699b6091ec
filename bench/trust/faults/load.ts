import * as fs from "node:fs"
import { Effect, Fiber } from "effect"
import { answers, until } from "../stand/program.ts"
import type { Stand } from "../stand/stand.ts"
import { accounts } from "../traffic/accounts.ts"
import { client } from "../traffic/client.ts"
import { listeners } from "../traffic/listeners.ts"
import { readers } from "../traffic/readers.ts"
import type { World } from "../traffic/world.ts"
import type { Fault, Trial } from "./fault.ts"

/** Megabytes that the processes of the nodes have in memory, each. */
const resident = ({ nodes }: Stand) =>
  nodes.map((node) => {
    const file = `/proc/${node.pid()}/status`
    const kilobytes = fs.existsSync(file) ? /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(file, "utf8"))?.[1] : undefined
    return Math.round(Number(kilobytes ?? 0) / 1024)
  })

const percentile = (times: ReadonlyArray<number>, of: number) =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * of)] ?? 0).toFixed(0)

/** How long each node takes to say that it is well, in milliseconds, asked twice a second. */
const health = Effect.fnUntraced(function* ({ checkBases }: Stand, times: Array<number>) {
  return yield* Effect.forever(
    Effect.gen(function* () {
      for (const base of checkBases) {
        const from = performance.now()
        yield* answers(`${base}/health`)
        times.push(performance.now() - from)
      }
      yield* Effect.sleep("500 millis")
    })
  )
})

/** The same readers, many times over. */
const crowd = (world: World, times: number): World => ({
  ...world,
  readers: Array.from({ length: times }, () => world.readers).flat()
})

/** So many readers beside those that there are, with a pause of so many milliseconds, for so long. */
const beside = (trial: Trial, times: number, pause: number, streams: number, seconds: number) =>
  Effect.gen(function* () {
    const { stand, world, tally } = trial
    const many = yield* client(stand.base, stand.trusted, tally, 2000)
    const checked: Array<number> = []
    const before = resident(stand)
    const all = [
      yield* Effect.forkChild(readers(many, crowd(world, times), tally, pause)),
      yield* Effect.forkChild(accounts(many, world, tally, 1000)),
      yield* Effect.forkChild(health(stand, checked))
    ]
    yield* listeners(many, tally, streams)
    yield* Effect.sleep(seconds * 1000)
    const after = resident(stand)
    yield* Effect.forEach(all, Fiber.interrupt)
    return { checked, memory: `${before.join("/")} MB before, ${after.join("/")} MB after` }
  }).pipe(Effect.scoped)

/** A busy evening, then ten times as many for as long, and two minutes at most. */
export const load = (minutes: number): ReadonlyArray<Fault> => [
  {
    name: `a busy evening of ${minutes} minutes`,
    run: (trial) =>
      Effect.gen(function* () {
        const { memory } = yield* beside(trial, 4, 400, 200, minutes * 60)
        const { read, write } = trial.tally.seen().took
        return `p99 ${percentile(read, 0.99)} ms of reads, ${percentile(write, 0.99)} ms of writes; nodes ${memory}`
      })
  },
  {
    name: "ten times as many",
    run: (trial) =>
      Effect.gen(function* () {
        const { checked, memory } = yield* beside(trial, 40, 400, 200, Math.min(120, minutes * 60))
        const from = performance.now()
        yield* until("a node to answer", answers(`${trial.stand.checkBases[0]}/health/ready`))
        const well = ((performance.now() - from) / 1000).toFixed(1)
        return `health within ${percentile(checked, 0.99)} ms (p99), well ${well} s after; nodes ${memory}`
      })
  }
]
