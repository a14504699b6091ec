import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { findTools } from "../../layers/renderer/tools.ts"
import { UserClipId } from "../../schema/primitives.ts"
import { renditionKey, userClipCaptionsKey, userClipKey } from "../../src/services/meetings/media-tier.ts"
import { type Credentials, nobody, reader, readyClip } from "../support/actors.ts"
import type { ask } from "../support/asked.ts"
import { meeting, meetingId, putMedia, putOnRecord } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { putRecording } from "../support/put-recording.ts"
import { eventually, scratch, TestRenderer, TestWorker } from "../support/rendering.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const id = meetingId("full")

const cut = (who: Credentials, body: object) => call("POST", "/api/user-clips", who, { meeting_id: id, ...body })

type Clip = Record<string, unknown> & { readonly id: string; readonly slug: string; readonly state: string }

const clipsOf = (who: Credentials, query = "") =>
  Effect.map(call("GET", `/api/user-clips${query}`, who), (answer) => answer.json().clips as ReadonlyArray<Clip>)

/** The path and query of an address that was minted for the deployment's origin. */
const onService = (url: unknown) => {
  const { pathname, search } = new URL(String(url))
  return `${pathname}${search}`
}

const bytesOf = Effect.fnUntraced(function* (target: string, who: Credentials = nobody) {
  const url = new URL(target, yield* serviceAddress).href
  return yield* Effect.promise(async () => {
    const response = await fetch(url, { headers: who.headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  })
})

/** The parts of a response that do not differ between requests. */
const told = ({ status, text, headers }: Effect.Success<ReturnType<typeof ask>>) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !["date", "x-request-id", "ratelimit"].includes(name))
})

