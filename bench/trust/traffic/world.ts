import { type Context, Effect, Layer, Option, Redacted, Semaphore } from "effect"
import { Environment, readEnvironment } from "../../../layers/config/config.ts"
import { Db } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import { Renderer } from "../../../layers/renderer/renderer.ts"
import { Sessions } from "../../../src/services/accounts/sessions.ts"
import { MeetingRemoval } from "../../../src/services/feed/meeting-removal.ts"
import { Sources } from "../../../src/services/sources/sources.ts"
import { reader } from "../../../test/support/actors.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../../../test/support/builders.ts"
import { putRecording } from "../../../test/support/put-recording.ts"
import type { Stand } from "../stand/stand.ts"
import { type Register, register } from "./register.ts"

/** The place whose record is compared. Imports and crawls beside it bring others. */
export const home = "springfield"

/** Its bodies. */
export const bodies = ["springfield-council", "springfield-schools", "springfield-library", "springfield-parks"]

/** How many meetings change. */
export const changing = 40
/** How many beside them have a transcript and a recording, and stay as they are. */
const recorded = 8
const recordingSeconds = 60

/** How many changes may be under way at once, which is more than there ever are. */
export const mostWrites = 10_000

/** A reader with a session. */
export interface Reader {
  readonly cookie: string
  readonly account: string
  readonly follows: Register<string>
  /** Each clip that was acknowledged: whether it is there. */
  readonly clips: Map<string, Register<boolean>>
}

/** What the record is, as far as those who change it know. */
export interface World {
  /** The title of each meeting by its id, or nothing where it is not on record. */
  readonly titles: Map<string, Register<string | undefined>>
  /** How many meetings are on record. */
  readonly total: Register<number>
  readonly recorded: ReadonlyArray<string>
  /** What is said at each meeting that is recorded. */
  readonly lines: ReadonlyArray<string>
  readonly readers: ReadonlyArray<Reader>
  /** Held by each change while it is under way; whoever holds all knows that nothing changes. */
  readonly writes: Semaphore.Semaphore
  /** The clips that were seen to be ready: workers made them. */
  readonly cut: Set<string>
}

/** The services of this process, as an import or a command has them: through the pooler, and past it. */
export const servicesOn = (stand: Stand) => {
  const { pooled, direct } = stand.importerUrls
  const environment = Layer.effect(
    Environment,
    readEnvironment({
      PATH: process.env.PATH,
      DATA_DIR: `${stand.folder}/traffic`,
      MEDIA_URL: stand.mediaUrl()
    })
  )
  const db = Layer.fresh(
    Db.layerUrl(Redacted.make(pooled), Option.none(), { maxConnections: 6 }, Option.some(Redacted.make(direct)))
  )
  return Layer.mergeAll(Sessions.layer, Sources.layer, MeetingRemoval.layer, ObjectStore.layer, Renderer.layer).pipe(
    Layer.provideMerge(db),
    Layer.provideMerge(environment)
  )
}
export type Services = Context.Context<Layer.Success<ReturnType<typeof servicesOn>>>

export const titled = (number: number, version: number) => `Zoning x${number}v${version}`
export const nameOf = (number: number) => `m${number}`
export const bodyOf = (number: number) => bodies[number % bodies.length] ?? ""

/** Puts the record on record, before there is any traffic. */
export const makeWorld = Effect.fnUntraced(function* (readers: number) {
  const lines = Array.from(
    { length: 12 },
    (_, at) => `The motion to repair bridge ${at} is before this council tonight.`
  )
  yield* putOnRecord(place(home), ...bodies.map((body) => agency(body, [home], { segment: body })))
  const numbers = Array.from({ length: changing }, (_, at) => at)
  yield* putOnRecord(...numbers.map((at) => meeting(nameOf(at), bodyOf(at), { title: titled(at, 0) })))
  const withWords = Array.from({ length: recorded }, (_, at) => `recorded ${at}`)
  yield* putOnRecord(
    ...withWords.map((name) => meeting(name, "springfield-council", { title: "Work Session" })),
    ...withWords.map((name) => transcript(name, said(lines)))
  )
  yield* Effect.forEach(withWords, (name) => putRecording(meetingId(name), recordingSeconds), { discard: true })
  const accounts = yield* Effect.forEach(Array.from({ length: readers }), (_, at) => reader(`reader${at}@example.org`))
  return {
    titles: new Map(numbers.map((at) => [meetingId(nameOf(at)), register<string | undefined>(titled(at, 0))])),
    total: register(changing + recorded),
    recorded: withWords.map(meetingId),
    lines,
    cut: new Set(),
    writes: yield* Semaphore.make(mostWrites),
    readers: accounts.map(({ accountId, token }) => ({
      cookie: `cr_session=${token}`,
      account: accountId,
      follows: register(""),
      clips: new Map()
    }))
  } satisfies World as World
})
