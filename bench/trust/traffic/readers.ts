import { Effect } from "effect"
import { type Answer, type Client, json } from "./client.ts"
import type { Tally } from "./tally.ts"
import { home, type Reader, type World } from "./world.ts"

/**
 * How old a public answer may be, in milliseconds: a tenth of a second after another process's commit, as the service
 * promises, and what a busy machine adds.
 */
const stale = 400

interface Listed {
  readonly total: number
  readonly meetings: ReadonlyArray<{ readonly id: string; readonly title: string }>
}

const anyOf = <A>(values: ReadonlyArray<A>): A | undefined => values[Math.floor(Math.random() * values.length)]

/** What readers ask, each compared with what is known. */
const questions = (client: Client, world: World, tally: Tally) => {
  const seen = new Map<string, Buffer>()
  const { ask } = client

  const titlesOf = (id: string, answer: Answer) => world.titles.get(id)?.allowed(answer, stale) ?? []

  /** Compares the title of a meeting, or that it is not on record. */
  const compare = (id: string, title: string | undefined, answer: Answer, where: string) => {
    if (!world.titles.has(id)) return
    const allowed = titlesOf(id, answer)
    if (allowed.includes(title)) return
    const should = [...new Set(allowed)].map((one) => one ?? "gone").join(" or ")
    tally.wrong(`${where}: ${id} is ${title ?? "not on record"}, and should be ${should}`, answer.from)
  }

  const meeting = Effect.gen(function* () {
    const id = anyOf([...world.titles.keys()]) ?? ""
    const answer = yield* ask(`/api/meetings/${id}`, { fine: [200, 404, 410] })
    if (answer === undefined) return
    compare(id, answer.status === 200 ? (json(answer) as { title: string }).title : undefined, answer, "meeting")
  })

  const list = Effect.gen(function* () {
    const answer = yield* ask(
      `/api/meetings/browse?place_slug=${home}&page_size=100&sort=${anyOf(["newest", "oldest"])}`
    )
    if (answer === undefined) return
    const { total, meetings } = json(answer) as Listed
    const allowed = world.total.allowed(answer, stale)
    if (!allowed.includes(total))
      tally.wrong(`browse: total ${total}, and should be ${allowed.join(" or ")}`, answer.from)
    for (const { id, title } of meetings) compare(id, title, answer, "browse")
  })

  const search = Effect.gen(function* () {
    const [id, known] = anyOf([...world.titles]) ?? []
    const title = known?.last()
    if (id === undefined || title === undefined) return
    const word = title.split(" ").at(-1)
    const answer = yield* ask(`/api/meetings/browse?exact=1&q=${word}`)
    if (answer === undefined) return
    const { meetings } = json(answer) as Listed
    const allowed = titlesOf(id, answer)
    const isFound = meetings.some((found) => found.id === id)
    const is = isFound ? allowed.includes(title) : allowed.some((other) => other !== title)
    if (!is) {
      tally.wrong(
        `search: ${word} is ${isFound ? "" : "not "}found, and titles are ${allowed.join(" or ")}`,
        answer.from
      )
    }
  })

  const transcript = (reader: Reader) =>
    Effect.gen(function* () {
      const id = anyOf(world.recorded)
      const answer = yield* ask(`/api/meetings/${id}/transcript`, { cookie: reader.cookie })
      if (answer === undefined) return
      const { segments } = json(answer) as { readonly segments: ReadonlyArray<{ readonly text: string }> }
      if (segments.map(({ text }) => text).join() !== world.lines.join())
        tally.wrong(`transcript: ${id} has other words`)
    })

  /** The first bytes of a recording, which are always the same. */
  const media = (reader: Reader) =>
    Effect.gen(function* () {
      const id = anyOf(world.recorded) ?? ""
      const answer = yield* ask(`/api/meetings/${id}/video`, { cookie: reader.cookie })
      if (answer === undefined) return
      const { url } = json(answer) as { readonly url: string }
      const { pathname, search } = new URL(url)
      const part = yield* ask(`${pathname}${search}`, { headers: { range: "bytes=0-8191" }, fine: [206] })
      if (part === undefined) return
      const before = seen.get(id) ?? part.bytes
      seen.set(id, before)
      if (!before.equals(part.bytes)) tally.wrong(`media: ${id} has other bytes`)
    })

  const page = Effect.gen(function* () {
    const paths = ["/", "/browse", `/in/${home}`, "/md/browse", `/meetings/${anyOf(world.recorded)}`]
    // A meeting's short address leads to the long one.
    yield* ask(anyOf(paths) ?? "/", { fine: [200, 308] })
  })

  /** One of them, in about the proportions of an evening. */
  const one = (reader: Reader) =>
    Effect.suspend(() => {
      const draw = Math.random()
      if (draw < 0.35) return meeting
      if (draw < 0.55) return list
      if (draw < 0.75) return search
      if (draw < 0.85) return transcript(reader)
      return draw < 0.93 ? media(reader) : page
    })
  return one
}

/** Readers, each of whom asks again and again with a pause of so many milliseconds. */
export const readers = (client: Client, world: World, tally: Tally, those: ReadonlyArray<Reader>, pause: number) => {
  const one = questions(client, world, tally)
  return Effect.forEach(
    those,
    (reader) => Effect.forever(Effect.andThen(one(reader), Effect.sleep(pause * (0.5 + Math.random())))),
    { concurrency: "unbounded", discard: true }
  )
}

/** More than the nodes take, and than wait for a refusal. */
const mostWaiting = 4000

/**
 * Questions that come so often a second, whether those before are answered or not: those who ask do not know. Whoever
 * finds thousands waiting does not ask.
 */
export const arrivals = (client: Client, world: World, tally: Tally, those: ReadonlyArray<Reader>, aSecond: number) => {
  const one = questions(client, world, tally)
  const from = performance.now()
  let [begun, waiting] = [0, 0]
  const asked = (reader: Reader) =>
    Effect.suspend(() => {
      waiting++
      return Effect.ensuring(
        one(reader),
        Effect.sync(() => {
          waiting--
        })
      )
    })
  return Effect.forever(
    Effect.gen(function* () {
      const due = ((performance.now() - from) / 1000) * aSecond
      for (; begun < due; begun++)
        if (waiting < mostWaiting) yield* Effect.forkChild(asked(those[begun % those.length] as Reader))
      yield* Effect.sleep("25 millis")
    })
  )
}
