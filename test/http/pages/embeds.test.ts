import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { Clips } from "../../../schema/clip.ts"
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
          assert.match(text, /<track kind="captions" src="\/captions\/user-clips\/[^"]*sig=/)
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
        assert.strictEqual(meta("og:title"), "Ready (Council, March 10, 2026)")
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
          title: "Ready (Council, March 10, 2026)",
          author_name: "Council",
          author_url: `${record}/in/springfield/council`,
          provider_name: "Civic Record",
          provider_url: record,
          thumbnail_url: `${record}/api/media/meetings/${meetingId("full")}/poster.jpg`,
          thumbnail_width: 1280,
          thumbnail_height: 720,
          width: 640,
          height: 456
        })
        assert.include(
          String(html),
          `<iframe src="${record}/embed/clips/${slug}" title="Ready (Council, March 10, 2026)" width="640" height="456"`
        )
        // As wide as there is room, in the same proportions, and never larger than asked for.
        assert.include(String(html), 'style="width:100%;max-width:640px;height:auto;aspect-ratio:640/456;border:0"')
        const sizes = yield* Effect.forEach(
          ["&maxwidth=320", "&maxheight=228", "&maxwidth=320&maxheight=114", "&maxwidth=1"],
          (room) => Effect.map(ask(base + oembedPath(slug, room)), ({ json }) => [json().width, json().height])
        )
        assert.deepStrictEqual(sizes, [
          [320, 228],
          [320, 228],
          [160, 114],
          [1, 1]
        ])
        const small = (yield* ask(base + oembedPath(slug, "&maxwidth=320"))).json()
        assert.include(String(small.html), 'width="320" height="228" style="width:100%;max-width:320px')
        const large = (yield* ask(base + oembedPath(slug, "&maxwidth=2000&maxheight=1000"))).json()
        assert.deepStrictEqual([large.thumbnail_width, large.width], [1280, 640])
        const xml = yield* ask(base + oembedPath(slug, "&format=xml"))
        assert.include(
          xml.text,
          "<oembed><version>1.0</version><type>video</type><title>Ready (Council, March 10, 2026)</title>"
        )
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

    it.effect("has captions by its own clock, opened by the signature of its media and by nothing else", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { slug, id } = yield* sharedClip
        const db = yield* Db
        const here = (url: unknown) => String(url).replace(record, base)
        const { captions_url, url } = (yield* ask(`${base}/api/user-clips/shared/${slug}`)).json()
        const { status, headers, text } = yield* ask(here(captions_url))
        assert.deepStrictEqual(
          [status, headers.get("content-type"), headers.get("cache-control")],
          [200, "text/vtt; charset=utf-8", "private, no-store"]
        )
        // The clip is 100 to 160 s, five seconds a sentence.
        assert.match(text, /^WEBVTT\n\n00:00:00\.000 --> /)
        assert.include(text, "Sentence number 20, with\n&amp; and &lt;i&gt;")
        assert.notMatch(text, /number (19|32),/)
        assert.notMatch(text, /00:0[1-9]:\d\d\.\d+ -->/)

        const other = (yield* sharedClip).id
        const answers = yield* Effect.forEach(
          [
            here(captions_url).replace(/\?.*/, ""),
            here(captions_url).replace(id, other),
            `${here(captions_url)}x`,
            `${base}/captions/meetings/${meetingId("full")}/web/720p.vtt`,
            `${base}/captions/nothing`
          ],
          (at) => Effect.map(ask(at), ({ status, json }) => [status, json().error])
        )
        assert.deepStrictEqual(answers, [
          [403, "signature_required"],
          [403, "signature_invalid"],
          [403, "signature_invalid"],
          [404, "not_found"],
          [404, "not_found"]
        ])
        // The signature outlives the clip, which has no words any more.
        assert.strictEqual((yield* ask(here(captions_url))).status, 404)
        assert.include(String(url), new URL(String(captions_url)).search)
        yield* db`delete from user_clip where id = ${other}`
      })
    )

    it.effect("is called by the record if its maker gave it no title: by its chapter, else by its first words", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const db = yield* Db
        const { slug, id, credentials } = yield* sharedClip
        yield* db`update user_clip set title = null where id = ${id}`
        const title = Effect.map(ask(base + oembedPath(slug)), ({ json }) => json().title)
        yield* db`
          insert into chapter (meeting_id, position, title, start, "end")
          values (${meetingId("full")}, 90, 'Before', 0, 105), (${meetingId("full")}, 91, 'The mill', 105, 170)`
        assert.strictEqual(yield* title, "The mill (Council, March 10, 2026)")
        assert.include((yield* ask(`${base}/api/user-clips`, credentials)).text, '"title":"The mill"')
        yield* db`delete from chapter`
        yield* db`update agenda_item set start = null`
        assert.match(String(yield* title), /^“Sentence number 20, .*” \(Council, March 10, 2026\)$/)
      })
    )

    it.effect("may be a published one: framed, described and captioned as readers' are", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const id = meetingId("full")
        const { clips } = Schema.decodeUnknownSync(Clips)((yield* ask(`${base}/api/meetings/${id}/clips`)).json())
        const [clip] = clips
        assert.isDefined(clip)
        const meeting = String((yield* ask(`${base}/api/meetings/${id}`)).json().path)
        const path = `${meeting}/clips/${clip.id}`
        const page = yield* ask(base + path, { headers: { accept: "text/html" } })
        const link = /<link rel="alternate" type="application\/json\+oembed"[^>]* href="([^"]+)">/.exec(page.text)?.[1]
        const video = (yield* ask((link ?? "").replaceAll("&amp;", "&").replace(record, base))).json()
        assert.strictEqual(video.title, `${clip.title} (Council, March 10, 2026)`)
        assert.include(String(video.html), `<iframe src="${record}/embed${path}"`)
        const frame = yield* ask(`${base}/embed${path}`)
        assert.strictEqual(frame.status, 200)
        assert.include(frame.headers.get("content-security-policy"), "frame-ancestors *")
        assert.isNull(frame.headers.get("set-cookie"))
        assert.deepStrictEqual(frame.text.match(/<a [^>]*>/g), [
          `<a href="${record}${path}" target="_blank" rel="noopener">`
        ])
        const track = /<track kind="captions" src="([^"]+)"/.exec(frame.text)?.[1] ?? ""
        assert.match(track, /^\/captions\/meetings\/[^"]*sig=/)
        const captions = yield* ask(base + track)
        assert.match(captions.text, /^WEBVTT\n/)
        assert.strictEqual(new URL(String(clip.captions_url)).pathname, track.replace(/\?.*/, ""))
        // A clip that is not published any more is as one that never was.
        yield* Db.use((db) => db`update clip set state = 'dismissed' where id = ${clip.id}`)
        for (const at of [`/embed${path}`, track]) assert.strictEqual((yield* ask(base + at)).status, 404, at)
        const gone = yield* ask(`${base}/oembed?url=${encodeURIComponent(record + path)}`)
        assert.strictEqual(gone.status, 404)
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
