import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { openApiDocument } from "../../src/http/openapi/document.ts"
import { RemovedMedia } from "../../src/services/clips/removed-media.ts"
import { MeetingRemoval } from "../../src/services/feed/meeting-removal.ts"
import { posterKey } from "../../src/services/meetings/media-tier.ts"
import { type Credentials, grantTo, nobody, reader, readyClip, shareToken } from "../support/actors.ts"
import { meetingId, putOnRecord } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { operated } from "../support/operators.ts"
import { TestService } from "../support/service.ts"

const id = meetingId("full")
const slug = `${id.slice(0, 8)}-springfield-council-2026-03-10`
const reason = "The recording was published by mistake."

const gated = ["transcript", "newsletter", "claims", "recap", "graphics", "video", "agenda"]
const open = ["agenda-summary", "clips", "community-clips", "documents"]

layer(MeetingRemoval.layer.pipe(Layer.provideMerge(Layer.effectDiscard(fullRecord)), Layer.provideMerge(TestService)), {
  excludeTestServices: true
})("a meeting that was taken off the record", (it) => {
  it.effect("answers 410 with the reason to all who may ask at each of its addresses, and its media is gone", () =>
    Effect.gen(function* () {
      const { accountId, credentials } = yield* reader()
      const holder = shareToken(yield* grantTo(id))
      const clip = yield* readyClip(accountId, id)
      const poster = `/api/media/${posterKey(id)}`
      const graphics = yield* call("GET", `/api/meetings/${id}/graphics`, credentials)
      const [figure] = graphics.json().figures as ReadonlyArray<{ url: string }>
      const { pathname, search } = new URL(figure?.url ?? "")
      assert.strictEqual((yield* call("GET", poster)).status, 200)
      assert.strictEqual((yield* call("GET", pathname + search)).status, 200)
      yield* MeetingRemoval.use((removal) => removal.remove(slug, reason))
      yield* RemovedMedia.use(({ sweep }) => sweep)

      const refused = Effect.fnUntraced(function* (ref: string, ...asked: Parameters<typeof call>) {
        const answer = yield* call(...asked)
        assert.strictEqual(answer.status, 410, `${asked[0]} ${asked[1]}: ${answer.text}`)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(answer.json(), {
          error: "removed",
          message: `The meeting "${ref}" was taken off the record: ${reason}`,
          hint: "Delete any copy of it. GET /api/meetings/browse finds the meetings that are on record."
        })
      })
      for (const who of [nobody, credentials, holder] satisfies ReadonlyArray<Credentials>) {
        for (const ref of [id, id.toUpperCase(), slug, slug.slice(0, 8), slug.slice(0, -3)]) {
          yield* refused(ref, "GET", `/api/meetings/${ref}`, who)
          for (const part of who === credentials ? [...gated, ...open] : open)
            yield* refused(ref, "GET", `/api/meetings/${ref}/${part}`, who)
        }
      }
      const { readOnly } = yield* operated
      for (const ref of [id, slug]) yield* refused(ref, "GET", `/api/agent/meetings/${ref}`, readOnly)
      const events = `/api/events?meeting_id=${id}`
      yield* refused(id, "GET", events, credentials)
      for (const gone of [...gated.map((part) => `/api/meetings/${id}/${part}`), events]) {
        for (const [who, error] of [
          [nobody, "sign_in_required"],
          [holder, "share_grant_invalid"]
        ] as const) {
          const answer = yield* call("GET", gone, who)
          assert.deepStrictEqual([answer.status, answer.json().error], [401, error], gone)
        }
      }
      yield* refused(slug, "GET", `/api/meetings/${slug}/share`, credentials)
      yield* refused(id, "POST", "/api/share/record", credentials, { meeting_id: id, channel: "link" })
      yield* refused(id, "POST", "/api/user-clips", credentials, { meeting_id: id, start: 10, end: 40 })
      yield* refused(id, "POST", "/api/user-clips/auto", credentials, { meeting_id: id, start: 10 })

      for (const gone of [poster, pathname + search, `/api/user-clips/shared/${clip.slug}`]) {
        assert.strictEqual((yield* call("GET", gone)).status, 404, gone)
      }
      assert.strictEqual((yield* call("GET", "/api/meetings/browse")).json().total, 1)
    })
  )

  it.effect("by a line of a bundle, answers 410 with the line's reason, even if it was never on record", () =>
    Effect.gen(function* () {
      for (const id of [meetingId("next"), meetingId("elsewhere")]) {
        yield* putOnRecord({ type: "removed", what: "meeting", id, reason })
        for (const ref of [id, id.slice(0, 8)]) {
          const answer = yield* call("GET", `/api/meetings/${ref}`)
          assert.strictEqual(answer.status, 410)
          assert.strictEqual(answer.json().message, `The meeting "${ref}" was taken off the record: ${reason}`)
        }
      }
    })
  )

  it.effect("says only that it was removed, if its reason may not be shown", () =>
    Effect.gen(function* () {
      const bare = meetingId("bare")
      yield* MeetingRemoval.use((removal) => removal.remove(bare, undefined))
      const answer = yield* call("GET", `/api/meetings/${bare}`)
      assert.strictEqual(answer.json().message, `The meeting "${bare}" was taken off the record.`)
    })
  )
})

describe("the specification", () => {
  it("says of every operation on a meeting that it may be gone", () => {
    const document = openApiDocument("1.2.3", "https://record.example.gov")
    const ofMeeting = ["streamMeetingEvents", "recordShare", "createUserClip", "suggestUserClip"]
    const declared = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.values(item).flatMap((operation) =>
        "operationId" in operation &&
        (path.startsWith("/api/meetings/{id}") || ofMeeting.includes(operation.operationId))
          ? [[operation.operationId, "410" in operation.responses]]
          : []
      )
    )
    assert.strictEqual(declared.length, gated.length + open.length + 7)
    assert.deepStrictEqual(
      declared.filter(([, has]) => !has),
      []
    )
  })
})
