import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../../layers/db/db.ts"
import type {
  CompletionAccepted,
  CompletionRun,
  FileCandidatesRequest,
  ReassignMeetingAgencyRequest,
  UpdateSourceBodiesRequest
} from "../../../../schema/agent/completion.ts"
import { AgencyMerge } from "../../directory/agency-merge.ts"
import {
  type BodyElsewhere,
  type BodyUnsettled,
  completionRunNotFound,
  type NotFound,
  placeNotFound,
  type UnknownAgency,
  type UnlistedBody
} from "../../failures.ts"
import { Operator, recordAction } from "../../history.ts"
import { idOf } from "../../meetings/sql.ts"
import { addFlows } from "../../queue/add-flows.ts"
import { Flows } from "../../queue/flows.ts"
import { type Sent, sent } from "../../wire.ts"
import type { Agent } from "../agent-tokens.ts"
import { importDiscovered, reassign, rerunStage } from "./meeting-operations.ts"
import { underRun } from "./run.ts"
import { showRun } from "./run-view.ts"
import { fileCandidates, mapBodies, retryTask, sameBody } from "./source-operations.ts"

/** The caller of an operation, already authorized (`requireRun`), and the run. */
interface Doing {
  readonly agent: Agent
  readonly run: string
}

interface RunRow {
  readonly id: string
  readonly place: string
  readonly place_slug: string
  readonly started_by: string
  readonly created_at: Date
  readonly ended_at: Date | null
}

/** A run with the name of its place. */
export type ListedRun = Sent<RunRow>

/** Why bodies cannot be mapped. */
type Unmappable = UnknownAgency | BodyElsewhere | UnlistedBody

type Accepted<E> = Effect.Effect<CompletionAccepted, NotFound | E>

/**
 * Completion runs: the work of making one place's record whole (contract section 9). Every operation is idempotent, is
 * one transaction with its line in the audit, and reaches only objects of the run's place.
 */
export class Completion extends Context.Service<
  Completion,
  {
    /** Starts a run for a place, by slug, and crawls the place's sources; returns the open run if there is one. */
    readonly start: (place: string) => Effect.Effect<{ readonly id: string; readonly started: boolean }, NotFound>
    /** Runs with their places, open ones first, then the newest; at most 200. */
    readonly list: Effect.Effect<ReadonlyArray<ListedRun>>
    /** Ends a run and revokes its tokens. */
    readonly end: (run: string) => Effect.Effect<void, NotFound>
    readonly show: (run: string) => Effect.Effect<CompletionRun, NotFound>
    /** Puts a discovered meeting on record and adds its flow. */
    readonly importDiscovered: (doing: Doing, discovered: string) => Accepted<BodyUnsettled>
    /** Settles which body on record a discovered meeting's body is, merging another into it if needed. */
    readonly sameBody: (doing: Doing, discovered: string) => Accepted<BodyUnsettled | BodyElsewhere>
    /** Repeats a stage of a meeting, with everything after it. */
    readonly rerun: (doing: Doing, meeting: string, stage: string) => Accepted<never>
    /** Retries a failed task, with a fresh count. */
    readonly retry: (doing: Doing, task: string) => Accepted<never>
    /** Maps bodies of a source to bodies on record. */
    readonly mapBodies: (doing: Doing, source: string, request: UpdateSourceBodiesRequest) => Accepted<Unmappable>
    /** Moves a meeting to the body that held it. */
    readonly reassign: (
      doing: Doing,
      meeting: string,
      request: ReassignMeetingAgencyRequest
    ) => Accepted<UnknownAgency | BodyElsewhere>
    /** Files bodies that the run's place may have; the place is given by its id. */
    readonly fileCandidates: (doing: Doing, place: string, request: FileCandidatesRequest) => Accepted<never>
  }
