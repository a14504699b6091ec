import { Option, Result, Schema } from "effect"
import { Email } from "../../schema/email.ts"
import { databaseAddress } from "../db/address.ts"
import { isLoopback, urlHost } from "../networks/host.ts"

/** The group in which operators see a variable; `machine` is about the computer and shown to nobody. */
type VariableFamily = "server" | "storage" | "mail" | "identity" | "models" | "sources" | "machine"

/**
 * One environment variable (contract section 10). The decoder, the console, the agent API and the README's table are
 * all driven by this.
 */
export interface Variable<A> {
  readonly name: string
  readonly family: VariableFamily
  /** The description in the README and the console. */
  readonly about: string
  /** The behavior while it is unset, in the README's words. */
  readonly otherwise: string
  /** The text that is decoded while it is unset. */
  readonly initial: string | undefined
  /** Operators see only whether it is set, because it is or may contain a secret. */
  readonly isSecret: boolean
  /** The expected form, for the error about an invalid value. */
  readonly must: string
  /** Decodes the text, or the initial one; a failure means that the value is invalid. */
  readonly decode: (text: string | undefined) => Result.Result<A, unknown>
}

interface Wording {
  readonly family: VariableFamily
  readonly about: string
  readonly must: string
  readonly otherwise?: string
  readonly isSecret?: boolean
}

const variable = <A>(
  name: string,
  { otherwise = "none", isSecret = false, ...wording }: Wording,
  initial: string | undefined,
  decode: Variable<A>["decode"]
): Variable<A> => ({ name, ...wording, otherwise, isSecret, initial, decode })

/** An optional variable without a default. */
export const optional = <A>(
  name: string,
  schema: Schema.Codec<A, string>,
  wording: Wording
): Variable<Option.Option<A>> => {
  const decode = Schema.decodeUnknownResult(schema)
  return variable(name, wording, undefined, (text) =>
    text === undefined ? Result.succeed(Option.none()) : Result.map(decode(text), Option.some)
  )
}

/** A variable with a default. */
export const defaulted = <A>(
  name: string,
  schema: Schema.Codec<A, string>,
  initial: string,
  wording: Wording
): Variable<A> => {
  const decode = Schema.decodeUnknownResult(schema)
  const otherwise = wording.otherwise ?? (initial === "" ? "none" : `\`${initial}\``)
  return variable(name, { ...wording, otherwise }, initial, (text) => decode(text ?? initial))
}

export const PortNumber = Schema.NumberFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 0, maximum: 65_535 })
)
export const upTo = (minimum: number, maximum: number) =>
  Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum }))
export const Secret = Schema.RedactedFromValue(Schema.String)
const hasProtocol =
  (...protocols: ReadonlyArray<string>) =>
  (value: string) =>
    protocols.includes(URL.parse(value)?.protocol ?? "") || "not an address"
export const WebUrl = Schema.String.check(Schema.makeFilter(hasProtocol("http:", "https:")))
export const Database = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((value) => {
      const address = databaseAddress(value)
      return typeof address === "string" ? address : true
    })
  )
)
export const withProtocol = (...protocols: ReadonlyArray<string>) =>
  Schema.RedactedFromValue(Schema.String.check(Schema.makeFilter(hasProtocol(...protocols))))

/** Operators' cookies travel over TLS only, or stay on this machine. */
export const isConsoleAddress = (value: string): boolean => {
  const { protocol, hostname, pathname } = new URL(value)
  return pathname === "/" && (protocol === "https:" || isLoopback(hostname))
}

export const Host = Schema.String.check(
  Schema.makeFilter((value) => !/[\s/?#@\\]/.test(value) && URL.canParse(`http://${urlHost(value)}`))
)

/** Comma-separated entries. */
export const entriesOf = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

export const EmailList = Schema.String.check(
  Schema.makeFilter((list) => entriesOf(list).every(Schema.is(Email)) || "not e-mail addresses")
)

/** Comma-separated words, as a protocol sends them between spaces. */
export const WordList = Schema.String.check(
  Schema.makeFilter((list) => entriesOf(list).every((word) => !/\s/.test(word)) || "not single words")
)

export const aPort = "a port from 0 to 65535"
export const aHost = "a host name or address to listen on, such as 127.0.0.1"
export const anAddress = "an http or https address"
export const aDatabase =
  "an address such as postgres://user:password@host:5432/name, or with several hosts: @a:5432,b:5432/name"