layer(
  TestWorker.pipe(
    Layer.provideMerge(Layer.effectDiscard(Effect.andThen(fullRecord, putRecording(id, 24, "720p")))),
    Layer.provideMerge(TestService),
    Layer.provideMerge(TestRenderer)
  ),
  { excludeTestServices: true }
)("user clips, rendered", (it) => {
  it.effect("are cut, watched by link, downloaded by their owner and deleted with all that is theirs", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("cutter@example.org")
      const made = yield* cut(credentials, { start: 5.5, end: 9, title: " The  vote\n" })
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual(made.headers.get("cache-control"), "private, no-store")
      const fresh = made.json() as Clip
      assert.include(fresh, {
        meeting_id: id,
        title: "The vote",
        start: 5.5,
        end: 9,
        duration: 3.5,
        state: "rendering"
      })
      assert.include(fresh, { shares: 0, visits: 0, share_url: `http://record.example.gov/clips/${fresh.slug}` })
      for (const name of ["url", "expires_at", "download_url"]) assert.notProperty(fresh, name)
      const ready = yield* eventually(
        Effect.map(clipsOf(credentials), (clips) => clips.find(({ state }) => state !== "rendering"))
      )
      assert.include(ready, { id: fresh.id, state: "ready" })

      const shared = yield* call("GET", `/api/user-clips/shared/${fresh.slug}`)
      assert.strictEqual(shared.headers.get("cache-control"), "private, no-store")
      assert.include(shared.json(), { slug: fresh.slug, meeting_id: id, start: 5.5, end: 9, duration: 3.5 })
      const watched = yield* bytesOf(onService(shared.json().url))
      assert.strictEqual(watched.response.headers.get("content-type"), "video/mp4")
      assert.isNull(watched.response.headers.get("content-disposition"))

      const download = onService(ready.download_url)
      const kept = yield* bytesOf(download, credentials)
      assert.strictEqual(kept.response.status, 200)
      assert.match(
        kept.response.headers.get("content-disposition") ?? "",
        /^attachment; filename="[0-9a-f]{8}-springfield-council-2026-03-10-5s\.mp4"$/
      )
      assert.strictEqual(kept.response.headers.get("cache-control"), "private, no-store")
      assert.isTrue(kept.bytes.equals(watched.bytes))
      const part = yield* call("GET", download, credentials, undefined, { range: "bytes=0-9" })
      assert.deepStrictEqual([part.status, part.headers.get("content-length")], [206, "10"])
      const head = yield* call("HEAD", download, credentials)
      assert.strictEqual(head.headers.get("content-length"), String(kept.bytes.length))
      assert.strictEqual((yield* call("GET", download)).json().error, "sign_in_required")
      const other = yield* reader("other@example.org")
      for (const method of ["GET", "DELETE"]) {
        const target = method === "GET" ? download : `/api/user-clips/${fresh.id}`
        const refused = yield* call(method, target, other.credentials)
        assert.deepStrictEqual([refused.status, refused.json().error], [404, "not_found"], method)
      }
      assert.deepStrictEqual(yield* clipsOf(other.credentials), [])

      const folder = yield* scratch
      fs.writeFileSync(path.join(folder, "clip.mp4"), kept.bytes)
      const { duration } = yield* Renderer.use((renderer) => renderer.probe(path.join(folder, "clip.mp4")))
      assert.approximately(duration, 3.5, 1 / 5)
      const clipId = UserClipId.make(fresh.id)
      const store = yield* ObjectStore
      const vtt = yield* Stream.mkString(Stream.decodeText(store.read(userClipCaptionsKey(clipId))))
      assert.match(vtt, /^WEBVTT\n\n00:00:00\.000 --> 00:00:03\.500\n.*number 1,/)
      assert.notInclude(vtt, "number 0")
      const found = yield* findTools({ ffmpeg: undefined, ffprobe: undefined, programPath: "" }, () =>
        Effect.succeed("")
      )
      const ffmpeg = typeof found === "string" ? assert.fail(found) : found.ffmpeg
      const track = execFileSync(ffmpeg, [
        ...["-v", "error", "-i", path.join(folder, "clip.mp4"), "-map", "0:s:0", "-f", "srt", "-"]
      ])
      assert.include(track.toString(), "number 1,")

      const community = yield* call("GET", `/api/meetings/${id}/community-clips`)
      assert.deepStrictEqual(
        (community.json().clips as ReadonlyArray<Clip>).map(({ slug }) => slug),
        [fresh.slug]
      )
      const db = yield* Db
      const events = yield* db`select data from feed_event where event = 'community_clip.ready'`
      assert.deepStrictEqual(events, [{ data: { meeting_id: id, slug: fresh.slug } }])

      assert.strictEqual((yield* call("DELETE", `/api/user-clips/${fresh.id}`, credentials)).status, 204)
      assert.strictEqual((yield* call("DELETE", `/api/user-clips/${fresh.id}`, credentials)).status, 404)
      assert.strictEqual((yield* call("GET", `/api/user-clips/shared/${fresh.slug}`)).status, 404)
      assert.strictEqual((yield* bytesOf(onService(shared.json().url))).response.status, 404)
      for (const key of [userClipKey(clipId), userClipCaptionsKey(clipId)]) {
        assert.isTrue(Option.isNone(yield* store.head(key)), key)
      }
      assert.deepStrictEqual(yield* db`select from removed_user_clip`, [])
    })
  )

  it.effect("are stopped if they are deleted while being rendered", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("hasty@example.org")
      const { id: clip } = (yield* cut(credentials, { start: 0, end: 24 })).json() as Clip
      const db = yield* Db
      yield* eventually(
        Effect.map(
          db`select from task t join flow f on f.id = t.flow_id where f.user_clip_id = ${clip} and t.state = 'running'`,
          (rows) => rows.length > 0 || undefined
        )
      )
      assert.strictEqual((yield* call("DELETE", `/api/user-clips/${clip}`, credentials)).status, 204)
      assert.deepStrictEqual(yield* db`select from flow where user_clip_id = ${clip}`, [])
      assert.deepStrictEqual(yield* db`select from task where state = 'running'`, [])
      // The worker is free again: another clip is rendered, and no part of the deleted one ever appears.
      const { id: next } = (yield* cut(credentials, { start: 1, end: 2 })).json() as Clip
      yield* eventually(
        Effect.map(clipsOf(credentials), (clips) => clips.find((own) => own.id === next && own.state === "ready"))
      )
      const store = yield* ObjectStore
      assert.isTrue(Option.isNone(yield* store.head(userClipKey(UserClipId.make(clip)))))
      yield* call("DELETE", `/api/user-clips/${next}`, credentials)
    })
  )

  it.effect("fail with a reason if the recording cannot be read or is gone", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("unlucky@example.org")
      const [broken, gone] = [meetingId("broken"), meetingId("gone")]
      yield* putOnRecord(meeting("broken", "springfield-council"), meeting("gone", "springfield-council"))
      for (const one of [broken, gone]) yield* putMedia({ key: renditionKey(one), role: "rendition", duration: 100 })
      const store = yield* ObjectStore
      yield* store.put(renditionKey(broken), Stream.make(Buffer.from("no recording ".repeat(50))), "video/mp4")
      for (const one of [broken, gone]) {
        assert.strictEqual((yield* cut(credentials, { meeting_id: one, start: 1, end: 5 })).status, 201)
        const failed = yield* eventually(
          Effect.map(clipsOf(credentials, `?meeting_id=${one}`), ([clip]) =>
            clip?.state === "failed" ? clip : undefined
          )
        )
        assert.notProperty(failed, "url")
        const download = yield* call("GET", `/api/user-clips/${failed.id}/download`, credentials)
        assert.deepStrictEqual([download.status, download.json().error], [404, "not_found"])
        assert.strictEqual((yield* call("GET", `/api/user-clips/shared/${failed.slug}`)).status, 404)
      }
      const db = yield* Db
      const reasons = yield* db<{ failure: string }>`select failure from user_clip where failure is not null order by 1`
      assert.deepStrictEqual(
        reasons.map(({ failure }) => failure),
        ["The meeting's recording cannot be read.", "The meeting's recording is not there any more."]
      )
    })
  )
})

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "user clips",
  (it) => {
    it.effect("are limited to 10 of a meeting and account, even if twenty are requested at once", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("eager@example.org")
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, (_, at) => cut(credentials, { start: at, end: at + 5 })),
          { concurrency: "unbounded" }
        )
        const refused = answers.filter(({ status }) => status === 409)
        assert.strictEqual(answers.filter(({ status }) => status === 201).length, 10)
        assert.deepStrictEqual(
          refused.map((answer) => answer.json().error),
          Array.from({ length: 10 }, () => "clip_limit_reached")
        )
        const clips = yield* clipsOf(credentials)
        assert.strictEqual(clips.length, 10)
        assert.deepStrictEqual(
          clips.map(({ created_at }) => String(created_at)),
          clips.map(({ created_at }) => String(created_at)).toSorted((a, b) => (a < b ? 1 : -1))
        )
        const db = yield* Db
        assert.deepStrictEqual(yield* db`select count(*)::int as jobs from task`, [{ jobs: 10 }])
        // Another account has its own ten, and an account that deletes one may cut another.
        const { credentials: second } = yield* reader("second@example.org")
        assert.strictEqual((yield* cut(second, { start: 1, end: 2 })).status, 201)
        yield* call("DELETE", `/api/user-clips/${clips[0]?.id}`, credentials)
        assert.strictEqual((yield* cut(credentials, { start: 1, end: 2 })).status, 201)
        assert.strictEqual((yield* cut(credentials, { start: 1, end: 2 })).status, 409)
        assert.deepStrictEqual(yield* db`select count(*)::int as jobs from task`, [{ jobs: 11 }])
      })
    )

    it.effect("are 1 to 300 seconds within the recording", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("ruled@example.org")
        const rows: ReadonlyArray<readonly [body: object, status: number, error: string | undefined]> = [
          [{ start: 0, end: 300 }, 201, undefined],
          [{ start: 499, end: 500 }, 201, undefined],
          [{ start: 0, end: 300.001 }, 422, "clip_too_long"],
          [{ start: 100, end: 900 }, 422, "clip_too_long"],
          [{ start: 499.5, end: 500.5 }, 422, "clip_out_of_range"],
          [{ start: 600, end: 610 }, 422, "clip_out_of_range"],
          [{ start: 10, end: 10.5 }, 422, "clip_out_of_range"],
          [{ start: 20, end: 10 }, 422, "clip_out_of_range"],
          [{ start: 1e300, end: 1e301 }, 422, "clip_too_long"],
          [{ start: 0, end: 5, meeting_id: meetingId("bare") }, 422, "clip_out_of_range"],
          [{ start: 0, end: 5, meeting_id: meetingId("none") }, 404, "not_found"],
          [{ start: -1, end: 5 }, 400, "invalid_request"],
          [{ start: "0", end: 5 }, 400, "invalid_request"],
          [{ start: 0 }, 400, "invalid_request"],
          [{ start: 0, end: 5, title: " " }, 400, "invalid_request"],
          [{ start: 0, end: 5, title: "x".repeat(201) }, 400, "invalid_request"],
          [{ start: 0, end: 5, title: "A\u0000 title" }, 400, "invalid_request"],
          [{ start: 0, end: 5, title: "A title \ud800" }, 400, "invalid_request"]
        ]
        for (const [body, status, error] of rows) {
          const answer = yield* cut(credentials, body)
          assert.deepStrictEqual([answer.status, answer.json().error], [status, error], JSON.stringify(body))
        }
        const odd = yield* cut(credentials, { start: 1.00049, end: 3, title: "A\u0007\u202e title" })
        assert.include(odd.json(), { start: 1, end: 3, title: "A title" })
      })
    )

    it.effect("are the same 404 to the byte if unknown, not rendered or deleted", () =>
      Effect.gen(function* () {
        const { credentials, accountId } = yield* reader("sharer@example.net")
        const deleted = yield* readyClip(accountId, id)
        yield* call("DELETE", `/api/user-clips/${deleted.id}`, credentials)
        const rendering = (yield* cut(credentials, { start: 0, end: 5 })).json() as Clip
        const slugs = ["k7Qm2xVt9aZr4LpB", "short", "x".repeat(300), "a%20b", deleted.slug, rendering.slug]
        for (const [method, part] of [
          ["GET", ""],
          ["HEAD", ""],
          ["POST", "/visit"],
          ["POST", "/share"]
        ] as const) {
          const answers = yield* Effect.forEach(slugs, (slug) =>
            call(method, `/api/user-clips/shared/${slug}${part}`, credentials)
          )
          const [first] = answers.map(told)
          assert.strictEqual(first?.status, 404)
          for (const [at, answer] of answers.entries()) assert.deepStrictEqual(told(answer), first, slugs[at])
        }
      })
    )

    it.effect("are 404 once their media is gone from the store, as JSON and as a page", () =>
      Effect.gen(function* () {
        const { accountId } = yield* reader("emptied@example.net")
        const clip = yield* readyClip(accountId, id)
        const paths = [`/api/user-clips/shared/${clip.slug}`, `/clips/${clip.slug}`]
        for (const at of paths) assert.strictEqual((yield* call("GET", at)).status, 200, at)
        yield* ObjectStore.use((store) => store.delete(userClipKey(clip.id)))
        for (const at of paths) assert.strictEqual((yield* call("GET", at)).status, 404, at)
      })
    )

    it.effect("count each visitor and each share once a day, and neither robots nor their owner", () =>
      Effect.gen(function* () {
        const { credentials, accountId } = yield* reader("counted@example.org")
        const { slug } = yield* readyClip(accountId, id)
        const chrome =
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0 Safari/537.36"
        const safari =
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15"
        const visit = (agent: string, who: Credentials = nobody) =>
          call("POST", `/api/user-clips/shared/${slug}/visit`, who, undefined, { "user-agent": agent })
        const { credentials: guest } = yield* reader("guest@example.org")
        for (const agent of [
          chrome,
          chrome,
          chrome,
          safari,
          "Googlebot/2.1 (+http://www.google.com/bot.html)",
          "curl/8",
          ""
        ]) {
          assert.strictEqual((yield* visit(agent)).status, 204)
        }
        for (const agent of [chrome, safari]) yield* visit(agent, guest)
        yield* visit(chrome, credentials)
        yield* Effect.all(
          Array.from({ length: 10 }, () => visit(`${chrome} Edg/1`)),
          { concurrency: "unbounded" }
        )
        const share = (who: Credentials) => call("POST", `/api/user-clips/shared/${slug}/share`, who)
        for (const who of [guest, guest, credentials]) assert.strictEqual((yield* share(who)).status, 204)
        assert.strictEqual((yield* share(nobody)).status, 401)
        assert.include((yield* clipsOf(credentials))[0], { visits: 4, shares: 2 })
        // Only a hash of a visitor is stored, and for no longer than the day.
        const db = yield* Db
        const kept = yield* db<{ row: string }>`select user_clip_visit::text as row from user_clip_visit`
        assert.notInclude(kept.map(({ row }) => row).join(), "127.0.0.1")
        yield* db`update visit_salt set day = day - 1`
        yield* db`update user_clip_visit set day = day - 1`
        yield* visit(chrome)
        assert.include((yield* clipsOf(credentials))[0], { visits: 5 })
        assert.deepStrictEqual(yield* db`select count(*)::int as salts from visit_salt`, [{ salts: 1 }])
        assert.deepStrictEqual(yield* db`select count(*)::int as visitors from user_clip_visit`, [{ visitors: 1 }])
      })
    )

    it.effect("count at most twenty visitors of one network a day, whatever browsers they claim to use", () =>
      Effect.gen(function* () {
        const { credentials, accountId } = yield* reader("popular@example.org")
        const { slug } = yield* readyClip(accountId, id)
        const visit = (at: number) =>
          call("POST", `/api/user-clips/shared/${slug}/visit`, nobody, undefined, {
            "user-agent": `Mozilla/5.0 (X11; Linux x86_64; rv:${at}.0) Gecko/20100101 Firefox/${at}.0`
          })
        const answers = yield* Effect.all(
          Array.from({ length: 200 }, (_, at) => visit(at)),
          { concurrency: 16 }
        )
        assert.isTrue(
          answers.every(({ status }) => status === 204),
          "which no visitor is told of"
        )
        assert.include((yield* clipsOf(credentials))[0], { visits: 20 })
      })
    )

    it.effect("are watched on a page, which counts a visit and says nothing of missing parts", () =>
      Effect.gen(function* () {
        const { credentials, accountId } = yield* reader("page@example.org")
        const { slug } = yield* readyClip(accountId, id)
        const db = yield* Db
        yield* db`update user_clip set title = ${'"Où?" <b>&'} where slug = ${slug}`
        const open = (slug: string, method = "GET") =>
          call(method, `/clips/${slug}`, nobody, undefined, { "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/149.0" })
        const page = yield* open(slug)
        assert.strictEqual(page.status, 200)
        assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
        assert.strictEqual(page.headers.get("cache-control"), "private, no-store")
        assert.include(page.headers.get("content-security-policy") ?? "", "media-src 'self'")
        assert.include(page.text, "<h1>&quot;Où?&quot; &lt;b&gt;&amp;</h1>")
        assert.include(page.text, "Council, Regular Meeting, March 10, 2026")
        assert.include(page.text, "March 10, 2026: 1:40 to 2:40 of the recording.")
        const source = /<video [^>]*src="(\/api\/media\/[^"]+)"/.exec(page.text)?.[1] ?? ""
        const { response } = yield* bytesOf(source)
        assert.deepStrictEqual([response.status, response.headers.get("content-disposition")], [200, null])
        yield* open(slug)
        assert.strictEqual((yield* open(slug, "HEAD")).status, 200)
        const [clip] = yield* clipsOf(credentials)
        assert.strictEqual(clip?.visits, 1)
        yield* call("DELETE", `/api/user-clips/${clip?.id}`, credentials)
        const pages = yield* Effect.forEach([slug, "k7Qm2xVt9aZr4LpB", "short"], (slug) => open(slug))
        for (const missing of pages) assert.deepStrictEqual(told(missing), told(pages[0] ?? missing))
        assert.strictEqual(pages[0]?.status, 404)
        assert.include(pages[0]?.text ?? "", "<h1>Clip not found</h1>")
      })
    )

    it.effect("go with their account and their meeting, and their media with them", () =>
      Effect.gen(function* () {
        const { accountId } = yield* reader("leaving@example.org")
        const { id: clip } = yield* readyClip(accountId, id)
        const db = yield* Db
        yield* db`delete from account where id = ${accountId}`
        const left = yield* db<{ id: string }>`select id from removed_user_clip`
        assert.include(
          left.map((row) => row.id),
          clip
        )
        // The next deletion removes the remains too, as a worker's sweep does.
        const next = yield* reader("last@example.org")
        const own = yield* readyClip(next.accountId, id)
        yield* call("DELETE", `/api/user-clips/${own.id}`, next.credentials)
        const store = yield* ObjectStore
        assert.isTrue(Option.isNone(yield* store.head(userClipKey(clip))))
        assert.deepStrictEqual(yield* db`select from removed_user_clip`, [])
      })
    )
  }
)