>()("civic-record/Completion") {
  static readonly layer = Layer.effect(
    Completion,
    Effect.gen(function* () {
      const db = yield* Db
      const flows = yield* Flows
      const merges = yield* AgencyMerge

      const start = Effect.fn("Completion.start")(function* (place: string) {
        const by = (yield* Operator) ?? "a program"
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const [found] = yield* db<{ id: number }>`select id from place where slug = ${place} for no key update`
            if (found === undefined) return yield* placeNotFound(place)
            const [open] = yield* db<{ id: string }>`
              select id from completion_run where place_id = ${found.id} and ended_at is null`
            if (open !== undefined) return { id: open.id, started: false }
            const [run] = yield* db<{ id: string }>`
              insert into completion_run (place_id, started_by) values (${found.id}, ${by}) returning id`
            const sources = yield* db<{ id: string }>`select id from source where place_id = ${found.id} order by id`
            yield* addFlows(
              db,
              "crawl",
              sources.map(({ id }) => ({ source_id: id }))
            )
            if (run === undefined) return yield* placeNotFound(place)
            yield* recordAction(db, "run.start", run.id, { place })
            return { id: run.id, started: true }
          })
        )
      }, dbDies)

      const end = Effect.fn("Completion.end")(function* (ref: string) {
        yield* db.withTransaction(
          Effect.gen(function* () {
            const [run] = yield* db<{ ended_at: Date | null }>`
              select ended_at from completion_run where id = ${idOf(ref)} for no key update`
            if (run === undefined) return yield* completionRunNotFound(ref)
            if (run.ended_at !== null) return
            yield* db`update completion_run set ended_at = clock_timestamp() where id = ${idOf(ref)}`
            yield* recordAction(db, "run.end", ref)
            yield* db`
              update agent_token set revoked_at = clock_timestamp() where run_id = ${idOf(ref)} and revoked_at is null`
          })
        )
      }, dbDies)

      const list = db<RunRow>`
        select r.id, p.name as place, p.slug as place_slug, r.started_by, r.created_at, r.ended_at
        from completion_run r join place p on p.id = r.place_id
        order by r.ended_at is not null, r.created_at desc, r.id limit 200`.pipe(
        Effect.map((rows) => rows.map(sent)),
        dbDies,
        Effect.withSpan("Completion.list")
      )

      return {
        start,
        list,
        end,
        show: Effect.fn("Completion.show")((run: string) => showRun(db, run), dbDies),
        importDiscovered: Effect.fn("Completion.importDiscovered")(
          (doing, subject) =>
            underRun(db, { ...doing, operation: "import", subject }, () => importDiscovered(db, subject)),
          dbDies
        ),
        sameBody: Effect.fn("Completion.sameBody")(
          (doing, subject) =>
            underRun(db, { ...doing, operation: "same-body", subject }, (run) => sameBody(db, merges, run, subject)),
          dbDies
        ),
        rerun: Effect.fn("Completion.rerun")(
          (doing, meeting, stage) =>
            underRun(db, { ...doing, operation: "rerun", subject: meeting, stage }, () =>
              rerunStage(db, flows, { meeting, stage })
            ),
          dbDies
        ),
        retry: Effect.fn("Completion.retry")(
          (doing, subject) =>
            underRun(db, { ...doing, operation: "retry", subject }, () => retryTask(db, flows, subject)),
          dbDies
        ),
        mapBodies: Effect.fn("Completion.mapBodies")(
          (doing, subject, request) =>
            underRun(db, { ...doing, operation: "bodies", subject }, (run) => mapBodies(db, run, subject, request)),
          dbDies
        ),
        reassign: Effect.fn("Completion.reassign")(
          (doing, subject, { agency_slug }) =>
            underRun(db, { ...doing, operation: "reassign", subject: subject.toLowerCase() }, (run) =>
              reassign(db, flows, run, { meeting: subject, agency: agency_slug })
            ),
          dbDies
        ),
        fileCandidates: Effect.fn("Completion.fileCandidates")(
          (doing, subject, request) =>
            underRun(db, { ...doing, operation: "candidates", subject }, (run) =>
              fileCandidates(db, run, doing.agent, request)
            ),
          dbDies
        )
      }
    })
  )
}
