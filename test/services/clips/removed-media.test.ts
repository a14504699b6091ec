import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Db } from "../../../layers/db/db.ts"
import type { BundleMedia } from "../../../schema/bundle.ts"
import { writeBatch } from "../../../src/record/write/batch.ts"
import { writeMediaFrom } from "../../../src/record/write/media.ts"
import { RemovedMedia } from "../../../src/services/clips/removed-media.ts"
import { meetingsRemoved } from "../../../src/services/feed/changed.ts"
import { posterKey, sourceKey } from "../../../src/services/meetings/media-tier.ts"
import { deployment, importPath, writeLines } from "../../record/importing.ts"
import { agency, meeting, meetingId, place } from "../../support/builders.ts"
import { mediaFiles } from "../../support/media-files.ts"

const id = meetingId("a")
const directory = [place("springfield"), agency("council", ["springfield"]), meeting("a", "council")]
const media = (role: "poster" | "source", file: string): BundleMedia => ({
  type: "media",
  meeting_id: id,
  role,
  path: file,
  media_type: "image/jpeg"
})

const sweep = RemovedMedia.use((removed) => removed.sweep).pipe(Effect.provide(RemovedMedia.layer))
const remove = Effect.flatMap(Db, (db) => db.withTransaction(meetingsRemoved(db, [id], undefined)))

describe("the media of a killed import", () => {
  it.live("is deleted by the next sweep, and that of a completed import is not", () =>
    Effect.gen(function* () {
      const { folder, store, on } = yield* deployment
      const { jpeg, mp4 } = yield* mediaFiles
      fs.writeFileSync(path.join(folder, "poster.jpg"), jpeg)
      fs.writeFileSync(path.join(folder, "source.mp4"), mp4)
      const isKept = (key: string) => fs.existsSync(path.join(store, key))
      const put = yield* Deferred.make<void>()
      const write = writeMediaFrom(folder, true)
      yield* on(writeBatch([...directory, media("poster", "poster.jpg")], write))
      const batch = on(
        writeBatch([media("source", "source.mp4")], (line, hash) =>
          write(line, hash).pipe(Effect.andThen(Deferred.succeed(put, undefined)), Effect.andThen(Effect.never))
        )
      )
      const killed = yield* Effect.forkChild(batch)
      yield* Deferred.await(put)
      yield* on(sweep)
      assert.isTrue(isKept(sourceKey(id, "mp4")))
      yield* Fiber.interrupt(killed)
      yield* on(sweep)
      assert.deepStrictEqual([isKept(posterKey(id)), isKept(sourceKey(id, "mp4"))], [true, false])
    })
  )
})

describe("the media of a removed meeting", () => {
  it.live("is deleted by the next sweep, unless it was imported again first", () =>
    Effect.gen(function* () {
      const { folder, store, on } = yield* deployment
      const bundle = path.join(folder, "bundle")
      const record = path.join(bundle, "record.ndjson")
      writeLines(record, [...directory, media("poster", "poster.jpg"), media("source", "source.mp4")])
      const { jpeg, mp4 } = yield* mediaFiles
      fs.writeFileSync(path.join(bundle, "poster.jpg"), jpeg)
      fs.writeFileSync(path.join(bundle, "source.mp4"), mp4)
      const isKept = (key: string) => fs.existsSync(path.join(store, key))
      yield* on(importPath(bundle))
      yield* on(remove)
      assert.isTrue(isKept(posterKey(id)))
      // Its recording does not come back.
      writeLines(record, [...directory, media("poster", "poster.jpg")])
      yield* on(importPath(bundle))
      yield* on(sweep)
      assert.deepStrictEqual([isKept(posterKey(id)), isKept(sourceKey(id, "mp4"))], [true, false])
      yield* on(remove)
      yield* on(sweep)
      assert.isFalse(isKept(posterKey(id)))
      assert.deepStrictEqual(yield* on(Effect.flatMap(Db, (db) => db`select from removed_media`)), [])
    })
  )
})
