import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import type { AgentIssue, AgentIssues } from "../../../schema/agent/issue.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { nameAfterBody } from "../../text/meeting-name.ts"
import { type OpenReport, openReports } from "../accounts/mistake-reports.ts"
import { spentToday } from "../making/costs.ts"
import { Settings } from "../settings/settings.ts"
import { withSubjects } from "./issue-subjects.ts"
import { issuesOfRows } from "./issues-sql.ts"

/** Issues per response, at most. */
const most = 200

/** How long the media store may take to respond. */
const storePatience = "3 seconds"

/** A key that no object has (contract section 7), for checking that the store responds. */
const noKey = "doctor/none"

/** The most characters of what a reader wrote in an issue. */
const longestSaid = 300

/** A mistake that a reader reported. Who it was is for operators alone (the console), not for their programs. */
const ofReport = ({ id, said, start, meeting, url, created_at }: OpenReport): AgentIssue => ({
  kind: "mistake_reported",
  severity: "notice",
  since: created_at,
  subject: { type: "mistake_report", id, name: `${nameAfterBody(meeting)}, ${meeting.date}` },
  message: `A reader reports a mistake${start === undefined ? "" : ` at second ${Math.floor(start)}`}: “${clampAtWord(said, longestSaid)}”`,
  link: url,
  next_step: "Listen there, and correct what is wrong; then settle the report on the console, under its issues."
})

interface IssueRow {
  readonly kind: string
  readonly severity: AgentIssue["severity"]
  readonly since: Date
  readonly subject_type: string
  readonly subject_id: string
  readonly message: string
  readonly next_step: string
}

const ranks = { error: 0, warning: 1, notice: 2 } as const

/** Conditions that need an operator, computed from the current state; none are stored. */
export class Issues extends Context.Service<Issues, { readonly issues: Effect.Effect<AgentIssues> }>()(
  "civic-record/Issues"
) {
  static readonly layer = Layer.effect(
    Issues,
    Effect.gen(function* () {
      const db = yield* Db
      const store = yield* ObjectStore
      const settings = yield* Settings
      const { checkModel, baseUrl } = yield* Environment
      const pendingCause = Option.isNone(checkModel)
        ? "No model that checks claims is configured (CHECK_MODEL_URL and _NAME)."
        : "No task of the meeting checks them."

      const ofStore = Effect.fnUntraced(function* (now: string) {
        const answers = yield* store.head(noKey).pipe(
          Effect.as(true),
          Effect.timeout(storePatience),
          Effect.orElseSucceed(() => false)
        )
        return answers
          ? []
          : [
              {
                kind: "media_store_away",
                severity: "error",
                since: now,
                subject: { type: "store", id: "media" },
                message: "The media store cannot be reached.",
                next_step: "Check MEDIA_URL and the store itself, then run: civic-record doctor"
              } satisfies AgentIssue
            ]
      })

      const ofBudget = Effect.fnUntraced(function* (now: DateTime.Utc) {
        const [budget, spent] = [yield* settings.get("budget.DailyMicros"), yield* spentToday(db)]
        return budget === 0 || spent < budget
          ? []
          : [
              {
                kind: "budget_spent",
                severity: "error",
                since: DateTime.formatIso(DateTime.startOf(now, "day")),
                subject: { type: "setting", id: "budget.DailyMicros" },
                message: `Calls of models cost $${(spent / 1e6).toFixed(2)} today, and the budget is $${(budget / 1e6).toFixed(2)}.`,
                next_step:
                  "GET /api/agent/costs?group=stage shows what it was spent on; raise budget.DailyMicros, or wait until midnight UTC."
              } satisfies AgentIssue
            ]
      })

      const issues = Effect.gen(function* () {
        const now = yield* DateTime.now
        const at = DateTime.formatIso(now)
        const rows = yield* db<IssueRow>`${issuesOfRows(db, at)}`
        const found = [
          ...rows.map(
            ({ subject_type, subject_id, since, ...row }): AgentIssue => ({
              ...row,
              since: since.toISOString(),
              subject: { type: subject_type, id: subject_id }
            })
          ),
          ...(yield* openReports(db, baseUrl)).map(ofReport),
          ...(yield* ofStore(at)),
          ...(yield* ofBudget(now))
        ].sort((a, b) => ranks[a.severity] - ranks[b.severity] || (a.since < b.since ? -1 : 1))
        const shown = yield* withSubjects(db, found.slice(0, most), pendingCause)
        return { at, total: found.length, issues: shown }
      }).pipe(dbDies, Effect.withSpan("Issues.issues"))

      return { issues }
    })
  )
}
