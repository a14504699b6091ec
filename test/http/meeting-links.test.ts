import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BrowsePage } from "../../schema/browse.ts"
import type { Meeting } from "../../schema/meeting.ts"
import { Feed } from "../../src/services/feed/feed.ts"
import { posterKey } from "../../src/services/meetings/media-tier.ts"
import { type Credentials, grantTo, nobody, reader, readyClip, shareToken } from "../support/actors.ts"
import { begin } from "../support/asked.ts"
import { agendaItemId, clipId, meeting, meetingId, putOnRecord } from "../support/builders.ts"
import { call, requestOf } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { TestService } from "../support/service.ts"

const id = meetingId("full")
const record = Effect.gen(function* () {
  yield* fullRecord
  // It is published, but not rendered yet.
  const clip = { id: clipId("two"), title: "Two", start: 20, end: 30 }
  yield* putOnRecord({ type: "clip", meeting_id: id, state: "published", ...clip })
  const db = yield* Db
  yield* db`update meeting set duration = 490 where id = ${id}`
})

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "a meeting",
  (it) => {
    const open = (who: Credentials) =>
      Effect.map(call("GET", `/api/meetings/${id}`, who), (answer) => answer.json() as unknown as Meeting)

    it.effect("links to everything that its caller can fetch, and to nothing else", () =>
      Effect.gen(function* () {
        const { accountId, credentials } = yield* reader()
        const bare = (yield* open(nobody)).links
        assert.deepStrictEqual(Object.keys(bare), ["self", "page", "body", "documents", "agenda_summary", "clips"])
        yield* readyClip(accountId, id)
        const open_ = [...Object.keys(bare), "community_clips"]
        const gated = ["transcript", "newsletter", "claims", "recap", "graphics", "video", "agenda", "events"]
        for (const [who, names] of [
          [nobody, open_],
          [shareToken(yield* grantTo(id)), [...open_, ...gated]],
          [credentials, [...open_, ...gated, "share", "user_clips"]]
        ] as const) {
          const { page: _, ...links } = (yield* open(who)).links
          assert.deepStrictEqual(Object.keys(links).toSorted(), names.filter((name) => name !== "page").toSorted())
          for (const path of Object.values(links)) {
            const { url, init } = yield* requestOf("GET", path, who)
            assert.strictEqual((yield* begin(url, init)).status, 200, path)
          }
        }
      })
    )

    it.effect("has an agenda also if its items came without a file, which it does not link to then", () =>
      Effect.gen(function* () {
        const items = [{ id: agendaItemId("alone"), title: "A permit" }]
        yield* putOnRecord(meeting("items alone", "springfield-council", { agenda_items: items }))
        const { credentials } = yield* reader()
        const response = yield* call("GET", `/api/meetings/${meetingId("items alone")}`, credentials)
        const { has, links } = response.json() as unknown as Meeting
        assert.deepInclude(has, { agenda: true, claims: false, recap: false })
        assert.notProperty(links, "agenda")
        assert.deepInclude((yield* open(nobody)).has, { agenda: true, claims: true, recap: true })
      })
    )

    it.effect("has an absolute address in the stream's events as well", () =>
      Effect.gen(function* () {
        const heard = yield* Feed.use((feed) =>
          feed.subscribe({ channel: "meetings" }, Option.some(0)).pipe(
            Stream.filter(({ data }) => data.includes("poster_url")),
            Stream.runHead
          )
        )
        const { poster_url } = JSON.parse(Option.getOrThrow(heard).data)
        assert.strictEqual(poster_url, `http://record.example.gov/api/media/${posterKey(id)}`)
      })
    )

    it.effect("counts the clips that can be watched", () =>
      Effect.gen(function* () {
        const teaser = yield* open(nobody)
        const { clips } = (yield* call("GET", `/api/meetings/${id}/clips`)).json() as { clips: ReadonlyArray<unknown> }
        assert.lengthOf(clips, 1)
        assert.strictEqual(teaser.has.clips, 1)
        assert.deepStrictEqual(
          teaser.clips.map(({ title }) => title),
          ["One"]
        )
      })
    )

    it.effect("has one length, and absolute addresses", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const poster = `http://record.example.gov/api/media/${posterKey(id)}`
        const full = yield* open(credentials)
        const video = (yield* call("GET", `/api/meetings/${id}/video`, credentials)).json()
        const page = (yield* call("GET", "/api/meetings/browse?has=video")).json() as unknown as BrowsePage
        assert.deepInclude(full, {
          duration: 500,
          poster_url: poster,
          recording: { duration: 500, width: 1280, height: 720 }
        })
        assert.include(page.meetings[0], { duration: 500, poster_url: poster })
        assert.include(video, { duration: 500, poster_url: poster })
        yield* Effect.flatMap(Db, (db) => db`update media set duration = null, width = null where role = 'rendition'`)
        assert.deepInclude(yield* open(credentials), {
          duration: 490,
          recording: { duration: 490, width: 1280, height: 720 }
        })
      })
    )
  }
)
