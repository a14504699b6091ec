import { Effect } from "effect"
import { answers, until } from "../stand/program.ts"
import { coresUsed, mostResident, residentNow } from "../stand/resident.ts"
import { accounts } from "../traffic/accounts.ts"
import { client } from "../traffic/client.ts"
import { crawls, idleStreams, imports, signIns } from "../traffic/evening.ts"
import { health } from "../traffic/health.ts"
import { arrivals } from "../traffic/readers.ts"
import { throng } from "../traffic/throng.ts"
import type { Fault, Trial } from "./fault.ts"

/** What is promised: megabytes of a process, milliseconds of a check, and of the recovery from a rush. */
const promised = { megabytes: 700, health: 100, well: 5000 }

/**
 * What comes in an evening beside the traffic that there always is: questions a second, accounts that change something,
 * their pause and that between sign-ins in milliseconds, and streams.
 */
const evening = { questions: 20, accounts: 6, accountPause: 1500, signIn: 2000, streams: 2000 }

const percentile = (times: ReadonlyArray<number>, of: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * of))] ?? 0

const milliseconds = (time: number) => `${time.toFixed(0)} ms`

const timesOf = (times: ReadonlyArray<number>) =>
  `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(percentile(times, 0.99))}`

/** Readers of a rush: each asks again two seconds after an answer. */
const rushing = 1000

/**
 * What the throng of a rush got. Anything but an answer, 410 for a meeting that was taken down meanwhile, and 503 with
 * `Retry-After` is a promise that was not kept.
 */
const throngOf = ({ stand, world, tally }: Trial, seconds: number) =>
  Effect.map(throng(stand, world, rushing, seconds), ({ 200: ok = 0, 410: gone = 0, 503: refused = 0, ...others }) => {
    for (const [what, count] of Object.entries(others)) if (count > 0) tally.broken(`the throng got ${count} × ${what}`)
    return `${rushing} readers more: ${((ok + gone) / seconds).toFixed(0)} answers and ${(refused / seconds).toFixed(0)} refusals a second`
  })

/**
 * What comes in an evening, with one import and one crawl after another, and `times` as many accounts and sign-ins,
 * until `rush` ends.
 */
const crowd = <A>(trial: Trial, times: number, seconds: number, rush: Effect.Effect<A>) =>
  Effect.gen(function* () {
    const { stand, world, tally, services } = trial
    const programs = [...stand.nodes, ...stand.workers]
    const many = yield* client(stand.base, stand.trusted, tally, 2000)
    const streams = yield* idleStreams(stand, world, evening.streams)
    const opened = streams()
    const most = yield* mostResident(programs)
    // Each account is changed by one reader alone.
    const own = world.readers.slice(10)
    const measured = yield* health(stand.checkBases)
    const used = coresUsed()
    const before = tally.seen().requests
    const all = [
      arrivals(many, world, tally, own, evening.questions),
      accounts(many, world, tally, own.slice(0, evening.accounts * times), evening.accountPause),
      Effect.all(
        Array.from({ length: times }, () => signIns(many, tally, evening.signIn)),
        { concurrency: "unbounded" }
      ),
      Effect.provide(imports(stand, tally), services),
      Effect.provide(crawls(), services)
    ]
    const rushed = yield* Effect.raceFirst(rush, Effect.all(all, { concurrency: "unbounded", discard: true }))
    const asked = (tally.seen().requests - before) / seconds
    const checked = yield* measured
    const kept = streams()
    if (opened < evening.streams) tally.broken(`${evening.streams - opened} streams could not be opened`)
    if (kept < opened) tally.broken(`${opened - kept} streams broke off`)
    const highest = most()
    for (const [at, megabytes] of highest.entries())
      if (megabytes > promised.megabytes) tally.broken(`${programs[at]?.name} had ${megabytes} MB`)
    const lost = checked.filter((time) => time < 0).length
    const slow = percentile(checked, 0.99)
    if (lost > 0) tally.broken(`${lost} of ${checked.length} checks of health were not answered`)
    if (slow > promised.health) tally.broken(`health took ${milliseconds(slow)} (p99)`)
    return {
      rate: `${asked.toFixed(0)} requests a second beside ${kept} streams, both cores ${(used() * 100).toFixed(0)}% busy`,
      health: `health ${timesOf(checked)}`,
      memory: `most resident ${highest.join("/")} MB`,
      programs,
      rushed
    }
  }).pipe(Effect.scoped)

/** Milliseconds until every node is ready and a page comes through the proxy at once. */
const recovered = (trial: Trial) =>
  Effect.gen(function* () {
    const from = performance.now()
    const { stand, client } = trial
    yield* until(
      "all to be well after the rush",
      Effect.gen(function* () {
        const ready = yield* Effect.all(
          stand.checkBases.map((base) => answers(`${base}/health/ready`)),
          { concurrency: "unbounded" }
        )
        const asked = performance.now()
        const answer = yield* client.ask("/api/meetings/browse")
        return ready.every((is) => is) && answer !== undefined && performance.now() - asked < 1000
      })
    )
    return performance.now() - from
  })

/** A busy evening of so many minutes, and ten times as many for so many seconds. */
export const load = (minutes: number, rushSeconds: number): ReadonlyArray<Fault> => [
  {
    name: `busy evening of ${minutes} minutes`,
    lasts: minutes * 60 + 30,
    run: (trial) =>
      Effect.gen(function* () {
        const { rate, health, memory } = yield* crowd(trial, 1, minutes * 60, Effect.sleep(minutes * 60_000))
        const { read, write } = trial.tally.seen().took
        return `${rate}; reads ${timesOf(read)}, writes ${timesOf(write)}; ${health}; ${memory}`
      })
  },
  {
    name: `a rush of ${rushSeconds} s`,
    lasts: rushSeconds + 60,
    run: (trial) =>
      Effect.gen(function* () {
        const throng = throngOf(trial, rushSeconds)
        const { rate, health, memory, programs, rushed } = yield* crowd(trial, 10, rushSeconds, throng)
        const well = yield* recovered(trial)
        if (well > promised.well) trial.tally.broken(`well only after ${(well / 1000).toFixed(1)} s`)
        const { took, refused } = trial.tally.seen()
        yield* Effect.sleep("20 seconds")
        const after = `${residentNow(programs).join("/")} MB 20 s later`
        const times = `${rushed}; of the readers who compare, reads ${timesOf(took.read)}, refusals ${timesOf(refused)}`
        return `${rate}; ${times}; ${health}; well after ${(well / 1000).toFixed(1)} s; ${memory}, ${after}`
      })
  }
]
