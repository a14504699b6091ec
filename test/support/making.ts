import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Layer, Logger } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import type { Word } from "../../schema/transcript.ts"
import { handlers, PipelineServices } from "../../src/pipeline/pipeline.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { RemovedMedia } from "../../src/services/clips/removed-media.ts"
import { ClaimChecks } from "../../src/services/making/claim-checks.ts"
import { agendaKey, posterKey, renditionKey, sourceKey } from "../../src/services/meetings/media-tier.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { PipelineLog } from "../../src/services/queue/pipeline-log.ts"
import { laneNames, type Stage } from "../../src/services/queue/stages.ts"
import type { ClaimedTask } from "../../src/services/queue/tasks.ts"
import { putMedia } from "./builders.ts"
import { TestDb } from "./database.ts"
import { pdfOf } from "./pdf.ts"
import { eventually, scratch, TestRenderer } from "./rendering.ts"
import { smallRecording } from "./small-recording.ts"

/** Everything that the making stages need, with the models named in the environment. */
export const makingWith = (env: Readonly<Record<string, string>>) =>
  PipelineServices.pipe(
    Layer.provideMerge(PipelineLog.layer),
    Layer.provideMerge(RemovedMedia.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        TestRenderer,
        Layer.unwrap(Effect.map(scratch, (folder) => ObjectStore.layerFolder(folder))),
        Layer.effect(
          Environment,
          Effect.flatMap(scratch, (folder) => readEnvironment({ DATA_DIR: folder, ...env }))
        )
      )
    ),
    Layer.provideMerge(TestDb),
    Layer.provide(Logger.layer([]))
  )

/** A stage of another part of the pipeline, with nothing to do here. */
const elsewhere = { work: () => Effect.succeed(Effect.void) }

/** A check that supports every claim. */
export const trusting = Effect.map(ClaimChecks, (checks) => ({
  work: ({ meetingId }: ClaimedTask) =>
    Effect.succeed(
      Effect.gen(function* () {
        const briefing = meetingId === null ? undefined : yield* checks.wanted(meetingId)
        const supported = { verdict: "supported", evidence: [] } as const
        if (briefing === undefined) return
        yield* checks.keep(
          briefing,
          briefing.claims.map((claim) => ({ ...claim, ...supported })),
          "trust"
        )
      })
    )
}))

/**
 * A worker that runs the making stages; the stages before them have nothing to do, and the check supports every claim.
 */
const makingWorker = Effect.gen(function* () {
  const all = { ...(yield* handlers), fetch: elsewhere, verify: yield* trusting }
  return yield* runWorker(all, { jobs: 3, lanes: new Map(laneNames.map((lane) => [lane, 3])) })
})

/**
 * The outcome of each task of a meeting's flow: its state, and why it was skipped, done without a model, failed or
 * waits.
 */
const outcomes = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db<{ stage: string; outcome: string }>`
    select t.stage, coalesce(
      (select e.detail from task_event e where e.task_id = t.id and e.kind in ('skipped', 'without_model')
        and t.state = 'done' and e.id > (select max(id) from task_event where task_id = t.id and kind = 'started')
      order by e.id desc limit 1),
      t.state || coalesce(': ' || t.failure, '')) as outcome
    from task t join flow f on f.id = t.flow_id where f.kind = 'meeting' order by t.id`
  return Object.fromEntries(rows.map(({ stage, outcome }) => [stage, outcome]))
})

/** Has one worker run until no flow of a meeting can: all is done or failed, or waits for another day. */
export const makeWhatIsPlanned = Effect.gen(function* () {
  const db = yield* Db
  yield* Effect.forkScoped(makingWorker)
  const busy = db`
      select from task t join flow f on f.id = t.flow_id where f.kind = 'meeting' and f.state = 'open'
        -- In the last hour of a day, midnight is as near as another try.
        and (t.state = 'running'
          or t.state = 'waiting' and t.due_at < now() + interval '1 hour'
            and (t.due_at <= now() or coalesce(t.failure, '') not like '%after midnight UTC.')
          or t.state = 'blocked' and not exists (
            select from task other where other.flow_id = f.id and other.state = 'waiting'))`
  yield* eventually(Effect.map(busy, (rows) => (rows.length === 0 ? true : undefined)))
  return yield* outcomes
}).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

/** Plans the making of a meeting, from a stage on, and has one worker make it. */
export const makeMeeting = Effect.fnUntraced(function* (meeting: MeetingId, from: Stage = "fetch") {
  const db = yield* Db
  yield* db.withTransaction(addFlows(db, "meeting", [{ meeting_id: meeting }], from))
  return yield* makeWhatIsPlanned
})

/** Gives a model one try. */
export const noPatience = { away: [], unusable: [], atMost: 3600 }

/** Gives a meeting a made-up recording of this many seconds: the source, and the renditions of it. */
export const putSource = Effect.fnUntraced(function* (meeting: MeetingId, seconds: number) {
  const file = path.join(yield* scratch, "source.mp4")
  fs.writeFileSync(file, yield* smallRecording(seconds))
  const { duration } = yield* Renderer.use((renderer) => renderer.probe(file))
  const key = sourceKey(meeting, "mp4")
  yield* ObjectStore.use((store) => store.put(key, file, "video/mp4"))
  yield* putMedia(
    { key, role: "source", duration },
    { key: renditionKey(meeting), role: "rendition", duration, width: 1280, height: 720 },
    { key: posterKey(meeting), role: "poster", media_type: "image/jpeg", width: 1280, height: 720 }
  )
}, Effect.scoped)

/** Gives a meeting an agenda as a PDF with these lines. */
export const putAgenda = Effect.fnUntraced(function* (meeting: MeetingId, lines: ReadonlyArray<string>) {
  const file = path.join(yield* scratch, "agenda.pdf")
  fs.writeFileSync(file, yield* Effect.promise(() => pdfOf(lines)))
  yield* ObjectStore.use((store) => store.put(agendaKey(meeting), file, "application/pdf"))
  yield* putMedia({ key: agendaKey(meeting), role: "agenda", media_type: "application/pdf" })
}, Effect.scoped)

/** Words spoken consecutively at even intervals. */
export const spokenEvenly = (text: string, each = 0.5, from = 0): ReadonlyArray<Word> =>
  text.split(/\s+/).map((word, at) => ({ start: from + at * each, end: from + at * each + each * 0.8, text: word }))
