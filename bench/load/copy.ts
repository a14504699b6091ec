import { once } from "node:events"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import type { ReservedSql, Sql } from "postgres"

/** A column's value: a list is a PostgreSQL array, bytes are `bytea`, an object is JSON. */
export type Value =
  | string
  | number
  | null
  | undefined
  | ReadonlyArray<string | number>
  | Uint8Array
  | { readonly [name: string]: unknown }

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }
const escaped = (text: string): string => text.replace(/[\\\t\n\r]/g, (found) => escapes[found] ?? "")

const isList = (value: Value): value is ReadonlyArray<string | number> => Array.isArray(value)

const written = (value: Value): string => {
  if (value === null || value === undefined) return "\\N"
  if (typeof value === "string") return escaped(value)
  if (typeof value === "number") return String(value)
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString("hex")}`
  if (!isList(value)) return escaped(JSON.stringify(value))
  const elements = value.map((one) =>
    typeof one === "number" ? String(one) : `"${one.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
  )
  return escaped(`{${elements.join(",")}}`)
}

/** A PostgreSQL error does not always reach the stream; five minutes are more than the copy needs. */
const inTime = () => ({ signal: AbortSignal.timeout(5 * 60_000) })

/** Characters per chunk. */
const atOnce = 256 * 1024

const send = async (stream: Writable, rows: Iterable<ReadonlyArray<Value>>) => {
  let text = ""
  const hand = async () => {
    if (!stream.write(text)) await once(stream, "drain", inTime())
    text = ""
  }
  for (const row of rows) {
    text += `${row.map(written).join("\t")}\n`
    if (text.length >= atOnce) await hand()
  }
  if (text !== "") await hand()
}

/** Loads rows into a table by COPY (text format, PostgreSQL 18 manual, section COPY). */
export const copyInto = async (
  sql: Sql | ReservedSql,
  table: string,
  columns: ReadonlyArray<string>,
  rows: Iterable<ReadonlyArray<Value>>
) => {
  const names = columns.map((column) => `"${column}"`).join(", ")
  const stream = await sql.unsafe(`copy ${table} (${names}) from stdin`).writable()
  await send(stream, rows)
  stream.end()
  await finished(stream, inTime())
}
