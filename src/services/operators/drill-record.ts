import { Context, DateTime, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type Email, emailKey } from "../../../schema/email.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { segmentsFrom } from "../meetings/packed-segments.ts"

/** The state of one task of a drill. */
export interface DrilledTask {
  readonly stage: string
  readonly state: "blocked" | "waiting" | "running" | "done" | "failed" | "cancelled"
  /** Why it failed or is waiting, in a sentence of the pipeline's own. */
  readonly failure: string | null
  /** Why it had nothing to do, in a sentence of the pipeline's own. */
  readonly skipped: string | null
  /** Why it was done without its model. */
  readonly without: string | null
  /** 0 to 1. */
  readonly progress: number
  /** Seconds until a waiting task is due. */
  readonly due_in: number
}

/** The made-up meeting as the drill's own record has it. */
export interface DrilledMeeting {
  readonly id: MeetingId
  readonly title: string
  readonly body: string
  readonly date: string
  readonly starts_at: Date | null
  readonly status: "cancelled" | "held" | "upcoming"
}

/** A file made by a stage. `duration` is that of a recording, in seconds. */
export interface DrilledFile {
  readonly role: "source" | "rendition" | "poster" | "agenda" | "figure" | "clip"
  readonly key: string
  readonly duration: number | null
}

/** The record of one drill, in a database of its own that holds nothing else. */
export class DrillRecord extends Context.Service<
  DrillRecord,
  {
    /** Writes the deployment's settings, and one account that gets an e-mail for each recap of a place. */
    readonly prepare: (
      settings: ReadonlyArray<{ readonly name: string; readonly value: unknown }>,
      follower: { readonly email: Email; readonly place: string }
    ) => Effect.Effect<void>
    readonly tasks: Effect.Effect<ReadonlyArray<DrilledTask>>
    /** The meetings on record; just one if the drill works. */
    readonly meetings: Effect.Effect<ReadonlyArray<DrilledMeeting>>
    readonly files: Effect.Effect<ReadonlyArray<DrilledFile>>
    /** The full text of the transcripts that readers see. */
    readonly shown: Effect.Effect<ReadonlyArray<{ readonly version: "raw" | "refined"; readonly text: string }>>
    /** The judges of the briefing's claims, with versions: code, and the model if any verdict of it counts. */
    readonly checkedBy: Effect.Effect<string | undefined>
    /** Clips in the order of the recording, with their spans in seconds. */
    readonly clips: Effect.Effect<
      ReadonlyArray<{ readonly title: string; readonly start: number; readonly end: number }>
    >
  }
>()("civic-record/DrillRecord") {
  static readonly layer = Layer.effect(
    DrillRecord,
    Effect.gen(function* () {
      const db = yield* Db

      const prepare = Effect.fn("DrillRecord.prepare")(
        function* (
          settings: ReadonlyArray<{ readonly name: string; readonly value: unknown }>,
          { email, place }: { readonly email: Email; readonly place: string }
        ) {
          const now = DateTime.formatIso(yield* DateTime.now)
          yield* db`
            insert into setting (name, value, updated_at)
            select name, value, ${now} from jsonb_to_recordset(${JSON.stringify(settings)}::jsonb)
              as kept (name text, value jsonb)`
          const [account] = yield* db<{ id: string }>`
            insert into account (email, email_key, created_at) values (${email}, ${emailKey(email)}, ${now})
            returning id`
          yield* db`insert into email_pref (account_id, recaps) values (${account?.id ?? null}, 'each')`
          yield* db`
            insert into followed_place (account_id, place_id) select ${account?.id ?? null}, id
            from place where slug = ${place}`
        },
        (prepared) => dbDies(db.withTransaction(prepared))
      )

      const tasks = db<DrilledTask>`
        select t.stage, t.state, t.failure, t.progress::float8 as progress,
          greatest(0, extract(epoch from t.due_at - now()))::float8 as due_in,
          (select e.detail from task_event e where e.task_id = t.id and e.kind = 'skipped'
            order by e.id desc limit 1) as skipped, t.without_model as without
        from task t order by t.id limit 100`.pipe(dbDies, Effect.withTracerEnabled(false))

      const meetings = db<DrilledMeeting>`
        select m.id, m.title, b.name as body, m.date::text as date, m.starts_at, m.status
        from meeting m join body b on b.id = m.body_id order by m.id limit 10`.pipe(dbDies)

      const files = db<DrilledFile>`
        select role, key, duration::float8 as duration from media order by key limit 100`.pipe(dbDies)

      const shown = db<{ version: "raw" | "refined"; segments: Uint8Array }>`
        select version, segments from published_transcript order by version limit 10`.pipe(
        Effect.flatMap((rows) =>
          Effect.forEach(rows, ({ version, segments }) =>
            Effect.map(segmentsFrom(segments), (said) => ({ version, text: JSON.stringify(said) }))
          )
        ),
        dbDies
      )

      const clips = db<{ title: string; start: number; end: number }>`
        select title, start::float8 as start, "end"::float8 as "end" from clip order by start limit 100`.pipe(dbDies)

      const checkedBy = db<{ checked_by: string | null }>`select checked_by from claims limit 1`.pipe(
        Effect.map(([row]) => row?.checked_by ?? undefined),
        dbDies
      )

      return { prepare, tasks, meetings, files, shown, checkedBy, clips }
    })
  )
}
