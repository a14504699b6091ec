import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Environment, type ModelEndpoint } from "../../../layers/config/config.ts"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import { thisMachine } from "../../../layers/speech-model/recognized.ts"
import type { AgentCosts, AgentModels, costGroups } from "../../../schema/agent/money.ts"
import { Settings } from "../settings/settings.ts"

type CostGroup = (typeof costGroups)[number]

interface UsageRow {
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_micros: number
  readonly unpriced_calls: number
}

const nothing: UsageRow = { calls: 0, input_tokens: 0, output_tokens: 0, cost_micros: 0, unpriced_calls: 0 }

/** Sums over rows `m` of `model_usage`; money in millionths of a US dollar. */
export const usageSums = (db: Sql) => db`
  count(*)::int as calls, coalesce(sum(m.input_tokens), 0)::float8 as input_tokens,
  coalesce(sum(m.output_tokens), 0)::float8 as output_tokens,
  round(coalesce(sum(m.cost), 0) * 1000000)::float8 as cost_micros,
  (count(*) filter (where m.cost is null))::int as unpriced_calls`

/** How many days back costs are summed. */
const daysBack = 90

/** Minutes after which a call that has not ended counts as one of a killed process; none may take as long. */
const callMinutes = 20

/**
 * The cost of model calls since midnight UTC, in millionths of a US dollar. A call that is under way does not count,
 * and one whose process was killed at the most that it may have cost.
 */
export const spentToday = Effect.fn("Costs.spentToday")(function* (db: Sql) {
  const now = yield* DateTime.now
  const midnight = DateTime.startOf(now, "day")
  const lost = DateTime.subtract(now, { minutes: callMinutes })
  const [row] = yield* db<{ spent: number }>`
    select round(coalesce(sum(cost), 0) * 1000000)::float8 as spent from model_usage
    where at >= ${DateTime.formatIso(midnight)}::timestamptz
      and (outcome <> 'begun' or at < ${DateTime.formatIso(lost)}::timestamptz)`
  return row?.spent ?? 0
})

const atEndpoint = ({ name, url, key }: ModelEndpoint) => ({
  ...{ name, provider: new URL(url).host },
  hasKey: Redacted.value(key) !== ""
})

/** The cost of model calls, grouped, and the models that this deployment calls. */
export class Costs extends Context.Service<
  Costs,
  {
    readonly costs: (group: CostGroup) => Effect.Effect<AgentCosts>
    readonly models: Effect.Effect<AgentModels>
  }
>()("civic-record/Costs") {
  static readonly layer = Layer.effect(
    Costs,
    Effect.gen(function* () {
      const db = yield* Db
      const settings = yield* Settings
      const { cloudModel, checkModel, embeddingModel, speechModel, speechFile } = yield* Environment

      const keys = {
        day: db`to_char(m.at at time zone 'UTC', 'YYYY-MM-DD')`,
        model: db`m.model`,
        stage: db`coalesce(m.stage, m.purpose)`,
        provider: db`coalesce(m.provider, 'unknown')`,
        meeting: db`coalesce(m.meeting_id::text, 'unknown')`
      } as const satisfies Record<CostGroup, unknown>

      const costs = Effect.fn("Costs.costs")(function* (group: CostGroup) {
        const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: daysBack }))
        const [total = nothing] = yield* db<UsageRow>`
          select ${usageSums(db)} from model_usage m where m.at > ${since}`
        const groups = yield* db<UsageRow & { key: string }>`
          select ${keys[group]} as key, ${usageSums(db)} from model_usage m where m.at > ${since}
          group by 1 order by ${group === "day" ? db`key desc` : db`cost_micros desc, calls desc, key`} limit 500`
        return { group, since, total, groups }
      }, dbDies)

      const usageOf = Effect.fnUntraced(function* (name: string, days: number) {
        const since = DateTime.subtract(DateTime.startOf(yield* DateTime.now, "day"), { days })
        const [row] = yield* db<UsageRow>`
          select ${usageSums(db)} from model_usage m
          where m.model = ${name} and m.at >= ${DateTime.formatIso(since)}`
        return row ?? nothing
      })

      const modelOf = Effect.fnUntraced(function* (
        purpose: "language" | "check" | "embedding" | "speech",
        model: Option.Option<{ readonly name: string; readonly provider: string; readonly hasKey: boolean }>
      ) {
        if (Option.isNone(model)) {
          return { purpose, configured: false, key: "unset" as const, today: nothing, last_30_days: nothing }
        }
        const { name, provider, hasKey } = model.value
        return {
          ...{ purpose, configured: true, name, provider },
          key: hasKey ? ("set" as const) : ("unset" as const),
          today: yield* usageOf(name, 0),
          last_30_days: yield* usageOf(name, 30)
        }
      })

      const speech = Option.orElse(Option.map(speechModel, atEndpoint), () =>
        Option.map(speechFile, ({ name }) => ({ name, provider: thisMachine, hasKey: false }))
      )

      const models = Effect.gen(function* () {
        return {
          models: [
            yield* modelOf("language", Option.map(cloudModel, atEndpoint)),
            yield* modelOf("check", Option.map(checkModel, atEndpoint)),
            yield* modelOf("embedding", Option.map(embeddingModel, atEndpoint)),
            yield* modelOf("speech", speech)
          ],
          budget: {
            daily_micros: yield* settings.get("budget.DailyMicros"),
            spent_today_micros: yield* spentToday(db)
          }
        }
      }).pipe(dbDies, Effect.withSpan("Costs.models"))

      return { costs, models }
    })
  )
}
