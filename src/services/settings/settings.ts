import { Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { advisoryLocks } from "../../../layers/db/advisory-locks.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { announceStale, noteBriefingsOf } from "../feed/stale-meetings.ts"
import { commandLine, Operator, writeAction } from "../history.ts"
import {
  claimCheckInitially,
  importedVerdictsTrustedInitially,
  serveSwitched,
  servingSettings,
  uncheckedServedInitially
} from "../meetings/serving.ts"

/** A setting: the schema of its values, its initial value, and the wording for a bad value. */
interface SettingForm<A> {
  readonly schema: Schema.Codec<A>
  readonly initial: A
  readonly about: string
  /** Completes "the setting must be". */
  readonly mustBe: string
}

const yesOrNo = (initial: boolean, about: string): SettingForm<boolean> => ({
  schema: Schema.Boolean,
  initial,
  about,
  mustBe: "true or false"
})

const wholeNumber = (initial: number, maximum: number, about: string): SettingForm<number> => ({
  schema: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })),
  initial,
  about,
  mustBe: `a whole number from 0 to ${maximum}`
})

const atOnce = (initial: number, lane: string) =>
  wholeNumber(initial, 1000, `How many tasks of the lane ${lane} run at a time on all machines; 0 pauses it.`)

const price = (what: string) =>
  wholeNumber(0, 1_000_000_000, `What ${what}, in millionths of a US dollar; calls count toward the budget by it.`)

const forms = {
  "pipeline.ClaimCheck": yesOrNo(
    claimCheckInitially,
    "Whether a briefing waits for its claims to be checked before it is served."
  ),
  "pipeline.ServeUnchecked": yesOrNo(
    uncheckedServedInitially,
    "Whether sentences of a briefing are served that neither code nor a model other than the writer could check."
  ),
  "pipeline.TrustImportedVerdicts": yesOrNo(
    importedVerdictsTrustedInitially,
    "Whether the verdicts of an imported briefing count as a check made here, so that it is served as `verified`."
  ),
  "pipeline.AutoClips": yesOrNo(true, "Whether readers may ask the cloud model where a discussion starts and ends."),
  "pipeline.PublishClips": yesOrNo(
    false,
    "Whether the clips that the pipeline proposes are published immediately, without an operator."
  ),
  "pipeline.PublishedCaptions": yesOrNo(
    true,
    "Whether captions that a source publishes are taken as the transcript although a speech model is configured."
  ),
  "pipeline.KeepRemovedWords": wholeNumber(
    30,
    3650,
    "How many days operators can see, and put back, the words that were taken out of a transcript."
  ),
  "pipeline.LargestUploadMB": wholeNumber(
    20_000,
    1_000_000,
    "The largest recording that an operator may upload, in megabytes; 0 allows none."
  ),
  "record.Sample": yesOrNo(
    false,
    "Whether each start keeps the sample record up to date; until it is set, a start with an empty record adds it."
  ),
  "budget.DailyMicros": wholeNumber(
    0,
    1_000_000_000_000,
    "What calls of models may cost per day (UTC), in millionths of a US dollar; 0 is no limit."
  ),
  "prices.InputMicros": price("a million tokens sent to the language model cost"),
  "prices.OutputMicros": price("a million tokens written by the language model cost"),
  "prices.EmbeddingMicros": price("a million tokens sent to the embedding model cost"),
  "prices.SpeechMicros": price("a minute of sound sent to the speech model costs"),
  // The initial values of lanes are in layers/db/migrations/0109_queue.sql.
  "lanes.local": atOnce(16, "local"),
  "lanes.media": atOnce(64, "media"),
  "lanes.model": atOnce(4, "model"),
  "lanes.speech": atOnce(2, "speech"),
  "lanes.web": atOnce(8, "web")
}

type SettingValues = {
  readonly [Name in keyof typeof forms]: (typeof forms)[Name] extends SettingForm<infer A> ? A : never
}

/** The settings that operators may change at run time, by family and name. */
export const settingForms: { readonly [Name in keyof SettingValues]: SettingForm<SettingValues[Name]> } = forms

export type SettingName = keyof SettingValues

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingForms, name)

/**
 * Parses a value that somebody typed: `true`, `false` or a number. Anything else stays text, which every setting
 * refuses.
 */
