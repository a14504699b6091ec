import { createHash, randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Environment, InvalidSetting, readEnvironment } from "../../layers/config/config.ts"
import { prepareFolder } from "../../layers/object-store/folder.ts"
import { ObjectStore, readMediaUrl } from "../../layers/object-store/object-store.ts"
import type { S3Settings } from "../../layers/object-store/s3/requests.ts"
import { hasRadosgw, startRadosgw } from "../support/radosgw.ts"
import { hasSwift, startFauxqs, startSwift } from "../support/s3.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-store-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** The least that S3 takes. */
const partBytes = 5 * 1024 * 1024

const s3 = (start: Effect.Effect<S3Settings, unknown, Scope.Scope>) =>
  Layer.unwrap(
    Effect.map(Effect.orDie(start), (settings) => ObjectStore.layerS3({ ...settings, partBytes, pageKeys: 2 }))
  )

const stores: ReadonlyArray<readonly [name: string, store: Layer.Layer<ObjectStore>]> = [
  ["a folder", Layer.unwrap(Effect.map(folder, ObjectStore.layerFolder))],
  ["an S3-compatible server", s3(startFauxqs)],
  ...(hasSwift ? [["OpenStack Swift, which checks signatures", s3(startSwift)] as const] : []),
  ...(hasRadosgw ? [["Ceph's gateway, which checks signatures", s3(startRadosgw)] as const] : [])
]

const whole = (key: string, options = {}) =>
  ObjectStore.use((store) => Stream.runCollect(store.read(key, options))).pipe(
    Effect.map((chunks) => Buffer.concat([...chunks]))
  )
const bytes = (text: string) => Stream.make(new TextEncoder().encode(text))

