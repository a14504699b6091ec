import { Effect } from "effect"
import { request } from "undici"
import type { Client } from "./client.ts"
import type { Tally } from "./tally.ts"

/** Somebody who follows the stream of all meetings, on whichever node it leads to, and goes on where it broke off. */
export interface Listener {
  /** What each event said, by its id, in the order in which they came. */
  readonly heard: ReadonlyMap<number, string>
  readonly last: () => number
}

/** So many listeners, until the scope closes. They compare what they hear with each other. */
export const listeners = Effect.fnUntraced(function* (client: Client, tally: Tally, count: number) {
  /** What one id has meant to anybody: it may never mean two things. */
  const meant = new Map<number, string>()
  const one = Effect.fnUntraced(function* () {
    const heard = new Map<number, string>()
    let last = 0
    let text = ""
    const take = (part: string) => {
      text += part
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        // The card is as it is when it is sent; what happened, and to which meeting, is the event's for ever.
        const [, id, event, meeting] =
          /^id: (\d+)\nevent: (\S+)\ndata: .*?"id":"([\w-]+)"/u.exec(text.slice(0, end)) ?? []
        const said = `${event} ${meeting}`
        text = text.slice(end + 2)
        if (id === undefined) continue
        const number = Number(id)
        if (number <= last) tally.wrong(`stream: event ${number} came after ${last}`)
        if ((meant.get(number) ?? said) !== said) tally.wrong(`stream: event ${number} means two things`)
        meant.set(number, said)
        heard.set(number, said)
        last = number
      }
    }
    const follow = Effect.promise(async (signal) => {
      try {
        const { body, statusCode } = await request(`${client.base}/api/meetings/stream`, {
          dispatcher: client.agent,
          headers: last === 0 ? {} : { "last-event-id": String(last) },
          bodyTimeout: 60_000,
          signal
        })
        text = ""
        if (statusCode !== 200) await body.dump()
        else for await (const part of body) take(String(part))
      } catch {
        // Whoever is cut off asks again.
      }
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(follow, Effect.sleep("300 millis"))))
    return { heard, last: () => last } satisfies Listener as Listener
  })
  return yield* Effect.forEach(Array.from({ length: count }), one)
})
