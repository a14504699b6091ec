import { Effect } from "effect"
import { type Client, json } from "./client.ts"
import { register } from "./register.ts"
import type { Tally } from "./tally.ts"
import { bodies, type Reader, type World } from "./world.ts"

/** An account has at most ten clips of a meeting; it deletes its oldest beyond so many. */
const mostClips = 6

interface Clips {
  readonly clips: ReadonlyArray<{ readonly id: string; readonly state: string; readonly meeting_id: string }>
}

/**
 * What readers do with accounts of theirs: what was acknowledged has to be there at once, on every node. Nobody else
 * may change these accounts.
 */
export const accounts = (client: Client, world: World, tally: Tally, readers: ReadonlyArray<Reader>, pause: number) => {
  const { ask } = client
  const change = world.writes.withPermit

  const follow = (reader: Reader) =>
    Effect.gen(function* () {
      const agencies = bodies.filter(() => Math.random() < 0.5)
      const end = reader.follows.begin(agencies.toSorted().join())
      const put = yield* ask("/api/me/follows", {
        method: "PUT",
        cookie: reader.cookie,
        json: { agencies, places: [] }
      })
      end(put !== undefined)
    }).pipe(change)

  const look = (reader: Reader) =>
    Effect.gen(function* () {
      const answer = yield* ask("/api/me/follows", { cookie: reader.cookie })
      if (answer === undefined) return
      const { agencies } = json(answer) as { readonly agencies: ReadonlyArray<string> }
      const [is, allowed] = [agencies.toSorted().join(), reader.follows.allowed(answer, 0)]
      if (!allowed.includes(is)) tally.wrong(`follows: ${is}, and should be ${allowed.join(" or ")}`, answer.from)
    })

  const cut = (reader: Reader, meeting: string) =>
    Effect.gen(function* () {
      const start = Math.floor(Math.random() * 50)
      const made = yield* ask("/api/user-clips", {
        method: "POST",
        cookie: reader.cookie,
        json: { meeting_id: meeting, start, end: start + 5 },
        fine: [201, 409]
      })
      if (made?.status !== 201) return
      const known = register(false)
      known.begin(true)(true)
      reader.clips.set((json(made) as { id: string }).id, known)
    }).pipe(change)

  const remove = (reader: Reader, id: string) =>
    Effect.gen(function* () {
      const end = reader.clips.get(id)?.begin(false)
      const gone = yield* ask(`/api/user-clips/${id}`, { method: "DELETE", cookie: reader.cookie, fine: [204, 404] })
      end?.(gone !== undefined)
    }).pipe(change)

  /** Looks at all clips of a reader, then cuts another, and deletes one where there are many. */
  const clips = (reader: Reader) =>
    Effect.gen(function* () {
      const meeting = world.recorded[Math.floor(Math.random() * world.recorded.length)] ?? ""
      const answer = yield* ask("/api/user-clips", { cookie: reader.cookie })
      if (answer === undefined) return
      const { clips } = json(answer) as Clips
      for (const { id, state } of clips) if (state === "ready") world.cut.add(id)
      const shown = new Set(clips.map(({ id }) => id))
      for (const [id, known] of reader.clips) {
        if (!known.allowed(answer, 0).includes(shown.has(id))) {
          tally.wrong(`clips: ${id} is ${shown.has(id) ? "still" : "not"} there`, answer.from)
        }
      }
      const ready = clips.findLast(({ state }) => state === "ready")
      if (clips.length > mostClips && ready !== undefined) yield* remove(reader, ready.id)
      // As many wait as workers get to: this is no test of how long a queue may be.
      if (clips.filter(({ state }) => state === "rendering").length < 2) yield* cut(reader, meeting)
    })

  return Effect.forEach(
    readers,
    (reader) =>
      Effect.forever(
        Effect.gen(function* () {
          yield* follow(reader)
          yield* look(reader)
          yield* Effect.sleep(pause * (0.5 + Math.random()))
          yield* clips(reader)
          yield* Effect.sleep(pause * (0.5 + Math.random()))
        })
      ),
    { concurrency: "unbounded", discard: true }
  )
}
