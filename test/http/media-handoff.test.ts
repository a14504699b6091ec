import type * as http from "node:http"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import type { Page } from "playwright-core"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import {
  agendaKey,
  clipKey,
  figureKey,
  posterKey,
  renditionKey,
  sourceKey,
  userClipKey
} from "../../src/services/meetings/media-tier.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { reader, readyClip } from "../support/actors.ts"
import { clipId, figureId, meetingId } from "../support/builders.ts"
import { freePort } from "../support/free-port.ts"
import { fullRecord } from "../support/full-record.ts"
import { errorOf, sentTo, signedPath } from "../support/media-requests.ts"
import { hasNginx, nginxBefore } from "../support/nginx.ts"
import { drawn, opened } from "../support/opened-page.ts"
import { startSigned } from "../support/s3.ts"
import { serviceAddress, serviceOf, setupOf } from "../support/service.ts"
import { smallRecording } from "../support/small-recording.ts"

const id = meetingId("full")
const rendition = renditionKey(id)
const content = (key: string) => key.padEnd(1000, ".")

/** One request to an address, with its body as text. */
const get = (url: string, headers: Record<string, string> = {}, method = "GET") => {
  const { origin, pathname, search } = new URL(url)
  return Effect.map(sentTo(origin, pathname + search, headers, method), (sent) => ({
    ...sent,
    text: String(sent.body)
  }))
}

/** A reader's clip of a minute that can really be played. */
const playableClip = Effect.gen(function* () {
  const clip = yield* readyClip((yield* reader()).accountId, id)
  const bytes = yield* smallRecording(60)
  yield* ObjectStore.use((store) => store.put(userClipKey(clip.id), Stream.make(bytes), "video/mp4"))
  return clip
})

/** Plays the clip of a page, then jumps, and returns once it plays there. */
const playsAndJumps = async (page: Page, name: string) => {
  const video = (does: string) => page.evaluate<unknown>(`document.querySelector("video")${does}`)
  const reaches = async (second: number) => {
    while (Number(await video(".currentTime")) < second) {
      assert.isUndefined(await video(".error?.message"))
      await page.waitForTimeout(50)
    }
  }
  await video(".muted = true")
  await video(".play()")
  await reaches(0.5)
  await video(".currentTime = 40")
  await reaches(40.5)
  await drawn(page, name, "light", "screen")
}

const patience = 240_000
const base = { BASE_URL: "http://record.example.gov", PORT: "0", TRUSTED_PROXIES: "127.0.0.1" }

const Accelerated = Layer.provideMerge(
  Layer.effectDiscard(fullRecord),
  serviceOf(setupOf({ ...base, MEDIA_HANDOFF: "x-accel" }), fakeIdentity)
)

/** The folder of the store under test. */
const mediaFolder = Effect.map(Effect.scoped(ObjectStore.use((store) => store.file(rendition, ""))), (file) =>
  file.slice(0, -rendition.length - 1)
)

