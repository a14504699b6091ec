/**
 * The service as it is started, in a process of its own with a database of its own, on a meeting with a transcript of
 * 30,000 words and a recording of 64 MB. Sends its parent its address, the paths to request, and the cookie to request
 * them with.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { Environment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { ServiceDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Signer } from "../../layers/signer/signer.ts"
import { AccountId } from "../../schema/primitives.ts"
import type { Segment } from "../../schema/transcript.ts"
import { Ports } from "../../src/commands/serve/service.ts"
import { ServerLive } from "../../src/http/server.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { ServicesLive } from "../../src/services/live.ts"
import { renditionKey } from "../../src/services/meetings/media-tier.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { agency, meeting, meetingId, place, putMedia, putOnRecord, transcript } from "../../test/support/builders.ts"

const vocabulary =
  "the motion to approve a permit for street parking at the creek bridge is before this council tonight"

/** Sentences of ten timed words, two words a second. */
const spoken = (words: number): ReadonlyArray<Segment> => {
  const all = vocabulary.split(" ")
  return Array.from({ length: words / 10 }, (_, segment) => {
    const said = Array.from({ length: 10 }, (_, at) => ({
      start: segment * 5 + at / 2,
      end: segment * 5 + at / 2 + 0.42,
      text: all[(segment * 7 + at * 3) % all.length] ?? ""
    }))
    const text = said.map((word) => word.text).join(" ")
    return { start: segment * 5, end: segment * 5 + 4.92, speaker: `Member ${segment % 9}`, text, words: said }
  })
}

const id = meetingId("long")

const record = Effect.gen(function* () {
  yield* putOnRecord(
    place("springfield"),
    agency("springfield-council", ["springfield"]),
    meeting("long", "springfield-council"),
    transcript("long", spoken(30_000))
  )
  const { dataDir } = yield* Environment
  const file = path.join(dataDir, "recording")
  fs.writeFileSync(file, randomBytes(64 * 1024 * 1024))
  const store = yield* ObjectStore
  yield* store.put(renditionKey(id), file, "video/mp4")
  yield* putMedia({ key: renditionKey(id), role: "rendition", bytes: fs.statSync(file).size })
  return file
})

const program = Effect.gen(function* () {
  const file = yield* record
  const db = yield* Db
  const [account] = yield* db<{ id: string }>`
    insert into account (email, created_at) values ('reader@example.org', now()) returning id`
  const token = yield* Sessions.use((sessions) => sessions.begin(AccountId.make(account?.id ?? "")))
  const { sig } = yield* Signer.use((signer) => signer.signMedia(renditionKey(id), { download: false }))
  const { address } = yield* HttpServer.HttpServer
  process.send?.({
    base: `http://127.0.0.1:${"port" in address ? address.port : 0}`,
    cookie: `cr_session=${token}`,
    transcript: `/api/meetings/${id}/transcript`,
    media: `/api/media/${renditionKey(id)}?sig=${sig}`,
    file
  })
  return yield* Effect.never
})

process.on("disconnect", () => process.kill(process.pid, "SIGINT"))
const fiber = Effect.runFork(
  Effect.scoped(program).pipe(
    Effect.provide(
      ServerLive.pipe(
        Layer.provideMerge(ServicesLive),
        Layer.provide(SearchIndex.layer),
        Layer.provideMerge(Ports),
        Layer.provideMerge(ServiceDb),
        Layer.provideMerge(Environment.layer),
        Layer.provide(Logger.layer([]))
      )
    ),
    Effect.tapCause((cause) => Effect.sync(() => console.error(cause)))
  )
)
process.on("SIGINT", () => fiber.interruptUnsafe())
fiber.addObserver(() => process.exit())
