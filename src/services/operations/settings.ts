import { Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Db, dbDies } from "../../../layers/db.ts"

/** What operators may set while the service runs, each with its form and what holds until it is set. */
export const settingForms = {
  "pipeline.ClaimCheck": {
    schema: Schema.Boolean,
    initial: true,
    about: "Whether a briefing waits for its claims to be checked before it is served."
  },
  "pipeline.AutoClips": {
    schema: Schema.Boolean,
    initial: true,
    about: "Whether readers may ask the cloud model where a discussion starts and ends."
  }
} as const

export type SettingName = keyof typeof settingForms

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingForms, name)

/** A value that a setting cannot have. */
export class InvalidValue extends Data.TaggedError("InvalidValue")<{
  readonly setting: string
  readonly message: string
}> {}

/** The settings that operators change while the service runs; every process reads them where it needs them. */
export class Settings extends Context.Service<
  Settings,
  {
    readonly get: (name: SettingName) => Effect.Effect<boolean>
    readonly set: (name: SettingName, value: unknown) => Effect.Effect<void, InvalidValue>
  }
>()("civic-record/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const db = yield* Db

      const get = Effect.fn("Settings.get")(function* (name: SettingName) {
        const { schema, initial } = settingForms[name]
        const [row] = yield* db<{ value: unknown }>`select value from setting where name = ${name}`
        return row === undefined
          ? initial
          : Option.getOrElse(Schema.decodeUnknownOption(schema)(row.value), () => initial)
      }, dbDies)

      const set = Effect.fn("Settings.set")(function* (name: SettingName, value: unknown) {
        const decoded = Schema.decodeUnknownOption(settingForms[name].schema)(value)
        if (Option.isNone(decoded)) {
          return yield* new InvalidValue({ setting: name, message: `${name} must be true or false.` })
        }
        const now = DateTime.formatIso(yield* DateTime.now)
        yield* db.withTransaction(
          Effect.gen(function* () {
            yield* db`
              insert into setting (name, value, updated_at) values (${name}, ${JSON.stringify(decoded.value)}::jsonb, ${now})
              on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`
            // Which headlines are published hangs on the check, and search finds by published headlines.
            if (name === "pipeline.ClaimCheck") yield* db`select index_meetings(array(select meeting_id from briefing))`
          })
        )
      }, dbDies)

      return { get, set }
    })
  )
}
