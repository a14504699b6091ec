import { Console, Effect, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { permissionSaid, SitePermissions } from "../services/sources/site-permissions.ts"

/** The source that a command is about. */
export const id = Argument.String("id").pipe(Argument.withDescription("The source's id, as source list shows it"))

/** Why an operator may read what they add. */
export const permitted = Flag.String("permitted").pipe(
  Flag.withDescription("Why you may read the site although its robots.txt refuses programs; kept with the source"),
  Flag.filter(
    (why) => why.trim() !== "",
    () => "must say why"
  ),
  Flag.optional
)

/** `source permit`. */
export const permitCommand = Command.make(
  "permit",
  {
    id,
    why: Argument.String("why").pipe(
      Argument.withDescription("Why you may: it is our own site, say; leave it out with --withdraw"),
      Argument.optional
    ),
    isWithdrawn: Flag.Boolean("withdraw").pipe(
      Flag.withDescription("It may not be read any more where its robots.txt refuses programs"),
      Flag.withDefault(false)
    )
  },
  ({ id, why, isWithdrawn }) =>
    Effect.gen(function* () {
      const reason = Option.getOrElse(why, () => "").trim()
      if ((reason !== "") === isWithdrawn) {
        return yield* new CliError.UserError({ cause: "Say why you may read the site, or --withdraw." })
      }
      const permissions = yield* SitePermissions
      if (!isWithdrawn) {
        yield* permissions.permit(id, reason)
        return yield* Console.log(permissionSaid.kept)
      }
      const changed = yield* permissions.withdraw(id)
      yield* Console.log(permissionSaid.withdrawn(changed))
    })
).pipe(Command.withDescription("Say that you may read a source's site although its robots.txt refuses programs"))
