/** A field, or nothing if it has no value: on the wire a field is omitted, never null (contract section 1). */
export const given = <K extends string, A>(name: K, value: A | null | undefined): { readonly [P in K]?: A } =>
  value === null || value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: A })

/** An address, or nothing if it cannot be parsed: earlier builds stored some that cannot. */
export const givenAddress = <K extends string>(name: K, value: string | null): { readonly [P in K]?: string } =>
  given(name, value !== null && URL.canParse(value) ? value : undefined)

type Wire<A> = A extends Date ? string : A

/** A row as sent: nullable fields become optional, and instants become ISO 8601 strings. */
export type Sent<Row> = {
  readonly [K in keyof Row as null extends Row[K] ? never : K]: Wire<Row[K]>
} & { readonly [K in keyof Row as null extends Row[K] ? K : never]?: Wire<Exclude<Row[K], null>> }

/**
 * Turns a row into its wire form (contract section 1): columns without a value are left out, and instants are written
 * in ISO 8601. The cast is needed because `Object.fromEntries` loses the names and types of columns.
 */
export const sent = <Row extends object>(row: Row): Sent<Row> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]]
    )
  ) as Sent<Row>
