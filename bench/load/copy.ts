import { once } from "node:events"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import type { ReservedSql, Sql } from "postgres"

/** A value of a row: lists are arrays of PostgreSQL, bytes are `bytea`, objects are JSON. */
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

/**
 * An error of PostgreSQL does not always reach the stream; five minutes are more than it needs for what it was handed.
 */
const inTime = () => ({ signal: AbortSignal.timeout(5 * 60_000) })

/** Characters that are handed on at a time. */
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

/** Puts rows into a table by COPY (the text format of PostgreSQL 18's manual, section COPY). */
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