for (const [name, store] of stores) {
  layer(store, { excludeTestServices: true })(`ObjectStore in ${name}`, (it) => {
    it.effect("returns stored bytes, whole and in ranges", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const key = "meetings/a/web/720p.mp4"
        // More than one chunk, and more than one part of an upload.
        const content = randomBytes(6 * 1024 * 1024 + 17)
        const file = path.join(yield* folder, "source")
        fs.writeFileSync(file, content)
        const put = yield* store.put(key, file, "video/mp4")
        const head = Option.getOrThrow(yield* store.head(key))
        assert.strictEqual(head.bytes, content.length)
        assert.strictEqual(head.media_type, "video/mp4")
        assert.match(head.etag, /^"[^"]+"$/)
        assert.strictEqual(put.etag, head.etag)
        const digest = (buffer: Buffer) => createHash("sha256").update(buffer).digest("hex")
        assert.strictEqual(digest(yield* whole(key)), digest(content))
        const last = content.length - 1
        for (const [start, end] of [
          [0, 0],
          [1, 262_144],
          [262_143, 262_145],
          [last, last],
          [last - 300_000, last + 50]
        ] as const) {
          const read = yield* whole(key, { start, end, etag: head.etag })
          assert.strictEqual(digest(read), digest(content.subarray(start, end + 1)), `${start}-${end}`)
        }
      })
    )

    it.effect("provides an object as a file for as long as it is read, and no file for a missing one", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const scratch = yield* folder
        yield* store.put("meetings/f/web/720p.mp4", bytes("a recording"), "video/mp4")
        const read = store
          .file("meetings/f/web/720p.mp4", scratch)
          .pipe(Effect.map((file) => fs.readFileSync(file, "utf8")))
        assert.strictEqual(yield* Effect.scoped(read), "a recording")
        assert.deepStrictEqual(fs.readdirSync(scratch), [])
        const absent = yield* Effect.flip(Effect.scoped(store.file("meetings/f/web/none.mp4", scratch)))
        assert.strictEqual(absent._tag, "ObjectNotFound")
      })
    )

    it.effect("replaces an object whole, and does not read another version than the requested one", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const key = "user-clips/replaced.mp4"
        const before = yield* store.put(key, bytes("before"), "video/mp4")
        const after = yield* store.put(key, bytes("after!"), "video/mp4")
        assert.notStrictEqual(before.etag, after.etag)
        assert.strictEqual(String(yield* whole(key)), "after!")
        const stale = yield* Effect.flip(whole(key, { etag: before.etag }))
        assert.strictEqual(stale._tag, "ObjectNotFound")
      })
    )

    it.effect("stores a stream in parts, as a file", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        // Several parts of a stream in S3.
        const content = randomBytes(33 * 1024 * 1024 + 5)
        const chunks = Stream.range(0, 33).pipe(
          Stream.map((at) => content.subarray(at * 1024 * 1024, (at + 1) * 1024 * 1024))
        )
        const { bytes } = yield* store.put("meetings/s/web/720p.mp4", chunks, "video/mp4")
        assert.strictEqual(bytes, content.length)
        assert.isTrue((yield* whole("meetings/s/web/720p.mp4")).equals(content))
        yield* store.put("meetings/s/poster.jpg", Stream.empty, "image/jpeg")
        assert.strictEqual((yield* whole("meetings/s/poster.jpg")).length, 0)
        const broken = Stream.concat(chunks, Stream.fail("gone" as const))
        assert.strictEqual(yield* Effect.flip(store.put("meetings/s/broken.mp4", broken, "video/mp4")), "gone")
        assert.isTrue(Option.isNone(yield* store.head("meetings/s/broken.mp4")))
      })
    )

    it.effect("leaves nothing of a failed write", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const key = "user-clips/broken.mp4"
        const broken = Stream.concat(bytes("half"), Stream.fail("gone" as const))
        assert.strictEqual(yield* Effect.flip(store.put(key, broken, "video/mp4")), "gone")
        assert.isTrue(Option.isNone(yield* store.head(key)))
        assert.strictEqual((yield* Effect.flip(whole(key)))._tag, "ObjectNotFound")
      })
    )

    it.effect("lists in order, and deletes one or all under a prefix, repeatedly too", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const keys = ["m/a-b/x.png", "m/a/x.png", "m/a/y.png", "m/b/z.png", "n/a.png"]
        for (const key of keys) yield* store.put(key, bytes(key), "image/png")
        const list = (prefix: string) => Stream.runCollect(store.list(prefix))
        assert.deepStrictEqual([...(yield* list("m/"))], keys.slice(0, 4))
        assert.deepStrictEqual([...(yield* list("none/"))], [])
        yield* store.delete("m/b/z.png")
        yield* store.delete("m/b/z.png")
        yield* store.deletePrefix("m/a/")
        yield* store.deletePrefix("m/a/")
        assert.deepStrictEqual([...(yield* list("m/"))], ["m/a-b/x.png"])
        assert.strictEqual(String(yield* whole("n/a.png")), "n/a.png")
      })
    )

    it.effect("accepts no key that could lead elsewhere", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        for (const key of ["../x", "a/../../x", "/etc/passwd", "a//b", "a/.hidden", "", "a/", "a\\b", "é", "a\0b"]) {
          assert.strictEqual((yield* Effect.flip(store.head(key)))._tag, "ObjectStoreError", key)
          assert.strictEqual((yield* Effect.flip(store.put(key, bytes("x"), "text/plain")))._tag, "ObjectStoreError")
          assert.strictEqual((yield* Effect.flip(whole(key)))._tag, "ObjectStoreError", key)
        }
      })
    )
  })
}

describe("a folder as a store", () => {
  it.effect("lets only its owner into its folder, even if that was created before", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      const modeOf = (folder: string) => fs.statSync(path.join(dataDir, folder)).mode & 0o777
      const opened = (env: NodeJS.ProcessEnv) =>
        Layer.build(
          ObjectStore.layer.pipe(
            Layer.provide(Layer.effect(Environment, readEnvironment({ DATA_DIR: dataDir, ...env })))
          )
        )
      yield* opened({})
      assert.strictEqual(modeOf("media"), 0o700)
      fs.chmodSync(path.join(dataDir, "media"), 0o755)
      yield* opened({})
      assert.strictEqual(modeOf("media"), 0o700)
      yield* opened({ MEDIA_URL: `file:${dataDir}/elsewhere` })
      assert.strictEqual(modeOf("elsewhere"), 0o700)
      // A proxy may read it, if an operator allows that.
      fs.chmodSync(path.join(dataDir, "elsewhere"), 0o750)
      yield* opened({ MEDIA_URL: `file:${dataDir}/elsewhere` })
      assert.strictEqual(modeOf("elsewhere"), 0o750)
    }).pipe(Effect.scoped)
  )

  it.effect("removes unfinished files of killed processes after a day, and nothing newer", () =>
    Effect.gen(function* () {
      const store = yield* folder
      const making = path.join(store, ".making")
      fs.mkdirSync(making)
      yield* TestClock.setTime(Date.parse("2026-11-21T12:00:00Z"))
      for (const [name, at] of [
        ["old", "2026-11-20T11:59:00Z"],
        ["new", "2026-11-20T12:01:00Z"]
      ] as const) {
        fs.writeFileSync(path.join(making, name), "half")
        fs.utimesSync(path.join(making, name), new Date(at), new Date(at))
      }
      yield* prepareFolder(store, { ours: false })
      assert.deepStrictEqual(fs.readdirSync(making), ["new"])
    })
  )
})