describe.runIf(hasNginx)("media sent by nginx", () => {
  layer(Accelerated, { excludeTestServices: true, timeout: patience })((it) => {
    it.effect("the checks are the service's, and the bytes, ranges and conditions are nginx's", () =>
      Effect.gen(function* () {
        const node = yield* serviceAddress
        const proxy = yield* nginxBefore(node, yield* mediaFolder)
        const bare = yield* get(`${node}${yield* signedPath(rendition)}`)
        assert.deepStrictEqual([bare.status, bare.text], [200, ""])
        assert.strictEqual(bare.headers["x-accel-redirect"], `/media-files/${rendition}`)

        for (const key of [rendition, agendaKey(id), clipKey(id, clipId("one")), figureKey(id, figureId("one"))]) {
          const refused = yield* get(`${proxy}/api/media/${key}`)
          assert.deepStrictEqual([refused.status, errorOf(refused)], [403, "signature_required"])
          const { status, headers, text } = yield* get(proxy + (yield* signedPath(key)))
          assert.deepStrictEqual([status, text], [200, content(key)])
          assert.match(headers["cache-control"] ?? "", /^private, max-age=\d+$/)
          assert.include(headers, { "x-content-type-options": "nosniff", "content-length": "1000" })
          assert.match(String(headers["content-security-policy"]), /^default-src 'none'/)
          assert.notProperty(headers, "x-accel-redirect")
        }
        const poster = yield* get(`${proxy}/api/media/${posterKey(id)}`)
        assert.deepStrictEqual([poster.status, poster.text], [200, content(posterKey(id))])
        assert.include(poster.headers, { "content-type": "image/jpeg", "access-control-allow-origin": "*" })
        const kept = yield* get(proxy + (yield* signedPath(rendition, true)))
        assert.strictEqual(kept.headers["content-disposition"], 'attachment; filename="720p.mp4"')

        const url = proxy + (yield* signedPath(rendition))
        const whole = content(rendition)
        const etag = String((yield* get(url)).headers.etag)
        const table: ReadonlyArray<readonly [Record<string, string>, number, string, string | undefined]> = [
          [{ range: "bytes=0-9" }, 206, whole.slice(0, 10), "bytes 0-9/1000"],
          [{ range: "bytes=990-" }, 206, whole.slice(990), "bytes 990-999/1000"],
          [{ range: "bytes=-10" }, 206, whole.slice(990), "bytes 990-999/1000"],
          [{ range: "bytes=0-1,5-6" }, 200, whole, undefined],
          [{ range: "bytes=0-9", "if-range": etag }, 206, whole.slice(0, 10), "bytes 0-9/1000"],
          [{ range: "bytes=0-9", "if-range": '"other"' }, 200, whole, undefined],
          [{ "if-none-match": etag }, 304, "", undefined]
        ]
        for (const [headers, status, body, range] of table) {
          const got = yield* get(url, headers)
          const about = JSON.stringify(headers)
          assert.deepStrictEqual([got.status, got.text, got.headers["content-range"]], [status, body, range], about)
        }
        assert.strictEqual((yield* get(url, { range: "bytes=1000-" })).status, 416)
        const head = yield* get(url, {}, "HEAD")
        assert.deepStrictEqual([head.status, head.text, head.headers["content-length"]], [200, "", "1000"])
      })
    )

    it.effect("nothing but the service leads to a file, and a file that was taken down is gone", () =>
      Effect.gen(function* () {
        const store = yield* ObjectStore
        const proxy = yield* nginxBefore(yield* serviceAddress, yield* mediaFolder)
        const source = sourceKey(id, "mp4")
        for (const key of [rendition, source])
          assert.strictEqual((yield* get(`${proxy}/media-files/${key}`)).status, 404)
        const refused = yield* get(proxy + (yield* signedPath(source)))
        assert.deepStrictEqual([refused.status, errorOf(refused)], [403, "media_forbidden"])
        const clip = clipKey(id, clipId("one"))
        const url = proxy + (yield* signedPath(clip))
        assert.strictEqual((yield* get(url)).status, 200)
        yield* store.delete(clip)
        const gone = yield* get(url)
        assert.deepStrictEqual([gone.status, errorOf(gone)], [404, "not_found"])
      })
    )

    it.effect("where no node answers, clients get an answer that they understand", () =>
      Effect.gen(function* () {
        const proxy = yield* nginxBefore(`http://127.0.0.1:${yield* freePort}`, yield* mediaFolder)
        const away = yield* get(`${proxy}/api/agencies`)
        assert.deepStrictEqual([away.status, errorOf(away)], [503, "unavailable"])
        assert.include(away.headers, { "content-type": "application/json", "retry-after": "1" })
      })
    )

    it.effect("readers keep their own clips by way of nginx too", () =>
      Effect.gen(function* () {
        const proxy = yield* nginxBefore(yield* serviceAddress, yield* mediaFolder)
        const { accountId, credentials } = yield* reader("keeper@example.org")
        const clip = yield* readyClip(accountId, id)
        const at = `${proxy}/api/user-clips/${clip.id}/download`
        assert.strictEqual((yield* get(at)).status, 401)
        const kept = yield* get(at, { ...credentials.headers })
        assert.deepStrictEqual([kept.status, kept.text], [200, content(userClipKey(clip.id))])
        assert.match(kept.headers["content-disposition"] ?? "", /^attachment; filename="[\w-]+\.mp4"$/)
        assert.strictEqual(kept.headers["cache-control"], "private, no-store")
      })
    )

    it.effect("a clip plays in Chromium, and jumps", (test) =>
      Effect.gen(function* () {
        const proxy = yield* nginxBefore(yield* serviceAddress, yield* mediaFolder)
        const { slug } = yield* playableClip
        const { page, complaints } = yield* opened(test, `${proxy}/clips/${slug}`, { ignoreHTTPSErrors: true })
        yield* Effect.promise(() => playsAndJumps(page, "clip by nginx"))
        assert.deepStrictEqual(complaints, [])
      })
    )
  })
})