export const typedValue = (text: string): boolean | number | string => {
  if (text === "true" || text === "false") return text === "true"
  return /^\d+$/.test(text) ? Number(text) : text
}

/** The value is not valid for the setting. */
export class InvalidValue extends Data.TaggedError("InvalidValue")<{ readonly setting: SettingName }> {}

/** There is no such setting. */
export class UnknownSetting extends Data.TaggedError("UnknownSetting")<{ readonly setting: string }> {}

export const settingNamed = (name: string): Effect.Effect<SettingName, UnknownSetting> =>
  isSettingName(name) ? Effect.succeed(name) : Effect.fail(new UnknownSetting({ setting: name }))

/** Why tasks wait whose model calls would exceed the daily budget; a changed budget wakes them. */
export const budgetIsSpent =
  "Today's budget for models is spent (setting budget.DailyMicros). Work goes on after midnight UTC."

/**
 * The settings that operators may change at run time. Nothing caches them: every process reads one whenever it needs
 * it.
 */
export class Settings extends Context.Service<
  Settings,
  {
    readonly get: <Name extends SettingName>(name: Name) => Effect.Effect<SettingValues[Name]>
    /** The value that an operator set; none if it was never set. */
    readonly chosen: <Name extends SettingName>(name: Name) => Effect.Effect<Option.Option<SettingValues[Name]>>
    /**
     * Sets a setting, with immediate effect in every process, writes the history, and announces the meetings that it
     * changed. If the process is killed meanwhile, workers announce the rest (`announceStale`).
     */
    readonly set: (name: SettingName, value: unknown) => Effect.Effect<void, InvalidValue>
  }
>()("civic-record/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.gen(function* () {
      const db = yield* Db

      const chosen = Effect.fn("Settings.chosen")(function* <Name extends SettingName>(name: Name) {
        const form: SettingForm<SettingValues[Name]> = settingForms[name]
        const [row] = yield* db<{ value: unknown }>`select value from setting where name = ${name}`
        return Schema.decodeUnknownOption(form.schema)(row?.value)
      }, dbDies)

      const get = Effect.fn("Settings.get")(function* <Name extends SettingName>(name: Name) {
        const form: SettingForm<SettingValues[Name]> = settingForms[name]
        return Option.getOrElse(yield* chosen(name), () => form.initial)
      })

      const set = Effect.fn("Settings.set")(function* (name: SettingName, value: unknown) {
        const operator = (yield* Operator) ?? commandLine
        const { schema, initial }: SettingForm<boolean | number> = settingForms[name]
        const decoded = Schema.decodeUnknownOption(schema)(value)
        if (Option.isNone(decoded)) return yield* new InvalidValue({ setting: name })
        const now = DateTime.formatIso(yield* DateTime.now)
        yield* db.withTransaction(
          Effect.gen(function* () {
            // Serializes changes of the same setting, so that their history is a chain.
            yield* db`select pg_advisory_xact_lock(${advisoryLocks.setting}, hashtext(${name}))`
            const [previous] = yield* db<{ value: unknown }>`select value from setting where name = ${name}`
            const [written] = yield* db<{ created: boolean }>`
              insert into setting as s (name, value, updated_at)
              values (${name}, ${JSON.stringify(decoded.value)}::jsonb, ${now})
              on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
              where s.value <> excluded.value
              returning xmax = 0 as created`
            if (written === undefined) return
            yield* writeAction(db, operator, {
              action: "setting.set",
              subject: name,
              detail: { before: previous?.value ?? null, after: decoded.value }
            })
            if (name.startsWith("lanes.")) {
              yield* db`update lane set at_once = ${decoded.value} where name = ${name.slice("lanes.".length)}`
              yield* db`notify task`
            }
            if (name === "budget.DailyMicros") {
              yield* db`
                update task set due_at = clock_timestamp()
                where state = 'waiting' and due_at > clock_timestamp() and failure = ${budgetIsSpent}`
              yield* db`notify task`
            }
            const isSame = written.created && decoded.value === initial
            if (isSame || !servingSettings.includes(name)) return
            // Serves the briefings that await verdicts, or makes them wait again.
            yield* noteBriefingsOf(db, yield* serveSwitched(db))
          })
        )
        yield* Effect.provideService(announceStale, Db, db)
      }, dbDies)

      return { get, chosen, set }
    })
  )
}
