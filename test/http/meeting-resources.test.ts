import * as http from "node:http"
import * as zlib from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { agendaKey, clipKey, renditionKey } from "../../src/services/meetings/media-tier.ts"
import { type Credentials, grantTo, nobody, reader, session, shareCookie, shareToken } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { clipId, meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const id = meetingId("full")
const bare = meetingId("bare")

const gated = ["transcript", "newsletter", "claims", "recap", "graphics", "video", "agenda"]
const open = ["agenda-summary", "clips", "community-clips"]

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "the parts of a meeting over HTTP",
  (it) => {
    const get = Effect.fnUntraced(function* (
      path: string,
      who: Credentials = nobody,
      headers: Record<string, string> = {}
    ) {
      const url = new URL(`${yield* serviceAddress}/api/meetings/${path}`)
      for (const [name, value] of Object.entries(who.query)) url.searchParams.set(name, value)
      return yield* ask(url.href, { headers: { ...who.headers, ...headers } })
    })

    /** As sent on the wire: `fetch` would decode it. */
    const raw = (url: string, headers: Record<string, string>, method = "GET") =>
      Effect.callback<{ readonly status: number; readonly headers: http.IncomingHttpHeaders; readonly bytes: Buffer }>(
        (resume) => {
          const request = http.request(url, { agent: false, headers, method }, (response) => {
            const chunks: Array<Buffer> = []
            response.on("data", (chunk) => chunks.push(chunk))
            response.on("end", () =>
              resume(
                Effect.succeed({
                  status: response.statusCode ?? 0,
                  headers: response.headers,
                  bytes: Buffer.concat(chunks)
                })
              )
            )
          })
          request.end()
        }
      )

    it.effect("are open or gated as the table says", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const holder = shareToken(yield* grantTo(id))
        const stranger = shareToken(yield* grantTo(bare))
        const callers = [
          ["nobody", nobody, 401, "sign_in_required"],
          ["a reader", credentials, 200, undefined],
          ["a forged session", session("A".repeat(43)), 401, "sign_in_required"],
          ["a holder", holder, 200, undefined],
          ["a holder for another meeting", stranger, 403, "share_grant_other_meeting"],
          ["a forged grant", shareToken("t1.x.y.z"), 401, "share_grant_invalid"],
          ["a forged cookie", shareCookie("B".repeat(43)), 401, "share_grant_invalid"]
        ] as const
        for (const [name, who, status, error] of callers) {
          for (const part of gated) {
            const answer = yield* get(`${id}/${part}`, who)
            assert.strictEqual(answer.status, status, `${part} for ${name}: ${answer.text}`)
            if (error !== undefined) assert.strictEqual(answer.json().error, error, `${part} for ${name}`)
            assert.strictEqual(
              answer.headers.get("cache-control"),
              status === 200 ? "private, no-store" : "no-store",
              `${part} for ${name}`
            )
          }
          for (const part of open)
            assert.strictEqual((yield* get(`${id}/${part}`, who)).status, 200, `${part} for ${name}`)
          for (const part of [...gated, ...open]) {
            for (const ref of [meetingId("none"), "not-a-meeting"]) {
              const answer = yield* get(`${ref}/${part}`, who)
              if (gated.includes(part) && status === 401) {
                assert.deepStrictEqual([answer.status, answer.json().error], [status, error], `${part} for ${name}`)
                continue
              }
              assert.strictEqual(answer.status, 404, `${part} of no meeting for ${name}`)
              assert.deepStrictEqual(answer.json(), {
                error: "not_found",
                message: `No meeting has the id or slug "${ref}".`,
                hint: "Find meetings with GET /api/meetings/browse."
              })
            }
          }
        }
      })
    )

    it.effect("answer by slug, and by a truncated slug", () =>
      Effect.gen(function* () {
        for (const ref of [`${id.slice(0, 8)}-springfield-council-2026-03-10`, `${id.slice(0, 8)}-spring`]) {
          assert.strictEqual((yield* get(`${ref}/clips`)).json().meeting_id, id)
        }
      })
    )

    it.effect("say which part a meeting lacks, to those who may know, and where to look", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const missing = {
          transcript: "This meeting has no transcript.",
          newsletter: "This meeting has no briefing.",
          claims: "This meeting has no briefing.",
          recap: "This meeting has no recap.",
          video: "This meeting has no recording.",
          agenda: "This meeting has no copy of its agenda.",
          "agenda-summary": "This meeting has no agenda summary."
        }
        for (const [part, message] of Object.entries(missing)) {
          const answer = yield* get(`${bare}/${part}`, credentials)
          assert.strictEqual(answer.status, 404)
          assert.deepStrictEqual(answer.json(), {
            error: "not_found",
            message,
            hint: `GET /api/meetings/${bare} lists what this meeting has, under links.`
          })
          if (part !== "agenda-summary") assert.strictEqual((yield* get(`${bare}/${part}`)).status, 401)
        }
      })
    )

    it.effect("send the briefing as it was edited, and media with signed addresses", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const newsletter = yield* get(`${id}/newsletter`, credentials)
        assert.include(newsletter.text, "It passed.")
        assert.notInclude(newsletter.text, "It failed.")
        assert.strictEqual(newsletter.json().removed_sentences, 1)
        for (const [part, key] of [
          ["video", renditionKey(id)],
          ["agenda", agendaKey(id)],
          ["clips", clipKey(id, clipId("one"))]
        ]) {
          const answer = yield* get(`${id}/${part}`, credentials)
          assert.include(answer.text, `"http://record.example.gov/api/media/${key}?sig=`)
          assert.isNull(answer.headers.get("access-control-allow-origin"))
        }
      })
    )

    it.effect("let caches and scripts have the agenda summary, but no minted address", () =>
      Effect.gen(function* () {
        const summary = yield* get(`${id}/agenda-summary`)
        assert.include(summary.headers.get("cache-control"), "public")
        assert.strictEqual(summary.headers.get("access-control-allow-origin"), "*")
        const etag = summary.headers.get("etag") ?? ""
        assert.strictEqual((yield* get(`${id}/agenda-summary`, nobody, { "if-none-match": etag })).status, 304)
        for (const part of ["clips", "community-clips"]) {
          assert.strictEqual((yield* get(`${id}/${part}`)).headers.get("cache-control"), "private, no-store")
        }
      })
    )

    it.effect("send a transcript in the requested form, by Accept or by format", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const asked = [
          ["", "application/json", "application/json", '{"meeting_id"'],
          ["", "*/*", "application/json", '{"meeting_id"'],
          ["", "image/png", "application/json", '{"meeting_id"'],
          ["", "text/html,application/xhtml+xml,*/*;q=0.8", "application/json", '{"meeting_id"'],
          ["", "text/vtt", "text/vtt; charset=utf-8", "WEBVTT\n\n00:00:00.000 --> "],
          [
            "",
            "application/json;q=0.1, application/x-subrip",
            "application/x-subrip; charset=utf-8",
            "1\n00:00:00,000 --> "
          ],
          ["", "text/plain", "text/plain; charset=utf-8", "Sentence number 0, with & and"],
          ["format=json", "text/vtt", "application/json", '{"meeting_id"'],
          ["format=vtt", "*/*", "text/vtt; charset=utf-8", "WEBVTT"],
          ["format=srt", "*/*", "application/x-subrip; charset=utf-8", "1\n"],
          ["format=txt", "*/*", "text/plain; charset=utf-8", "Sentence number 0"],
          ["raw=1&format=txt", "*/*", "text/plain; charset=utf-8", "sentense won\n"],
          ["raw=true&words=false", "*/*", "application/json", `{"meeting_id":"${id}","version":"raw"`]
        ] as const
        for (const [query, accept, type, begins] of asked) {
          const answer = yield* get(`${id}/transcript?${query}`, credentials, { accept })
          assert.strictEqual(answer.status, 200)
          assert.strictEqual(answer.headers.get("content-type"), type, `${query} ${accept}`)
          assert.strictEqual(answer.text.slice(0, begins.length), begins, `${query} ${accept}`)
          assert.strictEqual(answer.headers.get("vary"), "Accept, Accept-Encoding")
        }
        for (const [query, field] of [
          ["format=ass", "format"],
          ["raw=yes", "raw"],
          ["words=", "words"]
        ] as const) {
          const answer = yield* get(`${id}/transcript?${query}`, credentials)
          assert.strictEqual(answer.status, 400)
          assert.include(answer.json().message, field)
        }
      })
    )

    it.effect(
      "send a transcript in an accepted coding, without a body for HEAD, and not at all to a caller that has it",
      () =>
        Effect.gen(function* () {
          const { credentials } = yield* reader()
          const url = `${yield* serviceAddress}/api/meetings/${id}/transcript`
          const plain = yield* raw(url, credentials.headers)
          assert.isUndefined(plain.headers["content-encoding"])
          const decoders = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync }
          for (const [accepted, coding] of [
            ["gzip, deflate, br", "br"],
            ["gzip, br;q=0", "gzip"],
            ["*", "br"],
            ["deflate", undefined]
          ] as const) {
            const headers = { ...credentials.headers, "accept-encoding": accepted }
            const answer = yield* raw(url, headers)
            assert.strictEqual(answer.headers["content-encoding"], coding, accepted)
            const bytes = coding === undefined ? answer.bytes : decoders[coding](answer.bytes)
            assert.deepStrictEqual(bytes, plain.bytes)
            assert.strictEqual(answer.headers["content-length"], String(answer.bytes.length))

            const head = yield* raw(url, headers, "HEAD")
            assert.strictEqual(head.bytes.length, 0)
            for (const name of [
              "content-length",
              "content-encoding",
              "content-type",
              "etag",
              "vary",
              "cache-control"
            ]) {
              assert.strictEqual(head.headers[name], answer.headers[name], name)
            }
            const known = yield* raw(url, { ...headers, "if-none-match": answer.headers.etag ?? "" })
            assert.strictEqual(known.status, 304)
            assert.strictEqual(known.bytes.length, 0)
          }
        })
    )
  }
)