class Passed extends Context.Service<Passed, Array<http.IncomingMessage>>()("test/Passed") {}

const Store = Layer.effectContext(
  Effect.gen(function* () {
    const { settings, passed } = yield* Effect.orDie(startSigned)
    const store = yield* Layer.build(ObjectStore.layerS3(settings))
    return Context.add(store, Passed, passed)
  })
)

const Presigned = Layer.provideMerge(
  Layer.effectDiscard(fullRecord),
  Layer.provideMerge(
    serviceOf(
      setupOf({ ...base, MEDIA_HANDOFF: "presigned" }),
      fakeIdentity,
      ...([undefined, undefined, undefined, undefined] as const),
      Store
    ),
    Store
  )
)

layer(Presigned, { excludeTestServices: true, timeout: patience })("media sent by the store", (it) => {
  it.effect("recordings and clips are led to the store, for as long as their signature is good", () =>
    Effect.gen(function* () {
      const node = yield* serviceAddress
      for (const key of [rendition, clipKey(id, clipId("one"))]) {
        const refused = yield* get(`${node}/api/media/${key}`)
        assert.deepStrictEqual([refused.status, errorOf(refused)], [403, "signature_required"])
        const led = yield* get(node + (yield* signedPath(key)))
        assert.deepStrictEqual([led.status, led.text, led.headers["cache-control"]], [307, "", "no-store"])
        const at = new URL(led.headers.location ?? "")
        const seconds = Number(at.searchParams.get("X-Amz-Expires"))
        assert.isTrue(seconds > 6 * 3600 - 60 && seconds <= 6 * 3600, String(seconds))
        assert.match(at.searchParams.get("response-cache-control") ?? "", /^private, max-age=\d+$/)
        const got = yield* get(at.href, { range: "bytes=0-9" })
        assert.deepStrictEqual([got.status, got.text], [206, content(key).slice(0, 10)])
        // The address is of one object, for one time, and for reading it.
        assert.strictEqual((yield* get(at.href.replace(key, sourceKey(id, "mp4")))).status, 403)
        assert.strictEqual((yield* get(at.href, {}, "DELETE")).status, 403)
        at.searchParams.set("X-Amz-Expires", "604800")
        assert.strictEqual((yield* get(at.href)).status, 403)
      }
      const kept = yield* get(node + (yield* signedPath(rendition, true)))
      assert.strictEqual(
        new URL(kept.headers.location ?? "").searchParams.get("response-content-disposition"),
        'attachment; filename="720p.mp4"'
      )
    })
  )

  it.effect("everything else is the service's: pictures, agendas, questions about a recording, and what is gone", () =>
    Effect.gen(function* () {
      const node = yield* serviceAddress
      for (const key of [agendaKey(id), figureKey(id, figureId("one"))]) {
        const { status, text } = yield* get(node + (yield* signedPath(key)))
        assert.deepStrictEqual([status, text], [200, content(key)])
      }
      assert.strictEqual((yield* get(`${node}/api/media/${posterKey(id)}`)).text, content(posterKey(id)))
      const head = yield* get(node + (yield* signedPath(rendition)), {}, "HEAD")
      assert.deepStrictEqual([head.status, head.headers["content-length"]], [200, "1000"])
      const clip = clipKey(id, clipId("one"))
      const url = node + (yield* signedPath(clip))
      yield* ObjectStore.use((store) => store.delete(clip))
      const gone = yield* get(url)
      assert.deepStrictEqual([gone.status, errorOf(gone)], [404, "not_found"])
    })
  )

  it.effect("a clip plays in Chromium from the store, and jumps where the first answer led it", (test) =>
    Effect.gen(function* () {
      const node = yield* serviceAddress
      const passed = yield* Passed
      const { slug } = yield* playableClip
      passed.length = 0
      for (const address of [`/clips/${slug}`, `/embed/clips/${slug}`]) {
        const { page, complaints } = yield* opened(test, node + address)
        yield* Effect.promise(() => playsAndJumps(page, "clip by the store"))
        assert.deepStrictEqual(complaints, [], address)
      }
      const played = passed.filter(({ method, url }) => method === "GET" && url?.includes("X-Amz-Signature"))
      assert.isAbove(played.length, 0)
      for (const { headers } of played) assert.match(headers.range ?? "", /^bytes=\d+-/)
    })
  )
})

