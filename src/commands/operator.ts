import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { Email, emailKey } from "../../schema/email.ts"
import { OperatorSessions } from "../services/operators/operator-sessions.ts"

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    for (const { email, created_at, expires_at } of yield* (yield* OperatorSessions).list) {
      yield* Console.log([email, `signed in ${created_at}`, `until ${expires_at}`].join("\t"))
    }
  })
).pipe(Command.withDescription("List the operators who are signed in to the console, newest first"))

const signOut = Command.make(
  "sign-out",
  {
    email: Argument.String("email").pipe(
      Argument.withSchema(Email),
      Argument.withDescription("The operator's e-mail address")
    )
  },
  ({ email }) =>
    Effect.gen(function* () {
      const ended = yield* (yield* OperatorSessions).endAll(emailKey(email))
      yield* Console.log(ended === 0 ? `${email} is not signed in.` : `${email} is signed out, everywhere.`)
    })
).pipe(
  Command.withDescription("End every session of an operator on the console. To keep one out, change OPERATOR_EMAILS")
)

export const operator = Command.make("operator").pipe(
  Command.withDescription("List the operators on the console, and sign them out"),
  Command.withSubcommands([list, signOut]),
  Command.provide(OperatorSessions.layer),
  Command.provide(CommandDb)
)
