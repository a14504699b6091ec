import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { layer as telemetry } from "../../layers/telemetry/telemetry.ts"
import { runPipeline } from "../../src/pipeline/pipeline.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { reader } from "../support/actors.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { receiver, spansIn } from "../support/collector.ts"
import { putRecording } from "../support/put-recording.ts"
import { TestRenderer } from "../support/rendering.ts"
import { serviceOf, TestSetup } from "../support/service.ts"

const id = meetingId("recorded")

/** A reader cuts a clip, and a worker renders it. */
const cutAndRender = Effect.gen(function* () {
  yield* putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    meeting("recorded", "council"),
    transcript("recorded", said(["Motion one.", "Motion two."]))
  )
  yield* putRecording(id, 12)
  const { credentials } = yield* reader()
  yield* Effect.forkScoped(runPipeline({ jobs: 1, lanes: new Map([["media", 1]]) }))
  const { status } = yield* call("POST", "/api/user-clips", credentials, { meeting_id: id, start: 1, end: 3 })
  assert.strictEqual(status, 201)
  yield* call("GET", "/api/user-clips", credentials).pipe(
    Effect.repeat({ until: ({ text }) => !text.includes('"rendering"'), schedule: Schedule.spaced("100 millis") }),
    Effect.map(({ text }) => assert.include(text, '"ready"'))
  )
}).pipe(Effect.scoped)

describe("a trace", () => {
  it.live("leads from the request for a clip to the ffmpeg that renders it", () =>
    Effect.gen(function* () {
      const { url, resources } = yield* receiver
      yield* Effect.provide(
        cutAndRender,
        Layer.provideMerge(serviceOf(TestSetup, fakeIdentity), TestRenderer).pipe(
          Layer.provideMerge(telemetry({ endpoint: url, format: "json", build: "1.2.3" }))
        )
      )
      // Everything has been sent once the layer is closed.
      const spans = spansIn(resources)
      const request = spans.find(({ name }) => name === "POST /api/user-clips")
      const task = spans.find(({ name }) => name === "Task.clip")
      assert.isDefined(request)
      assert.isTrue(task?.links?.some(({ traceId }) => traceId === request?.traceId))
      const added = spans.find(({ spanId }) => spanId === task?.links?.[0]?.spanId)
      assert.strictEqual(added?.traceId, request?.traceId)
      const ffmpeg = spans.find(({ name }) => name === "Renderer.clip")
      assert.strictEqual(ffmpeg?.traceId, task?.traceId)
      const byId = new Map(spans.map((span) => [span.spanId, span]))
      const above: Array<string> = []
      for (let at = ffmpeg; at !== undefined; at = byId.get(at.parentSpanId ?? "")) above.push(at.name)
      assert.strictEqual(above.at(-1), "Task.clip")
    })
  )
})
