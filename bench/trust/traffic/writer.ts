import { Effect, Exit, Schedule } from "effect"
import { MeetingRemoval } from "../../../src/services/feed/meeting-removal.ts"
import { meeting, meetingId, putOnRecord } from "../../../test/support/builders.ts"
import { register } from "./register.ts"
import type { Tally } from "./tally.ts"
import { bodyOf, changing, nameOf, titled, type World } from "./world.ts"

/** The longest wait for a change; what it did is not known then. */
const patience = "15 seconds"

/**
 * Changes the record as imports and operators do, one change at a time: titles, and now and then a meeting that comes
 * or is taken off the record. What is acknowledged is noted.
 */
export const writer = Effect.fnUntraced(function* (world: World, tally: Tally, pause: number) {
  let [version, next] = [1, world.titles.size]
  const added: Array<number> = []
  /** Does a change of one meeting, and so of how many there are. */
  const change = <E, R>(number: number, title: string | undefined, doing: Effect.Effect<unknown, E, R>) =>
    Effect.gen(function* () {
      const id = meetingId(nameOf(number))
      const known = world.titles.get(id) ?? register<string | undefined>(undefined)
      world.titles.set(id, known)
      const more = Number(title !== undefined) - Number(known.last() !== undefined)
      const from = performance.now()
      const ends = [known.begin(title), ...(more === 0 ? [] : [world.total.begin(world.total.last() + more)])]
      const exit = yield* Effect.exit(Effect.timeout(doing, patience))
      for (const end of ends) end(Exit.isSuccess(exit))
      if (Exit.isSuccess(exit)) tally.answered("write", from)
      else tally.unavailable()
      return Exit.isSuccess(exit)
    }).pipe(world.writes.withPermit)
  const put = (number: number) =>
    Effect.suspend(() => {
      const title = titled(number, version++)
      return change(number, title, putOnRecord(meeting(nameOf(number), bodyOf(number), { title })))
    })
  const remove = (number: number) =>
    Effect.suspend(() =>
      change(
        number,
        undefined,
        // Tried again, it may be off the record already.
        MeetingRemoval.use((removal) => removal.remove(meetingId(nameOf(number)), "Put on record by mistake.")).pipe(
          Effect.catchTag(["NotFound", "Removed"], () => Effect.void)
        )
      )
    )
  /** A change whose outcome is not known is done again, until it is: how many there are hangs on it. */
  const insist = <R>(doing: Effect.Effect<boolean, never, R>) =>
    Effect.repeat(doing, { until: (isDone) => isDone, times: 500, schedule: Schedule.spaced("200 millis") })
  return yield* Effect.forever(
    Effect.gen(function* () {
      const draw = Math.random()
      if (draw < 0.15) {
        const number = next++
        added.push(number)
        yield* insist(put(number))
      } else if (draw < 0.3 && added.length > 1) yield* insist(remove(added.shift() ?? 0))
      else yield* put(Math.floor(Math.random() * changing))
      yield* Effect.sleep(pause)
    })
  )
})
