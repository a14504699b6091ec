import * as fs from "node:fs"
import * as path from "node:path"
import { Cause, Clock, Effect, Exit, Layer, Option, Queue, Ref, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { Environment } from "../../layers/config.ts"
import { ReadDb } from "../../layers/db.ts"
import { type ObjectNotFound, ObjectStore, type ObjectStoreError } from "../../layers/object-store.ts"
import { Renderer, type RendererError } from "../../layers/renderer.ts"
import { clipCaptions } from "../services/clips/clip-captions.ts"
import { RemovedMedia } from "../services/clips/removed-media.ts"
import { leaseSeconds, type RenderJob, RenderQueue } from "../services/clips/render-queue.ts"
import { clipKey, renditionKey, userClipCaptionsKey, userClipKey } from "../services/meetings/media-tier.ts"
import { spokenIn } from "../services/meetings/spoken.ts"

/** A clip is tried so often before it has failed for good; a worker that is killed at it has tried it. */
const mostAttempts = 3
/** Seconds until the next try: twice as many after each. */
const pauseSeconds = 5
/** A worker is notified of a new clip immediately; this is for notifications that were lost. */
const pollEvery = "2 seconds"
const beatEvery = `${Math.floor(leaseSeconds / 4)} seconds` as const
const sweepEvery = "30 seconds"
/** What processes that were killed have left behind is cleared away when it is so old, in milliseconds. */
const leftoverAge = 3600 * 1000

type Failure = RendererError | ObjectStoreError | ObjectNotFound | SqlError.SqlError

/** Why a clip cannot be had, as its owner may read it. Undefined where another try may do. */
const finalReason = (failure: Failure): string | undefined => {
  if (failure._tag === "ObjectNotFound") return "The meeting's recording is not there any more."
  if (failure._tag !== "RendererError" || failure.reason !== "input_unreadable") return undefined
  return "The meeting's recording cannot be read."
}

const lastReason = (failure: Failure | undefined): string => {
  if (failure?._tag === "RendererError" && failure.reason === "timed_out") return "It took too long to render."
  return failure === undefined ? "Its rendering was broken off again and again." : "It could not be rendered."
}

/** Takes away what is left in a folder by processes that were killed. */
const clearFolder = (folder: string, isStale: (name: string, age: number) => boolean) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.promise(async () => {
      for (const name of await fs.promises.readdir(folder).catch(() => [])) {
        const stat = await fs.promises.stat(path.join(folder, name)).catch(() => undefined)
        if (stat !== undefined && isStale(name, now - stat.mtimeMs)) {
          await fs.promises.rm(path.join(folder, name), { recursive: true, force: true })
        }
      }
    })
  )

