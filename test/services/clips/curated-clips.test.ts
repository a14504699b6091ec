import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { explain } from "../../../src/failures/failures.ts"
import { CuratedClips, waitsFor } from "../../../src/services/clips/curated-clips.ts"
import { ask } from "../../support/asked.ts"
import { clipId, meetingId, putOnRecord } from "../../support/builders.ts"
import { fullRecord } from "../../support/full-record.ts"
import { putRecording } from "../../support/put-recording.ts"
import { eventually, TestRenderer, TestWorker } from "../../support/rendering.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const id = meetingId("full")

const signedIds = Effect.gen(function* () {
  const answer = yield* ask(`${yield* serviceAddress}/api/meetings/${id}/clips`)
  return (answer.json().clips as ReadonlyArray<{ id: string }>).map((clip) => clip.id)
})

const found = Effect.gen(function* () {
  const answer = yield* ask(`${yield* serviceAddress}/api/meetings/browse?q=quarry`)
  return answer.json().total
})

layer(
  TestWorker.pipe(
    Layer.provideMerge(Layer.effectDiscard(Effect.andThen(fullRecord, putRecording(id, 12)))),
    Layer.provideMerge(CuratedClips.layer),
    Layer.provideMerge(TestService),
    Layer.provideMerge(TestRenderer)
  ),
  { excludeTestServices: true }
)("highlight clips", (it) => {
  it.effect("are rendered when they are published, found by their titles, and gone when they are dismissed", () =>
    Effect.gen(function* () {
      const clips = yield* CuratedClips
      const db = yield* Db
      const proposed = clipId("proposed")
      const [newest] = yield* db<{ id: number }>`select max(id)::int as id from feed_event`
      yield* putOnRecord({
        type: "clip",
        meeting_id: id,
        id: proposed,
        title: "The quarry permit",
        start: 2,
        end: 4,
        state: "proposal"
      })
      assert.notInclude(yield* signedIds, proposed)
      assert.strictEqual(yield* found, 0)
      assert.deepStrictEqual(yield* clips.publish(proposed.toUpperCase()), {
        title: "The quarry permit",
        was: "proposal",
        media: "queued"
      })
      yield* eventually(Effect.map(signedIds, (ids) => ids.includes(proposed) || undefined))
      assert.strictEqual(yield* found, 1)
      const events = yield* db<{
        event: string
      }>`select event from feed_event
        where id > ${newest?.id ?? 0} and coalesce(data ->> 'clip_id', ${proposed}) = ${proposed} order by id`
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        // Put on record as a proposal, published, and rendered.
        ["meeting.updated", "meeting.updated", "meeting.updated", "clip.published"]
      )
      const answer = yield* ask(`${yield* serviceAddress}/api/meetings/${id}/clips`)
      const [clip] = (answer.json().clips as ReadonlyArray<{ id: string; url: string }>).filter(
        (one) => one.id === proposed
      )
      const { pathname, search } = new URL(clip?.url ?? "")
      const watched = yield* ask(`${yield* serviceAddress}${pathname}${search}`)
      assert.strictEqual(watched.headers.get("content-type"), "video/mp4")

      assert.include(yield* clips.publish(proposed), { was: "published", media: "ready" })
      assert.include(yield* clips.dismiss(proposed), { was: "published" })
      assert.notInclude(yield* signedIds, proposed)
      assert.strictEqual(yield* found, 0)
      // The clip stays as it was rendered.
      assert.include(yield* clips.publish(proposed), { was: "dismissed", media: "ready" })
      assert.include(yield* signedIds, proposed)
      const told = yield* db<{ event: string }>`
        select event from feed_event where event = 'clip.published' and data ->> 'clip_id' = ${proposed}`
      assert.strictEqual(told.length, 2, "published twice")
      for (const ref of [meetingId("full"), "proposed", "'"]) {
        const missing = yield* Effect.flip(clips.dismiss(ref))
        assert.include(explain(missing), ref)
      }
    })
  )

  it.effect(
    "are announced once, when they can be watched: not by the import, and not before there is a recording",
    () =>
      Effect.gen(function* () {
        const clips = yield* CuratedClips
        const db = yield* Db
        const bare = meetingId("bare")
        const line = { type: "clip", meeting_id: bare, id: clipId("early"), title: "Early", start: 1, end: 2 } as const
        const told = db<{ data: unknown }>`
        select data from feed_event where event = 'clip.published' and data ->> 'clip_id' = ${line.id}`
        yield* putOnRecord({ ...line, state: "published" })
        const decided = yield* clips.publish(line.id)
        assert.include(decided, { was: "published", media: "no recording" })
        assert.include(waitsFor(decided), "no recording here")
        assert.strictEqual((yield* told).length, 0)
        yield* putRecording(bare, 4)
        assert.include(yield* clips.publish(line.id), { media: "queued" })
        yield* eventually(Effect.map(told, (events) => events.length > 0 || undefined))
        yield* putOnRecord({ ...line, title: "Early on", state: "published" })
        assert.strictEqual((yield* told).length, 1)
      })
  )
})
