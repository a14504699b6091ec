import { Console, Effect } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { isSettingName, type SettingName, Settings, settingForms, typedValue } from "../services/settings/settings.ts"

const names = Object.keys(settingForms).join(", ")

const name = Argument.String("name").pipe(Argument.withDescription(`One of ${names}`))

const value = Argument.String("value").pipe(
  Argument.withDescription("What it is set to: true, false or a whole number, as the setting takes it")
)

const known = (name: string): Effect.Effect<SettingName, CliError.UserError> =>
  isSettingName(name)
    ? Effect.succeed(name)
    : Effect.fail(new CliError.UserError({ cause: `There is no setting ${name}. The settings are ${names}.` }))

const get = Command.make("get", { name }, ({ name }) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const setting = yield* known(name)
    yield* Console.log(JSON.stringify(yield* settings.get(setting)))
  })
).pipe(Command.withDescription("Print a setting"))

const set = Command.make("set", { name, value }, ({ name, value }) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    yield* settings.set(yield* known(name), typedValue(value))
    yield* Console.log(`${name} is now ${value}.`)
  })
).pipe(Command.withDescription("Change a setting. It takes effect immediately, in every process"))

export const settings = Command.make("settings").pipe(
  Command.withDescription("Read and change settings while the service runs"),
  Command.withSubcommands([get, set]),
  Command.provide(Settings.layer),
  Command.provide(CommandDb)
)