const make = Effect.gen(function* () {
  const queue = yield* RenderQueue
  const renderer = yield* Renderer
  const store = yield* ObjectStore
  const removed = yield* RemovedMedia
  const db = yield* ReadDb
  const { dataDir } = yield* Environment
  const scratch = path.join(dataDir, "rendering")

  /** Renders a clip and puts it in its place. What is half made is in a folder of its own, gone with the scope. */
  const render = Effect.fn("ClipWorker.render")(function* (job: RenderJob, progress: Ref.Ref<number>) {
    const { meetingId, span } = job
    yield* clearFolder(scratch, (name) => name.startsWith(job.id))
    const folder = path.join(scratch, `${job.id}-${job.holder}`)
    yield* Effect.acquireRelease(
      Effect.promise(() => fs.promises.mkdir(folder, { recursive: true })),
      () => Effect.promise(() => fs.promises.rm(folder, { recursive: true, force: true }))
    )
    const spoken = yield* spokenIn(db, meetingId, span)
    const vtt = spoken === undefined ? undefined : clipCaptions(spoken.segments, span)
    const captions = spoken === undefined || vtt === undefined ? undefined : { vtt, language: spoken.language }
    const rendition = yield* store.file(renditionKey(meetingId), folder)
    const target = path.join(folder, "clip.mp4")
    const made = yield* renderer.clip(rendition, span, target, {
      captions,
      onProgress: (share) => Ref.set(progress, share)
    })
    const { size } = yield* Effect.promise(() => fs.promises.stat(target))
    const put = Effect.gen(function* () {
      if (job.kind === "user_clip" && captions !== undefined) {
        const words = path.join(folder, "clip.vtt")
        yield* Effect.promise(() => fs.promises.writeFile(words, captions.vtt))
        yield* store.put(userClipCaptionsKey(job.clipId), words, "text/vtt; charset=utf-8")
      }
      const key = job.kind === "user_clip" ? userClipKey(job.clipId) : clipKey(meetingId, job.clipId)
      yield* store.put(key, target, "video/mp4")
    })
    yield* queue.finish(job, { bytes: size, ...made }, put)
  }, Effect.scoped)

  /** Ends when the claim is lost: its clip was deleted, or it could not be drawn out in time. */
  const lost = Effect.fnUntraced(function* (job: RenderJob, progress: Ref.Ref<number>) {
    let heardAt = yield* Clock.currentTimeMillis
    while (true) {
      yield* Effect.sleep(beatEvery)
      const share = yield* Ref.get(progress)
      const isHeld = yield* Effect.option(queue.beat(job, share))
      const now = yield* Clock.currentTimeMillis
      if (Option.isSome(isHeld)) {
        if (!isHeld.value) return
        heardAt = now
      } else if (now - heardAt > leaseSeconds * 1000) return
    }
  })

  const settleFailure = Effect.fnUntraced(function* (job: RenderJob, cause: Cause.Cause<Failure>) {
    // The process stops: the next worker begins immediately, and the attempt is not counted.
    if (Cause.hasInterruptsOnly(cause)) return yield* queue.giveBack(job)
    const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
    const reason =
      (failure === undefined ? undefined : finalReason(failure)) ??
      (job.attempts >= mostAttempts ? lastReason(failure) : undefined)
    yield* Effect.logWarning(reason === undefined ? "A clip will be tried again" : "A clip could not be rendered").pipe(
      Effect.annotateLogs({
        clip: job.clipId,
        attempt: job.attempts,
        why: failure === undefined ? Cause.pretty(cause) : `${failure._tag}: ${failure.message}`
      })
    )
    yield* reason === undefined ? queue.retry(job, pauseSeconds * 2 ** (job.attempts - 1)) : queue.fail(job, reason)
  })

  const work = Effect.fnUntraced(function* (job: RenderJob) {
    if (job.attempts > mostAttempts) return yield* queue.fail(job, lastReason(undefined))
    const progress = yield* Ref.make(0)
    yield* Effect.uninterruptibleMask((restore) =>
      restore(Effect.raceFirst(render(job, progress), lost(job, progress))).pipe(
        Effect.exit,
        Effect.flatMap((exit) => (Exit.isSuccess(exit) ? Effect.void : settleFailure(job, exit.cause)))
      )
    )
  })

  /** Goes on whatever happens: a database that is away comes back. */
  const again = <A, R>(effect: Effect.Effect<A, Failure, R>) =>
    effect.pipe(
      Effect.tapCause((cause) => Effect.logWarning("The worker cannot go on yet", Cause.squash(cause))),
      Effect.retry(Schedule.jittered(Schedule.spaced("5 seconds"))),
      Effect.orDie
    )

  return Effect.fnUntraced(function* (jobs: number) {
    yield* clearFolder(scratch, (_, age) => age > leftoverAge)
    const wakeups = yield* Queue.sliding<void>(jobs)
    const hearing = Effect.gen(function* () {
      const word = yield* queue.listen
      while (true) {
        yield* word
        for (let at = 0; at < jobs; at++) yield* Queue.offer(wakeups, undefined)
      }
    }).pipe(Effect.scoped, Effect.ignore, Effect.andThen(Effect.sleep("1 second")), Effect.forever)
    const working = Effect.gen(function* () {
      const job = yield* queue.claim
      yield* job === undefined ? Effect.timeoutOption(Queue.take(wakeups), pollEvery) : work(job)
    }).pipe(again, Effect.forever)
    yield* Effect.all(
      [
        hearing,
        Effect.forever(Effect.andThen(removed.sweep, Effect.sleep(sweepEvery))),
        ...Array.from({ length: jobs }, () => working)
      ],
      { concurrency: "unbounded", discard: true }
    )
  })
})

/**
 * Renders clips from the queue, so many at a time, for as long as it runs. Interrupted it gives back what it was at, with
 * ffmpeg stopped and nothing half made left; killed, its claims lapse after `leaseSeconds`.
 */
export const workOnClips = (jobs: number) => Effect.flatMap(make, (run) => run(jobs))

/** One clip at a time, beside whatever else the process does. */
export const ClipWorkerLive = Layer.effectDiscard(Effect.forkScoped(workOnClips(1)))
