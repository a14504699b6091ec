import { Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Db, dbDies } from "../../../layers/db.ts"
import { announceStale, noteUncheckedBriefings } from "../feed/stale-meetings.ts"

/** What operators can set while the service runs, each with its schema and its initial value. */
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
  },
  "record.Sample": {
    schema: Schema.Boolean,
    initial: false,
    about:
      "Whether each start keeps the sample record up to date; until it is set, a start with an empty record adds it."
  }
} as const

export type SettingName = keyof typeof settingForms

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingForms, name)

/** A value that a setting cannot have. */
export class InvalidValue extends Data.TaggedError("InvalidValue")<{
  readonly setting: string
  readonly message: string
}> {}

/** The settings that operators change while the service runs; every process reads one whenever it needs it. */
export class Settings extends Context.Service<
  Settings,
  {
    readonly get: (name: SettingName) => Effect.Effect<boolean>
    /** What a setting was set to; none until it is set. */
    readonly chosen: (name: SettingName) => Effect.Effect<Option.Option<boolean>>
    /**
     * Sets a setting, which takes effect immediately, and announces the meetings that it changed. Killed while it does so,
     * it leaves the rest to the workers (`announceStale`).
     */
    readonly set: (name: SettingName, value: unknown) => Effect.Effect<void, InvalidValue>
  }
>()("civic-record/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const db = yield* Db

      const chosen = Effect.fn("Settings.chosen")(function* (name: SettingName) {
        const [row] = yield* db<{ value: unknown }>`select value from setting where name = ${name}`
        return Schema.decodeUnknownOption(settingForms[name].schema)(row?.value)
      }, dbDies)

      const get = Effect.fn("Settings.get")(function* (name: SettingName) {
        return Option.getOrElse(yield* chosen(name), () => settingForms[name].initial)
      })

      const set = Effect.fn("Settings.set")(function* (name: SettingName, value: unknown) {
        const decoded = Schema.decodeUnknownOption(settingForms[name].schema)(value)
        if (Option.isNone(decoded)) {
          return yield* new InvalidValue({ setting: name, message: `${name} must be true or false.` })
        }
        const now = DateTime.formatIso(yield* DateTime.now)
        const { initial } = settingForms[name]
        yield* db.withTransaction(
          Effect.gen(function* () {
            const [written] = yield* db<{ created: boolean }>`
              insert into setting as s (name, value, updated_at)
              values (${name}, ${JSON.stringify(decoded.value)}::jsonb, ${now})
              on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
              where s.value <> excluded.value
              returning xmax = 0 as created`
            const isSame = written === undefined || (written.created && decoded.value === initial)
            if (isSame || name !== "pipeline.ClaimCheck") return
            // Serves the briefings that wait for verdicts, or makes them wait again.
            yield* noteUncheckedBriefings(db)
          })
        )
        yield* Effect.provideService(announceStale, Db, db)
      }, dbDies)

      return { get, chosen, set }
    })
  )
}
