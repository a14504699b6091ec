import { accountFailures } from "./accounts.ts"
import { clipFailures } from "./clips.ts"
import { commandFailures } from "./commands.ts"
import { operatorFailures } from "./operators.ts"
import { recordFailures } from "./record.ts"
import { searchFailures } from "./search.ts"
import { signInFailures } from "./sign-in.ts"

/** The register of failures: the wording of each, by `_tag`, for every door that it can reach. */
export const register = {
  ...recordFailures,
  ...clipFailures,
  ...accountFailures,
  ...searchFailures,
  ...signInFailures,
  ...operatorFailures,
  ...commandFailures
}

type Register = typeof register
export type Tag = keyof Register

/**
 * `api`: an error on the wire. `form`: the problem shown beside a form of the account pages. `signIn`: the page that
 * ends a failed sign-in. `console`: the page shown in place of a console page or action. `command`: a line at the
 * terminal.
 */
export type Door = "api" | "form" | "signIn" | "console" | "command"

type WordsAt<D extends Door, T extends Tag> =
  Register[T] extends Readonly<Record<D, infer Words extends (failure: never) => unknown>> ? Words : never

/** The failures that have words for a door: a tag of the register, with the fields that its words use. */
export type FailureAt<D extends Door> = {
  readonly [T in Tag]: D extends keyof Register[T]
    ? { readonly _tag: T } & (WordsAt<D, T> extends (failure: infer From) => unknown ? From : never)
    : never
}[Tag]

const untyped: { readonly [T in Tag]: { readonly [D in Door]?: (failure: never) => unknown } } = register

/** The casts are needed because TypeScript cannot see that the function under a tag takes that tag's failure. */
const said = <D extends Door, F extends FailureAt<D>>(door: D, failure: F) =>
  untyped[failure._tag][door]?.(failure as never) as ReturnType<WordsAt<D, F["_tag"]>>

/*
 * The doors. A failure without words for a door does not compile there.
 */

/**
 * The error that the API sends, for `Effect.mapError(effect, wire)`. A handler whose operation does not declare that
 * error does not compile either.
 */
export const wire = <F extends FailureAt<"api">>(failure: F) => said("api", failure)

/** The problem with a form, worded for the person who filled it in. */
export const troubleOf = (failure: FailureAt<"form">) => said("form", failure)

/** Why a sign-in failed, worded for the person at the browser. */
export const signInTroubleOf = (failure: FailureAt<"signIn">) => said("signIn", failure)

/** Why the console did nothing, worded for an operator. */
export const refusalOf = (failure: FailureAt<"console">) => said("console", failure)

const isForCommand = (failure: FailureAt<"command"> | FailureAt<"console">): failure is FailureAt<"command"> =>
  "command" in register[failure._tag]

/** A line for the operator at the terminal: the console's message, unless the command line has its own words. */
export const explain = (failure: FailureAt<"command"> | FailureAt<"console">): string =>
  isForCommand(failure) ? said("command", failure) : said("console", failure).message