describe("an unavailable store", () => {
  it.live("reports it, and reveals neither its address nor its credentials", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(ObjectStore.use((store) => store.head("a/b.mp4")))
      assert.strictEqual(failure._tag, "ObjectStoreError")
      assert.strictEqual(failure.reason, "unavailable")
      assert.notMatch(JSON.stringify(failure) + failure.message, /127\.0\.0\.1|sesame/)
    }).pipe(
      Effect.provide(
        ObjectStore.layerS3({
          endpoint: "http://127.0.0.1:1",
          bucket: "media",
          region: "us-east-1",
          accessKeyId: "id",
          secretAccessKey: Redacted.make("sesame")
        })
      )
    )
  )
})

describe("a silent store", () => {
  const silentStore = Effect.fnUntraced(function* (answer: string) {
    const sockets = new Set<net.Socket>()
    const server = net.createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("data", () => socket.write(answer))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
    )
    const address = server.address()
    const context = yield* Layer.build(
      ObjectStore.layerS3({
        endpoint: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
        bucket: "media",
        region: "us-east-1",
        accessKeyId: "id",
        secretAccessKey: Redacted.make("sesame"),
        longestSilence: "50 millis"
      })
    )
    return Context.get(context, ObjectStore)
  })

  it.live("is given up, before it answers and in the middle of an object", () =>
    Effect.gen(function* () {
      const mute = yield* silentStore("")
      const stalling = yield* silentStore(
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\nlast-modified: Tue, 10 Mar 2026 12:00:00 GMT\r\n\r\nhalf"
      )
      const attempts = [
        mute.head("a/b.mp4"),
        Stream.runDrain(mute.read("a/b.mp4")),
        mute.delete("a/b.mp4"),
        Stream.runDrain(stalling.read("a/b.mp4"))
      ]
      for (const attempt of attempts) {
        const failure = yield* Effect.flip(attempt)
        assert.deepInclude(failure, { _tag: "ObjectStoreError", reason: "unavailable", detail: "silent" })
      }
    })
  )
})

describe("a store whose folder is gone", () => {
  it.effect("is unavailable, and does not claim that the object never existed", () =>
    Effect.gen(function* () {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-gone-"))
      const head = ObjectStore.use((store) => store.head("a/b.mp4"))
      const open = ObjectStore.use((store) => Effect.scoped(store.open("a/b.mp4")))
      yield* Effect.gen(function* () {
        assert.isTrue(Option.isNone(yield* head))
        fs.rmSync(folder, { recursive: true })
        for (const attempt of [head, open]) {
          assert.deepInclude(yield* Effect.flip(attempt), { _tag: "ObjectStoreError", reason: "unavailable" })
        }
      }).pipe(Effect.provide(ObjectStore.layerFolder(folder)))
    })
  )
})

describe("MEDIA_URL", () => {
  const read = (address: string, env: NodeJS.ProcessEnv = {}) =>
    Effect.flatMap(readEnvironment(env), (environment) => readMediaUrl(Redacted.make(address), environment))

  it.effect("names a folder, or a bucket with its credentials", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read("file:/srv/media"), { folder: "/srv/media" })
      const place = yield* read("s3://id:s%2Fcret@store.example:9000/media?region=eu-west-1&tls=false")
      assert.include(place, { endpoint: "http://store.example:9000", bucket: "media", region: "eu-west-1" })
      assert.strictEqual("secretAccessKey" in place && Redacted.value(place.secretAccessKey), "s/cret")
      const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "us-west-2" }
      assert.include(yield* read("s3://store.example/media", env), { region: "us-west-2", accessKeyId: "id" })
    })
  )

  it.effect("is reported in one line if it is wrong", () =>
    Effect.gen(function* () {
      for (const bad of [
        "file:relative",
        "s3://store.example/media",
        "s3://id:secret@store.example",
        "s3://i:%ZZ@h/b"
      ]) {
        const failure = yield* Effect.flip(read(bad))
        assert.instanceOf(failure, InvalidSetting)
        assert.match(failure.message, /^MEDIA_URL must be [^\n]+$/)
        assert.notInclude(failure.message, "secret@store")
      }
    })
  )
})
