import { Context, DateTime, Effect, Layer } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import type { RatePolicy } from "../../../layers/rate-limits.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { MistakeReport, ReportMistakeRequest } from "../../../schema/mistake-report.ts"
import { type AccountId, type MeetingId, roundSeconds } from "../../../schema/primitives.ts"
import { mistakeReportNotFound, type NotFound, type Removed } from "../failures.ts"
import { recordAction } from "../history.ts"
import { cardsOf } from "../meetings/cards.ts"
import { Meetings } from "../meetings/meetings.ts"
import { idOf } from "../meetings/sql.ts"
import { given } from "../wire.ts"
import { Allowances, type TooOften } from "./allowance.ts"

/** More than anybody who listens to meetings finds in a day. */
const reported = { name: "mistake-reports", limit: 20, windowSeconds: 86_400 } as const satisfies RatePolicy

/** The most open reports that operators are shown at a time; the oldest come first. */
const mostShown = 100

/** How a report ends: the record was corrected, or it was right. */
export type Settlement = "corrected" | "no_fault"

interface ReportRow {
  readonly id: string
  readonly meeting_id: MeetingId
  readonly said: string
  readonly wording: string | null
  readonly quote: string | null
  readonly start: number | null
  readonly state: "open" | Settlement
  readonly created_at: Date
}

const columns = (db: Sql) => db.literal("id, meeting_id, said, wording, quote, start::float8, state, created_at")

const reportOf = ({ id, meeting_id, said, wording, quote, start, state, created_at }: ReportRow): MistakeReport => ({
  id,
  meeting_id,
  said,
  ...given("wording", wording),
  ...given("quote", quote),
  ...given("start", start),
  state,
  created_at: created_at.toISOString()
})

/** The reports of an account, oldest first. */
export const reportsOf = Effect.fnUntraced(function* (db: Sql, account: AccountId) {
  const rows = yield* db<ReportRow>`
    select ${columns(db)} from mistake_report where account_id = ${account} order by created_at, id`
  return rows.map(reportOf)
})

/** An open report with its meeting. `url` is the public page, at the second that the report is about. */
export interface OpenReport extends MistakeReport {
  readonly meeting: MeetingCard
  readonly url: string
  /** The address of the reader who sent it; for operators alone. */
  readonly email: string
}

/** The open reports, oldest first. */
export const openReports = Effect.fnUntraced(function* (db: Sql, baseUrl: string) {
  const rows = yield* db<ReportRow & { email: string }>`
    select r.*, a.email from (
      select ${columns(db)}, account_id from mistake_report where state = 'open'
      order by created_at, id limit ${mostShown}) r
    join account a on a.id = r.account_id order by r.created_at, r.id`
  const cards = yield* cardsOf(db, [...new Set(rows.map(({ meeting_id }) => meeting_id))], baseUrl)
  const meetings = new Map(cards.map((card) => [card.id, card]))
  return rows.flatMap((row): ReadonlyArray<OpenReport> => {
    const meeting = meetings.get(row.meeting_id)
    if (meeting === undefined) return []
    const second = row.start === null ? "" : `?t=${Math.floor(row.start)}`
    return [{ ...reportOf(row), meeting, url: `${baseUrl}${meeting.path}${second}`, email: row.email }]
  })
})

/**
 * Mistakes that readers report where they see them, and that operators settle. A report is deleted with its account,
 * and once it has been settled for a while (`Retention`).
 */
export class MistakeReports extends Context.Service<
  MistakeReports,
  {
    readonly report: (
      request: ReportMistakeRequest,
      account: AccountId
    ) => Effect.Effect<MistakeReport, NotFound | Removed | TooOften>
    /** The open reports, oldest first: at most 100. */
    readonly open: Effect.Effect<ReadonlyArray<OpenReport>>
    /** Settles an open report, and writes it into the history of operators. */
    readonly settle: (id: string, as: Settlement) => Effect.Effect<void, NotFound>
  }
>()("civic-record/MistakeReports") {
  static readonly layer = Layer.effect(
    MistakeReports,
    Effect.gen(function* () {
      const db = yield* Db
      const meetings = yield* Meetings
      const allowances = yield* Allowances
      const { baseUrl } = yield* Environment

      const report = Effect.fn("MistakeReports.report")(function* (
        { meeting_id, said, wording, quote, start }: ReportMistakeRequest,
        account: AccountId
      ) {
        const meetingId = yield* meetings.resolve(meeting_id)
        yield* allowances.spend([reported, account])
        const now = DateTime.formatIso(yield* DateTime.now)
        const rows = yield* db<ReportRow>`
          insert into mistake_report (account_id, meeting_id, said, wording, quote, start, created_at)
          values (${account}, ${meetingId}, ${said}, ${wording ?? null}, ${quote ?? null},
            ${start === undefined ? null : roundSeconds(start)}, ${now})
          returning ${columns(db)}`
        const [row] = rows
        return row === undefined ? yield* Effect.die("the report was not stored") : reportOf(row)
      }, dbDies)

      const settle = Effect.fn("MistakeReports.settle")(function* (id: string, as: Settlement) {
        const now = DateTime.formatIso(yield* DateTime.now)
        yield* db.withTransaction(
          Effect.gen(function* () {
            const settled = yield* db<{ meeting_id: MeetingId }>`
              update mistake_report set state = ${as}, settled_at = ${now}
              where id = ${idOf(id)} and state = 'open' returning meeting_id`
            const [row] = settled
            if (row === undefined) return yield* mistakeReportNotFound(id)
            yield* recordAction(db, "mistake.settle", row.meeting_id, { report: id, as })
          })
        )
      }, dbDies)

      return { report, open: openReports(db, baseUrl).pipe(dbDies, Effect.withSpan("MistakeReports.open")), settle }
    })
  ).pipe(Layer.provide(Meetings.fromPrimary))
}
