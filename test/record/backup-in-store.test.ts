import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, Stream } from "effect"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { backUp } from "../../src/record/backup/backup.ts"
import { inStore } from "../../src/record/backup/place.ts"
import { posterKey } from "../../src/services/meetings/media-tier.ts"
import { meetingId } from "../support/builders.ts"
import { freePort } from "../support/free-port.ts"
import { ranHere } from "../support/program.ts"
import { startSigned } from "../support/s3.ts"
import { killed, locked, restored, silently, twoDeployments } from "./backing-up.ts"
import { everything, exported } from "./importing.ts"

/** Two deployments, and a store that checks signatures, with the place of a backup in it. */
const withStore = Effect.gen(function* () {
  const { here, there } = yield* twoDeployments
  const { settings } = yield* startSigned
  const store = Context.get(yield* Layer.build(ObjectStore.layerS3(settings)), ObjectStore)
  const { host } = new URL(settings.endpoint)
  const address = `s3://${host}/${settings.bucket}/backups/monday?tls=false`
  const keys = {
    AWS_ACCESS_KEY_ID: settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: Redacted.value(settings.secretAccessKey)
  }
  const backup = inStore({ store, prefix: "backups/monday/", name: "s3://store/media/backups/monday" })
  const files = Effect.map(Stream.runCollect(store.list("backups/")), (keys) => [...keys])
  return { here, there, store, address, keys, backup, files, write: here.on(backUp(backup, silently)) }
})

/** In milliseconds: each command is a process that has to start. */
const patience = 180_000

describe("a backup in a store", () => {
  it.live(
    "is written and restored by the commands, with keys from the environment",
    () =>
      Effect.gen(function* () {
        const { here, there, address, keys, files } = yield* withStore
        const run = (of: typeof here, ...args: ReadonlyArray<string>) =>
          ranHere({ ...of.env, MEDIA_URL: `file://${of.store}`, ...keys }, ...args)
        const written = yield* run(here, "backup", address)
        assert.strictEqual(written.code, 0, written.err)
        assert.match(written.out, /media files to s3:\/\/127\.0\.0\.1:\d+\/media\/backups\/monday\.$/m)
        assert.notInclude(written.out + written.err, keys.AWS_SECRET_ACCESS_KEY)
        assert.notInclude(yield* files, "backups/monday/partial")
        const read = yield* run(there, "restore", address)
        assert.strictEqual(read.code, 0, read.err)
        assert.deepStrictEqual(yield* there.on(everything), yield* here.on(everything))
        assert.deepStrictEqual(yield* there.on(exported), yield* here.on(exported))
        const poster = posterKey(meetingId("full"))
        const bytes = (of: typeof here) =>
          of
            .on(ObjectStore.use((store) => Stream.runCollect(store.read(poster))))
            .pipe(Effect.map((chunks) => String(Buffer.concat([...chunks]))))
        assert.strictEqual(yield* bytes(there), yield* bytes(here))
        const again = yield* run(here, "backup", address)
        assert.deepStrictEqual(again.code, 1)
        assert.match(again.err, /is a backup already: name another folder/)
      }),
    patience
  )

  it.live("is not written over anything else", () =>
    Effect.gen(function* () {
      const { store, files, write } = yield* withStore
      yield* store.put("backups/monday/letter.txt", Stream.encodeText(Stream.make("keep")), "text/plain")
      const refused = yield* Effect.flip(write)
      assert.match(refused.message, /has other objects: name another folder/)
      assert.deepStrictEqual(yield* files, ["backups/monday/letter.txt"])
    })
  )

  it.live("changes nothing if an object of it was altered, or is gone", () =>
    Effect.gen(function* () {
      const { there, store, backup, write } = yield* withStore
      yield* write
      const before = yield* there.on(everything)
      const poster = `backups/monday/media/${posterKey(meetingId("full"))}`
      yield* store.put(poster, Stream.encodeText(Stream.make("something else")), "image/jpeg")
      const altered = yield* Effect.flip(there.on(restored(backup)))
      assert.match(altered.message, /poster\.jpg is not what was backed up: nothing was restored/)
      yield* store.delete(poster)
      assert.match((yield* Effect.flip(there.on(restored(backup)))).message, /poster\.jpg is missing.*use another copy/)
      assert.deepStrictEqual(yield* there.on(everything), before)
    })
  )

  it.live(
    "killed in the middle, is no backup, and the next one at its place replaces it",
    () =>
      Effect.gen(function* () {
        const { here, there, store, address, keys, backup, files, write } = yield* withStore
        const reached = Effect.map(store.head("backups/monday/database/lane.ndjson.gz"), Option.isSome)
        yield* locked(here.url, "access exclusive", killed(here.url, here.folder, ["backup", address], reached, keys))
        assert.include(yield* files, "backups/monday/database/lane.ndjson.gz")
        assert.match((yield* Effect.flip(there.on(restored(backup)))).message, /was interrupted/)
        yield* write
        assert.notInclude(yield* files, "backups/monday/partial")
        yield* there.on(restored(backup))
        assert.deepStrictEqual(yield* there.on(everything), yield* here.on(everything))
      }),
    patience
  )

  it.live("says what to do if the store refuses the key, or is away", () =>
    Effect.gen(function* () {
      const { here } = yield* twoDeployments
      const { settings } = yield* startSigned
      const at = (changed: Partial<typeof settings>) =>
        Effect.flatMap(Layer.build(ObjectStore.layerS3({ ...settings, ...changed })), (context) => {
          const place = inStore({ store: Context.get(context, ObjectStore), prefix: "b/", name: "s3://store/media/b" })
          return Effect.flip(here.on(backUp(place, silently)))
        })
      const refused = yield* at({ secretAccessKey: Redacted.make("another") })
      assert.match(refused.message, /status 403.*AWS_SECRET_ACCESS_KEY/)
      const away = yield* at({ endpoint: `http://127.0.0.1:${yield* freePort}` })
      assert.match(away.message, /ECONNREFUSED.*does not answer.*try again/)
    })
  )
})