describe("MEDIA_HANDOFF", () => {
  const store = (env: NodeJS.ProcessEnv) =>
    Layer.build(ObjectStore.layer.pipe(Layer.provide(setupOf(env)))).pipe(
      Effect.map((context) => Context.get(context, ObjectStore)),
      Effect.scoped
    )
  const s3 = "s3://id:secret@store.example:9000/media"
  const https = { BASE_URL: "https://record.example.gov", SIGNING_KEYS: `k1:${"A".repeat(43)}=` }

  it.effect("is refused in one line where nobody could send the bytes", () =>
    Effect.gen(function* () {
      const table: ReadonlyArray<readonly [NodeJS.ProcessEnv, RegExp]> = [
        [{ MEDIA_HANDOFF: "x-accel" }, /^MEDIA_HANDOFF=x-accel needs MEDIA_URL=file:/],
        [{ MEDIA_HANDOFF: "x-accel", MEDIA_URL: s3 }, /^MEDIA_HANDOFF=x-accel needs MEDIA_URL=file:/],
        [{ MEDIA_HANDOFF: "presigned" }, /^MEDIA_HANDOFF=presigned needs an S3 store/],
        [
          { ...https, MEDIA_HANDOFF: "presigned", MEDIA_URL: `${s3}?tls=false` },
          /readers reach over https: add public=https:\/\/host to MEDIA_URL/
        ],
        [{ MEDIA_HANDOFF: "sometimes" }, /^MEDIA_HANDOFF must be none, x-accel or presigned\.$/]
      ]
      for (const [env, refusal] of table) {
        const refused = yield* Effect.flip(store(env))
        assert.match(refused.message, refusal)
        assert.notInclude(refused.message, "secret")
      }
    })
  )

  it.effect("leads readers to the store's public origin, if it has one", () =>
    Effect.gen(function* () {
      const inside = yield* store({ MEDIA_HANDOFF: "presigned", MEDIA_URL: s3 })
      assert.strictEqual(inside.presigned?.origin, "https://store.example:9000")
      const MEDIA_URL = `${s3}?tls=false&public=https://media.example.gov`
      const { presigned } = yield* store({ ...https, MEDIA_HANDOFF: "presigned", MEDIA_URL })
      assert.strictEqual(presigned?.origin, "https://media.example.gov")
      const given = { seconds: 60, cacheControl: "private, max-age=60" }
      const address = new URL(yield* presigned?.address("user-clips/a.mp4", given) ?? Effect.succeed("none:"))
      assert.strictEqual(address.origin + address.pathname, "https://media.example.gov/media/user-clips/a.mp4")
      assert.strictEqual(address.searchParams.get("X-Amz-Expires"), "60")
    })
  )
})
