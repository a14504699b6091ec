import { Context, Effect, Layer, Option } from "effect"
import { Environment } from "../../../layers/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentSettings } from "../../../schema/agent/settings.ts"
import { type NotFound, settingFamilyNotFound } from "../failures.ts"
import { sent } from "../wire.ts"
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

const secret = (name: string, isSet: boolean, about: string): ShownSetting => ({
  name,
  type: "secret",
  secret: isSet ? "set" : "unset",
  from: "environment",
  about
})

const given = (name: string, value: Option.Option<string>, about: string): ShownSetting => ({
  name,
  type: "text",
  ...(Option.isSome(value) ? { value: value.value } : {}),
  from: "environment",
  about
})

const counted = (name: string, value: number, about: string): ShownSetting => ({
  name,
  type: "integer",
  value,
  from: "environment",
  about
})

/** What the environment sets (contract section 10), by family. Whatever may hold a password is a secret as a whole. */
const environmentFamilies = Effect.map(
  Environment,
  (environment): Readonly<Record<string, ReadonlyArray<ShownSetting>>> => {
    const { cloudModel, speechModel } = environment
    const isSet = (option: Option.Option<unknown>) => Option.isSome(option)
    return {
      models: [
        given(
          "CLOUD_MODEL_URL",
          Option.map(cloudModel, ({ url }) => new URL(url).origin),
          "The language model's server."
        ),
        given(
          "CLOUD_MODEL_NAME",
          Option.map(cloudModel, ({ name }) => name),
          "The language model."
        ),
        secret("CLOUD_MODEL_KEY", isSet(cloudModel), "The key of the language model."),
        given(
          "SPEECH_MODEL_URL",
          Option.map(speechModel, ({ url }) => new URL(url).origin),
          "The speech model's server."
        ),
        given(
          "SPEECH_MODEL_NAME",
          Option.map(speechModel, ({ name }) => name),
          "The speech model."
        ),
        secret("SPEECH_MODEL_KEY", isSet(speechModel), "The key of the speech model.")
      ],
      server: [
        given("BASE_URL", Option.some(environment.baseUrl), "The address that the service is reached at."),
        counted("PORT", environment.port, "The port that it listens on."),
        counted("PUBLIC_READ_LIMIT", environment.publicReadLimit, "Public reads per minute and client address."),
        counted("ANSWER_CACHE_MB", environment.answerCacheBytes / 1024 / 1024, "Megabytes for answers that are kept."),
        given("OPERATOR_PORT", Option.map(environment.operatorPort, String), "The port of the operators' console."),
        secret("SIGNING_KEYS", isSet(environment.signingKeys), "Keys of media signatures; made on a laptop if unset.")
      ],
      storage: [
        secret("DATABASE_URL", isSet(environment.databaseUrl), "The database; the embedded PostgreSQL if unset."),
        secret("DATABASE_REPLICA_URL", isSet(environment.databaseReplicaUrl), "The database for public reads."),
        secret("MEDIA_URL", isSet(environment.mediaUrl), "The media store; a folder under DATA_DIR if unset."),
        secret("REDIS_URL", isSet(environment.redisUrl), "Where rate limits are counted; in each process if unset.")
      ],
      mail: [secret("SMTP_URL", isSet(environment.smtpUrl), "The mail server; mail goes to a folder if unset.")],
      identity: environment.oidcProviders.flatMap(({ id, issuer, clientSecret }) => [
        given(`OIDC_${id.toUpperCase()}_ISSUER`, Option.some(issuer), "A sign-in provider."),
        secret(`OIDC_${id.toUpperCase()}_CLIENT_SECRET`, isSet(clientSecret), "Our secret at the provider.")
      ])
    }
  }
)

/** Settings by family, as operators read them: secrets only as `set` or `unset` (contract section 9). */
export class SettingFamilies extends Context.Service<
  SettingFamilies,
  {
    /** The names of all families. */
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
      const families = [...new Set([...names.map(familyOf), ...Object.keys(fromEnvironment)])].sort()

      const family = Effect.fn("SettingFamilies.family")(function* (wanted: string) {
        if (!families.includes(wanted)) return yield* settingFamilyNotFound(wanted)
        const ours = names.filter((name) => familyOf(name) === wanted)
        const stored = yield* db<StoredRow>`select name, value, updated_at from setting where name = any(${ours})`
        const history = yield* db<ChangeRow>`
          select id::float8 as id, at, name, before, after, changed_by from setting_change
          where name = any(${ours}) order by setting_change.id desc limit 100`
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
        return { family: wanted, settings: [...shown, ...(fromEnvironment[wanted] ?? [])], history: history.map(sent) }
      }, dbDies)

      return { families, family }
    })
  )
}
