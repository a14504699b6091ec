import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { Settings, settingForms, settingNamed, typedValue } from "../services/settings/settings.ts"

const names = Object.keys(settingForms).join(", ")

const name = Argument.String("name").pipe(Argument.withDescription(`One of ${names}`))

const value = Argument.String("value").pipe(
  Argument.withDescription("What it is set to: true, false or a whole number, as the setting takes it")
)

const get = Command.make("get", { name }, ({ name }) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const setting = yield* settingNamed(name)
    yield* Console.log(JSON.stringify(yield* settings.get(setting)))
  })
).pipe(Command.withDescription("Print a setting"))

const set = Command.make("set", { name, value }, ({ name, value }) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    yield* settings.set(yield* settingNamed(name), typedValue(value))
    yield* Console.log(`${name} is now ${value}.`)
  })
).pipe(Command.withDescription("Change a setting. It takes effect immediately, in every process"))

export const settings = Command.make("settings").pipe(
  Command.withDescription("Read and change settings while the service runs"),
  Command.withSubcommands([get, set]),
  Command.provide(Settings.layer),
  Command.provide(CommandDb)
)
