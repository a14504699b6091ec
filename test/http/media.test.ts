import * as fs from "node:fs"
import * as http from "node:http"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Signer } from "../../layers/signer/signer.ts"
import { UserClipId } from "../../schema/primitives.ts"
import {
  agendaKey,
  clipKey,
  figureKey,
  posterKey,
  renditionKey,
  sourceKey,
  userClipKey
} from "../../src/services/meetings/media-tier.ts"
import { clipId, figureId, meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { errorOf, sentTo, signedPath } from "../support/media-requests.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const id = meetingId("full")
const rendition = renditionKey(id)
/** The object that `fullRecord` stores under a key. */
const content = (key: string) => Buffer.from(key.padEnd(1000, "."))

/** One request to the service whose path is sent exactly as written. */
const get = Effect.fnUntraced(function* (target: string, headers: Record<string, string> = {}, method = "GET") {
  return yield* sentTo(yield* serviceAddress, target, headers, method)
})

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "media over HTTP",
  (it) => {
    it.effect("a poster is open to all, and may be cached", () =>
      Effect.gen(function* () {
        const { status, headers, body } = yield* get(`/api/media/${posterKey(id)}`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body, content(posterKey(id)))
        assert.include(headers, { "content-type": "image/jpeg", "accept-ranges": "bytes", "content-length": "1000" })
        assert.match(headers["cache-control"] ?? "", /^public, max-age=\d+$/)
        assert.match(headers.etag ?? "", /^"[^"]+"$/)
        assert.notProperty(headers, "content-disposition")
        assert.notProperty(headers, "content-encoding")
      })
    )

    it.effect("a signed file opens with its own signature alone", () =>
      Effect.gen(function* () {
        const signer = yield* Signer
        const figure = figureKey(id, figureId("one"))
        for (const key of [rendition, agendaKey(id), clipKey(id, clipId("one")), figure]) {
          const bare = yield* get(`/api/media/${key}`)
          assert.deepStrictEqual([bare.status, errorOf(bare)], [403, "signature_required"])
          const good = yield* get(yield* signedPath(key))
          assert.deepStrictEqual([good.status, String(good.body)], [200, String(content(key))])
          const left = Number(/^private, max-age=(\d+)$/.exec(good.headers["cache-control"] ?? "")?.[1])
          assert.isTrue(left > 6 * 3600 - 60 && left <= 6 * 3600, good.headers["cache-control"])
          const other = yield* get((yield* signedPath(posterKey(id))).replace(posterKey(id), key))
          assert.deepStrictEqual([other.status, errorOf(other)], [403, "signature_invalid"])
        }
        const eg = yield* signer.signFigure(figure)
        assert.strictEqual((yield* get(`/api/media/${figure}?eg=${eg}`)).status, 200)
        assert.strictEqual(
          errorOf(yield* get(`/api/media/${rendition}?eg=${yield* signer.signFigure(rendition)}`)),
          "signature_invalid"
        )
        assert.strictEqual(errorOf(yield* get(`/api/media/${figure}?sig=${eg}`)), "signature_invalid")
      })
    )

    it.effect("access is decided before the store is asked for the object", () =>
      Effect.gen(function* () {
        const nowhere = userClipKey(UserClipId.make("7d1f0a52-2f2e-4c3b-9a71-0a6c1d2b4e70"))
        assert.strictEqual(errorOf(yield* get(`/api/media/${nowhere}`)), "signature_required")
        assert.strictEqual(errorOf(yield* get(`/api/media/${nowhere}?sig=forged`)), "signature_invalid")
        const missing = yield* get(yield* signedPath(nowhere))
        assert.deepStrictEqual([missing.status, errorOf(missing)], [404, "not_found"])
      })
    )

    it.effect("only a signature with the download flag makes a file of it", () =>
      Effect.gen(function* () {
        const kept = yield* get(yield* signedPath(rendition, true))
        assert.strictEqual(kept.headers["content-disposition"], 'attachment; filename="720p.mp4"')
        const watched = yield* signedPath(rendition)
        assert.notProperty((yield* get(watched)).headers, "content-disposition")
        const flagged = watched.replace(".w.", ".d.")
        assert.notStrictEqual(flagged, watched)
        assert.strictEqual(errorOf(yield* get(flagged)), "signature_invalid")
        assert.notProperty((yield* get(`${watched}&download=1`)).headers, "content-disposition")
      })
    )

    it.effect("the source and any other key are refused with the same bytes and headers", () =>
      Effect.gen(function* () {
        const source = sourceKey(id, "mp4")
        assert.isTrue(Option.isSome(yield* ObjectStore.use((store) => store.head(source))))
        const spellings = [
          source,
          "nothing/of/the/kind",
          `meetings/${id}/web/../source/recording.mp4`,
          `meetings/${id}/poster.jpg/../source/recording.mp4`,
          `meetings%2F${id}%2Fposter.jpg`,
          `meetings/${id}/%70oster.jpg`,
          `meetings//${id}/poster.jpg`,
          `meetings/${id}/poster.jpg%00.png`,
          `meetings/${id.toUpperCase()}/poster.jpg`,
          `meetings/${id}/poster.jpg/`,
          "..%2f..%2f..%2fetc%2fpasswd",
          ""
        ]
        const { sig } = yield* Signer.use((signer) => signer.signMedia(source, { download: false }))
        const answers: Array<string> = []
        for (const method of ["GET", "HEAD"]) {
          for (const key of spellings) {
            for (const query of ["", `?sig=${sig}`, `?eg=${sig}`, "?st=x"]) {
              const { status, headers, body } = yield* get(
                `/api/media/${key}${query}`,
                { range: "bytes=0-5", "x-request-id": "0000000000000000" },
                method
              )
              const { date: _, ...rest } = headers
              answers.push(JSON.stringify([status, method === "GET" ? String(body) : "", Object.entries(rest).sort()]))
            }
          }
          assert.strictEqual(new Set(answers.splice(0)).size, 1, method)
        }
        const refused = yield* get(`/api/media/${source}`)
        assert.deepStrictEqual([refused.status, errorOf(refused)], [403, "media_forbidden"])
      })
    )

    it.effect("the requested range is sent, or the number of bytes there are", () =>
      Effect.gen(function* () {
        const url = yield* signedPath(rendition)
        const bytes = content(rendition)
        const { etag = "" } = (yield* get(url)).headers
        const table: ReadonlyArray<readonly [Record<string, string>, number, Buffer | undefined, string | undefined]> =
          [
            [{ range: "bytes=0-9" }, 206, bytes.subarray(0, 10), "bytes 0-9/1000"],
            [{ range: "bytes=990-" }, 206, bytes.subarray(990), "bytes 990-999/1000"],
            [{ range: "bytes=-10" }, 206, bytes.subarray(990), "bytes 990-999/1000"],
            [{ range: "bytes=5-5000" }, 206, bytes.subarray(5), "bytes 5-999/1000"],
            [{ range: "bytes=1000-" }, 416, undefined, "bytes */1000"],
            [{ range: "bytes=-0" }, 416, undefined, "bytes */1000"],
            [{ range: "bytes=0-1,5-6" }, 200, bytes, undefined],
            [{ range: "lines=0-1" }, 200, bytes, undefined],
            [{ range: "bytes=9-1" }, 200, bytes, undefined],
            [{ range: "bytes=0-9", "if-range": etag }, 206, bytes.subarray(0, 10), "bytes 0-9/1000"],
            [{ range: "bytes=0-9", "if-range": '"other"' }, 200, bytes, undefined],
            [{ range: "bytes=0-9", "if-range": `W/${etag}` }, 200, bytes, undefined],
            [{ "if-none-match": etag }, 304, Buffer.alloc(0), undefined],
            [{ "if-match": '"other"' }, 412, undefined, undefined]
          ]
        for (const [headers, status, body, contentRange] of table) {
          const answer = yield* get(url, headers)
          assert.strictEqual(answer.status, status, JSON.stringify(headers))
          assert.strictEqual(answer.headers["content-range"], contentRange, JSON.stringify(headers))
          if (body !== undefined) assert.strictEqual(String(answer.body), String(body), JSON.stringify(headers))
          else assert.strictEqual(errorOf(answer), status === 416 ? "range_not_satisfiable" : "invalid_request")
          const head = yield* get(url, headers, "HEAD")
          assert.strictEqual(head.body.length, 0)
          if (status === 200) assert.strictEqual(head.headers["content-length"], "1000")
        }
      })
    )

    it.effect("many readers at once, fast and slow, each get the bytes they requested", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-many-"))
        const file = path.join(folder, "many")
        // Every eight bytes spell their own position.
        const bytes = Buffer.alloc(6 * 1024 * 1024)
        for (let at = 0; at < bytes.length; at += 8) bytes.writeBigUInt64BE(BigInt(at), at)
        fs.writeFileSync(file, bytes)
        const key = clipKey(id, clipId("one"))
        yield* store.put(key, file, "video/mp4")
        fs.rmSync(folder, { recursive: true })
        const { port } = new URL(yield* serviceAddress)
        const target = yield* signedPath(key)
        const read = (start: number, end: number, isSlow: boolean) =>
          Effect.promise(
            () =>
              new Promise<boolean>((resolve) => {
                const headers = { range: `bytes=${start}-${end}` }
                http.get({ host: "127.0.0.1", port, path: target, headers, agent: false }, (response) => {
                  let at = start
                  let isRight = response.statusCode === 206
                  response.on("data", (chunk: Buffer) => {
                    isRight &&= chunk.equals(bytes.subarray(at, at + chunk.length))
                    at += chunk.length
                    if (!isSlow) return
                    response.pause()
                    setTimeout(() => response.resume(), 1)
                  })
                  response.on("close", () => resolve(isRight && at === end + 1))
                })
              })
          )
        for (let round = 0; round < 3; round++) {
          const answers = yield* Effect.forEach(
            Array.from({ length: 24 }, (_, at) => at),
            (at) => read(at * 1001, 5_000_000 + at * 40_009, at % 3 === 0),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(new Set(answers), new Set([true]))
        }
      })
    )

    it.effect("no file is held in memory, a slow reader is waited for, and one that is gone is let go", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const size = 96 * 1024 * 1024
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-large-"))
        const file = path.join(folder, "large")
        fs.writeFileSync(file, "")
        fs.truncateSync(file, size)
        yield* store.put(rendition, file, "video/mp4")
        fs.rmSync(folder, { recursive: true })
        const openFiles = () =>
          fs.readdirSync("/proc/self/fd").filter((fd) => {
            try {
              return fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith(rendition)
            } catch {
              return false
            }
          }).length
        const { port } = new URL(yield* serviceAddress)
        const url = yield* signedPath(rendition)
        const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external
        const readers = Array.from({ length: 8 }, () => {
          const socket = net.connect(Number(port), "127.0.0.1")
          socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
          // One byte shows that it has begun; after that nothing is read.
          socket.once("data", () => socket.pause())
          return socket
        })
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 700)))
        assert.strictEqual(openFiles(), readers.length)
        const held = process.memoryUsage().arrayBuffers + process.memoryUsage().external - before
        assert.isBelow(held, size)
        for (const socket of readers) socket.destroy()
        for (let left = 100; left > 0 && openFiles() > 0; left--) {
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
        }
        assert.strictEqual(openFiles(), 0)
      })
    )
  }
)
