import { Effect, Schema } from "effect"
import type { WebForm } from "../../../layers/web.ts"
import type { Fault } from "../../record/formats/decode.ts"
import { webAddress } from "../../record/formats/text.ts"
import { readable } from "../../record/readable.ts"
import { isPassing, type WebFailed } from "../web/failure.ts"
import type { PoliteWeb, Validators } from "../web/polite-web.ts"
import { longestCalendar, NoCalendar } from "./calendar.ts"

/** What a vendor may leave out or give as null: texts, whole numbers and flags. */
export const text = Schema.optionalKey(Schema.NullOr(Schema.String))
export const whole = Schema.optionalKey(Schema.NullOr(Schema.Int))
export const flag = Schema.optionalKey(Schema.NullOr(Schema.Boolean))

/** Fetches a JSON document; undefined if it has not changed. */
export const jsonPage = Effect.fnUntraced(function* (
  web: PoliteWeb["Service"],
  address: string,
  validators: Validators = {},
  request: { readonly headers?: Readonly<Record<string, string>>; readonly form?: WebForm } = {}
) {
  const page = yield* web.page(address, {
    accept: "application/json",
    types: /^(application|text)\/([\w.-]+\+)?(json|plain)\b/i,
    bytes: longestCalendar,
    validators,
    ...request
  })
  if (page === undefined) return undefined
  const value = yield* Effect.try({
    try: (): unknown =>
      JSON.parse(page.body.toString("utf8"), (_, value: unknown) =>
        typeof value === "string" ? readable(value) : value
      ),
    catch: () => new NoCalendar({ message: "The calendar is not JSON." })
  })
  return { value, validators: page.validators }
})

/** The validators that a source's page had when it was last fetched. */
export const validatorsOf = (source: { readonly etag: string | null; readonly last_modified: string | null }) => ({
  etag: source.etag ?? undefined,
  lastModified: source.last_modified ?? undefined
})

/** The faults of a meeting's addresses, by the field of the calendar: those that are none. */
export const faultsOfAddresses = (written: Readonly<Record<string, string | undefined>>): ReadonlyArray<Fault> =>
  Object.entries(written).flatMap(([field, address = ""]) =>
    address.trim() === "" || webAddress(address) !== undefined
      ? []
      : [{ field, message: "is not an address of the web" }]
  )

/** Says which fields of a meeting were left out; never their values. */
export const logLeftOut = (leftOut: ReadonlyArray<Fault>) =>
  leftOut.length === 0
    ? Effect.void
    : Effect.logWarning("Fields of a meeting are not in the calendar's shape and are left out", {
        fields: leftOut.map(({ field, message }) => `${field} ${message}`)
      })

/** Goes on with `instead` where a page cannot be read, and logs what is left out; a passing failure stays. */
export const orWithout =
  <B>(what: string, instead: B) =>
  <A, R>(page: Effect.Effect<A, WebFailed | NoCalendar, R>): Effect.Effect<A | B, WebFailed, R> => {
    const left = ({ message }: { readonly message: string }) =>
      Effect.as(Effect.logWarning(`${what} left out. ${message}`), instead)
    return page.pipe(
      Effect.catchTag("NoCalendar", left),
      Effect.catchTag("WebFailed", (failure) => (isPassing(failure) ? Effect.fail(failure) : left(failure)))
    )
  }
