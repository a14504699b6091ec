import { Effect, Stream } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { Manifest } from "./contents.ts"
import { readLines } from "./files.ts"
import type { Place } from "./place.ts"

/** Rows per insert. */
const pageSize = 100

/** Drops the foreign keys of every table. Returns an effect that restores them, which checks every row. */
export const withoutForeignKeys = Effect.fnUntraced(function* (db: Sql) {
  const keys = yield* db<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid, conname`
  yield* Effect.forEach(keys, ({ table, name }) => db.unsafe(`alter table ${table} drop constraint ${name}`))
  return Effect.forEach(keys, ({ table, name, definition }) =>
    db.unsafe(`alter table ${table} add constraint ${name} ${definition}`)
  )
})

/** Replaces the rows that a table's migration made with the backup's. */
export const loadTable = Effect.fnUntraced(function* (
  db: Sql,
  place: Place,
  { name, columns, file }: Manifest["tables"][number]
) {
  const types = yield* db<{ column: string; type: string }>`
    select attname::text as column, format_type(atttypid, atttypmod) as type
    from pg_attribute where attrelid = ${`public.${name}`}::regclass and attnum > 0`
  const typeOf = new Map(types.map(({ column, type }) => [column, type]))
  const names = columns.map((column) => `"${column}"`).join(", ")
  const values = columns.map((column, at) => `(v ->> ${at})::${typeOf.get(column)}`).join(", ")
  const insert = `
    insert into "${name}" (${names}) overriding system value
    select ${values} from (select line::json as v from unnest($1::text[]) as line offset 0) as parsed`
  yield* db.unsafe(`delete from "${name}"`)
  yield* readLines(place, file).pipe(
    Stream.grouped(pageSize),
    Stream.runForEach((lines) => db.unsafe(insert, [lines]))
  )
})

/** Sets the counters of identity columns. */
export const loadSequences = (db: Sql, sequences: Manifest["sequences"]) =>
  Effect.forEach(
    sequences,
    ({ table, column, last, called }) =>
      db`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}, ${called})`,
    { discard: true }
  )
