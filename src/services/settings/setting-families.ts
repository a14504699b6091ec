import { Context, Effect, Layer } from "effect"
import { Environment, type ShownVariable } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentSettings } from "../../../schema/agent/settings.ts"
import { type NotFound, settingFamilyNotFound } from "../failures.ts"
import { given, sent } from "../wire.ts"
import { isSettingName, settingForms } from "./settings.ts"

type ShownSetting = AgentSettings["settings"][number]
type Value = boolean | number | string

interface StoredRow {
  readonly name: string
  readonly value: Value
  readonly updated_at: Date
}

interface ChangeRow {
  readonly id: number
  readonly at: Date
  readonly name: string
  readonly before: Value | null
  readonly after: Value
  readonly changed_by: string
}

const familyOf = (name: string): string => name.split(".", 1).join("")

const shownVariable = ({ name, isSecret, isSet, value, about }: ShownVariable): ShownSetting => {
  const isNumber = value !== undefined && /^\d+$/.test(value)
  return {
    name,
    type: isSecret ? "secret" : isNumber ? "integer" : "text",
    ...(isSecret ? { secret: isSet ? "set" : "unset" } : given("value", isNumber ? Number(value) : value)),
    from: isSet ? "environment" : "default",
    about
  }
}

/** The settings of the environment (contract section 10) by family, except those of the machine alone. */
const environmentFamilies = Effect.map(Environment, ({ shown }) =>
  Map.groupBy(
    shown.filter(({ family }) => family !== "machine"),
    ({ family }): string => family
  )
)

/** Settings by family, as operators see them: secrets only as `set` or `unset` (contract section 9). */
export class SettingFamilies extends Context.Service<
  SettingFamilies,
  {
    readonly families: ReadonlyArray<string>
    readonly family: (name: string) => Effect.Effect<AgentSettings, NotFound>
  }
>()("civic-record/SettingFamilies") {
  static readonly layer = Layer.effect(
    SettingFamilies,
    Effect.gen(function* () {
      const db = yield* Db
      const fromEnvironment = yield* environmentFamilies
      const names = Object.keys(settingForms).filter(isSettingName)
      const families = [...new Set([...names.map(familyOf), ...fromEnvironment.keys()])].sort()

      const family = Effect.fn("SettingFamilies.family")(function* (wanted: string) {
        if (!families.includes(wanted)) return yield* settingFamilyNotFound(wanted)
        const ours = names.filter((name) => familyOf(name) === wanted)
        const stored = yield* db<StoredRow>`select name, value, updated_at from setting where name = any(${ours})`
        const history = yield* db<ChangeRow>`
          select id::float8 as id, at, subject as name, nullif(detail -> 'before', 'null') as before,
            detail -> 'after' as after, operator as changed_by
          from operator_action where action = 'setting.set' and subject = any(${ours})
          order by operator_action.id desc limit 100`
        const shown = ours.map((name): ShownSetting => {
          const { initial, about } = settingForms[name]
          const row = stored.find((one) => one.name === name)
          return {
            name,
            type: typeof initial === "boolean" ? "boolean" : "integer",
            value: row?.value ?? initial,
            initial,
            from: row === undefined ? "default" : "setting",
            about,
            ...(row === undefined ? {} : { changed_at: row.updated_at.toISOString() })
          }
        })
        return {
          family: wanted,
          settings: [...shown, ...(fromEnvironment.get(wanted) ?? []).map(shownVariable)],
          history: history.map(sent)
        }
      }, dbDies)

      return { families, family }
    })
  )
}
