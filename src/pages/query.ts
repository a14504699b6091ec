import { type Effect, Schema } from "effect"

/** The parameters of an address: one value per name, or a list; `name[]` is `name`. */
export const parametersOf = (query: URLSearchParams): Readonly<Record<string, string | ReadonlyArray<string>>> => {
  const values = Map.groupBy(query, ([name]) => name.replace(/\[\]$/, ""))
  return Object.fromEntries(
    [...values].map(([name, pairs]) => {
      const [first = "", ...rest] = pairs.map(([, value]) => value)
      return [name, rest.length === 0 ? first : [first, ...rest]]
    })
  )
}

/** Makes a decoder of a page's address from the API's schema for the same parameters; unknown ones are ignored. */
export const queryDecoder = <S extends Schema.Codec<unknown, unknown>>(
  schema: S
): ((query: URLSearchParams) => Effect.Effect<S["Type"], Schema.SchemaError>) => {
  const decode = Schema.decodeUnknownEffect(Schema.toCodecArrayFromSingle(Schema.toCodecStringTree(schema)))
  // A form sends every field; an empty one is left out.
  return (query) => decode(parametersOf(new URLSearchParams([...query].filter(([, value]) => value !== ""))))
}

type Value = string | number | boolean
export type Values = Readonly<Record<string, Value | ReadonlyArray<Value> | undefined>>

/** The values of a parameter, possibly none. */
export const valuesOf = (value: Values[string]): ReadonlyArray<Value> =>
  value === undefined ? [] : typeof value === "object" ? value : [value]

/** A path with a query, in the order of the values, without undefined ones. */
export const withQuery = (path: string, values: Values): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const one of valuesOf(value)) query.append(name, String(one))
  }
  const text = query.toString()
  return text === "" ? path : `${path}?${text}`
}
