import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { AgentTokens } from "../services/operators/agent-tokens.ts"

const machine = Flag.String("machine").pipe(
  Flag.withDescription("The name of the machine that uses it"),
  Flag.map((name) => name.trim()),
  Flag.filter(
    (name) => name !== "" && name.length <= 100,
    () => "must be 1 to 100 characters"
  )
)

const run = Flag.String("run").pipe(
  Flag.withDescription("The id of the one completion run that it may change; without it, it only reads"),
  Flag.optional
)

const mint = Command.make("mint", { machine, run }, ({ machine, run }) =>
  Effect.gen(function* () {
    const tokens = yield* AgentTokens
    const { id, token } = yield* tokens.mint({ machine, run: Option.getOrUndefined(run) })
    // The only output on standard output, so that a script can store it.
    yield* Console.error(`The token of ${machine} (${id}). It is shown this once:`)
    yield* Console.log(token)
  })
).pipe(Command.withDescription("Mint a token for a machine. It is printed once and kept nowhere"))

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    for (const token of yield* (yield* AgentTokens).list) {
      const { id, machine, run_id, created_at, last_used_at, revoked_at } = token
      const scope = run_id === undefined ? "reads" : `run ${run_id}`
      const state = revoked_at === undefined ? `last used ${last_used_at ?? "never"}` : `revoked ${revoked_at}`
      yield* Console.log([id, machine, scope, `minted ${created_at}`, state].join("\t"))
    }
  })
).pipe(Command.withDescription("List the tokens, newest first, without their secrets"))

const revoke = Command.make(
  "revoke",
  { id: Argument.String("id").pipe(Argument.withDescription("The token's id, as token list shows it")) },
  ({ id }) =>
    Effect.gen(function* () {
      yield* (yield* AgentTokens).revoke(id)
      yield* Console.log(`The token ${id} is revoked, and opens nothing from now on.`)
    })
).pipe(Command.withDescription("Revoke a token. It stops working immediately"))

export const token = Command.make("token").pipe(
  Command.withDescription("Mint, list and revoke the tokens of machines"),
  Command.withSubcommands([mint, list, revoke]),
  Command.provide(AgentTokens.layer),
  Command.provide(CommandDb)
)
