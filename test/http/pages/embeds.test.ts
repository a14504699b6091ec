import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { reader, readyClip } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { meetingId } from "../../support/builders.ts"
import { fullRecord } from "../../support/full-record.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const record = "http://record.example.gov"

const sharedClip = Effect.gen(function* () {
  const owner = yield* reader()
  return { ...(yield* readyClip(owner.accountId, meetingId("full"))), credentials: owner.credentials }
})
const oembedPath = (slug: string, rest = "") => `/oembed?url=${encodeURIComponent(`${record}/clips/${slug}`)}${rest}`

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "a shared clip on other sites",
  (it) => {
    it.effect("may be framed by anyone, at its embed page alone, which sets no cookie and is not cached", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { slug, credentials } = yield* sharedClip
        for (const init of [{}, credentials]) {
          const { status, headers, text } = yield* ask(`${base}/embed/clips/${slug}`, init)
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
          assert.strictEqual(headers.get("cache-control"), "private, no-store")
          assert.strictEqual(headers.get("x-robots-tag"), "noindex")
          assert.include(headers.get("content-security-policy"), "frame-ancestors *")
          assert.isNull(headers.get("x-frame-options"))
          assert.isNull(headers.get("set-cookie"))
          assert.match(text, /<video src="\/api\/media\/user-clips\/[^"]*sig=/)
          assert.deepStrictEqual(text.match(/<a [^>]*>/g), [
            `<a href="${record}/clips/${slug}" target="_blank" rel="noopener">`
          ])
          // The words of the clip, and none before or after it: the clip is 100 to 160 s, five seconds a sentence.
          assert.include(text, "<details><summary>Read what is said</summary>")
          assert.include(text, "Sentence number 20, with &amp; and &lt;i&gt;")
          assert.include(text, "Sentence number 31,")
          assert.notInclude(text, "Sentence number 19,")
          assert.notInclude(text, "Sentence number 32,")
          assert.notMatch(text, /<script|\sstyle=/)
        }
        const page = yield* ask(`${base}/clips/${slug}`, { headers: { accept: "text/html" } })
        assert.include(page.headers.get("content-security-policy"), "frame-ancestors 'none'")
        assert.include(page.text, "Sentence number 20,")
        assert.notInclude(page.text, "Sentence number 19,")
      })
    )

    it.effect("is described in the head of its page, with addresses that need no signature", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { slug } = yield* sharedClip
        const { text } = yield* ask(`${base}/clips/${slug}`, { headers: { accept: "text/html" } })
        const head = text.slice(0, text.indexOf("</head>"))
        const meta = (name: string) =>
          new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(head)?.[1]
        assert.strictEqual(meta("og:type"), "video.other")
        assert.strictEqual(meta("og:url"), `${record}/clips/${slug}`)
        assert.strictEqual(meta("og:title"), "Ready")
        assert.strictEqual(meta("og:image"), `${record}/api/media/meetings/${meetingId("full")}/poster.jpg`)
        assert.strictEqual(meta("og:video"), `${record}/embed/clips/${slug}`)
        assert.strictEqual(meta("og:video:type"), "text/html")
        assert.strictEqual(meta("twitter:card"), "player")
        assert.notInclude(head, "sig=")
        for (const [format, type] of [
          ["json", "application/json"],
          ["xml", "text/xml"]
        ]) {
          const link = new RegExp(`<link rel="alternate" type="${type}\\+oembed"[^>]* href="([^"]+)">`).exec(head)?.[1]
          const answer = yield* ask((link ?? "").replaceAll("&amp;", "&").replace(record, base))
          assert.strictEqual(answer.status, 200, format)
          assert.include(answer.headers.get("content-type"), type ?? "none")
        }
      })
    )

    it.effect("is a video to oEmbed, no larger than the space for it", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { slug } = yield* sharedClip
        const { headers, text, json } = yield* ask(base + oembedPath(slug))
        assert.strictEqual(headers.get("cache-control"), "public, max-age=60, stale-while-revalidate=300")
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.notInclude(text, "sig=")
        const { html, ...video } = json()
        assert.deepStrictEqual(video, {
          version: "1.0",
          type: "video",
          title: "Ready",
          author_name: "Council",
          author_url: `${record}/in/springfield/council`,
          provider_name: "Civic Record",
          provider_url: record,
          width: 640,
          height: 456
        })
        assert.include(
          String(html),
          `<iframe src="${record}/embed/clips/${slug}" title="Ready" width="640" height="456"`
        )
        const small = (yield* ask(base + oembedPath(slug, "&maxwidth=320&maxheight=240"))).json()
        assert.deepStrictEqual([small.width, small.height], [320, 240])
        assert.include(String(small.html), 'width="320" height="240"')
        const large = (yield* ask(base + oembedPath(slug, "&maxwidth=2000&maxheight=1000"))).json()
        assert.deepStrictEqual([large.thumbnail_width, large.width], [1280, 640])
        const xml = yield* ask(base + oembedPath(slug, "&format=xml"))
        assert.include(xml.text, "<oembed><version>1.0</version><type>video</type><title>Ready</title>")
        assert.include(xml.text, "<html>&lt;iframe src=")
      })
    )

    it.effect(
      "is refused by oEmbed as its specification says: 404 for an unknown address, 501 for another format",
      () =>
        Effect.gen(function* () {
          const base = yield* serviceAddress
          const { slug } = yield* sharedClip
          const answers = yield* Effect.forEach(
            [
              oembedPath(slug, "&format=yaml"),
              oembedPath("A".repeat(16)),
              `/oembed?url=${encodeURIComponent(`https://elsewhere.example/clips/${slug}`)}`,
              `/oembed?url=${encodeURIComponent(`${record}/browse`)}`,
              "/oembed?url=nonsense",
              "/oembed",
              oembedPath(slug, "&maxwidth=wide")
            ],
            (path) => Effect.map(ask(base + path), ({ status, json }) => [status, json().error])
          )
          assert.deepStrictEqual(answers, [
            [501, "format_not_supported"],
            [404, "not_found"],
            [404, "not_found"],
            [404, "not_found"],
            [404, "not_found"],
            [400, "invalid_request"],
            [400, "invalid_request"]
          ])
        })
    )

    it.effect("is the same 404 if it is unknown, not rendered or deleted", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const db = yield* Db
        const { slug, id } = yield* sharedClip
        const both = (slug: string) =>
          Effect.forEach([`/embed/clips/${slug}`, oembedPath(slug)], (path) =>
            Effect.map(ask(base + path), ({ status, text, headers }) => [
              status,
              text.replaceAll(slug, ""),
              headers.get("cache-control"),
              headers.get("content-security-policy")
            ])
          )
        const unknown = yield* both("A".repeat(16))
        assert.deepStrictEqual(
          unknown.map(([status]) => status),
          [404, 404]
        )
        assert.deepStrictEqual(yield* both("short"), unknown)
        yield* db`update user_clip set state = 'rendering', ready_at = null where id = ${id}`
        assert.deepStrictEqual(yield* both(slug), unknown)
        yield* db`delete from user_clip where id = ${id}`
        assert.deepStrictEqual(yield* both(slug), unknown)
      })
    )
  }
)
