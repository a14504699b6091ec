import { Effect, Stream } from "effect"
import type { SqlError } from "effect/sql"
import type { Sql } from "../../../layers/db/db.ts"
import { UserClipId } from "../../../schema/primitives.ts"
import { userClipCaptionsKey, userClipKey } from "../../services/meetings/media-tier.ts"

/** Rows per fetch: some are a megabyte. */
const pageSize = 100

interface Table {
  readonly name: string
  /** The stored columns in order, without computed ones. */
  readonly columns: readonly [string, ...ReadonlyArray<string>]
}

/**
 * Every table except the migrations', which a restore fills itself, and those that refer to this database's own
 * transactions.
 */
export const tablesOf = (db: Sql) => db<Table>`
  select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and c.relname not in ('migration', 'function_file', 'search_change', 'search_segment')
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  group by c.relname order by c.relname`

/** The counters of identity columns. They are not part of a snapshot, so they are never behind its rows. */
export const sequencesOf = Effect.fnUntraced(function* (db: Sql) {
  const found = yield* db<{ table: string; column: string; sequence: string }>`
    select c.relname::text as table, a.attname::text as column,
      pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1, 2`
  return yield* Effect.forEach(found, ({ table, column, sequence }) =>
    Effect.map(
      db.unsafe<{ last: number; called: boolean }>(
        `select last_value::float8 as last, is_called as called from ${sequence}`
      ),
      ([state]) => ({ table, column, last: state?.last ?? 1, called: state?.called ?? false })
    )
  )
})

/** The rows of a table as lines (see `Manifest`), read through a cursor of the caller's transaction. */
export const rowsOf = (db: Sql, { name, columns }: Table): Stream.Stream<string, SqlError.SqlError> => {
  const values = columns.map((column) => `"${column}"::text`).join(", ")
  const cursor = `cursor_${name}`
  return Stream.unwrap(
    db
      .unsafe(
        `declare "${cursor}" no scroll cursor for select json_build_array(${values})::text as line from "${name}"`
      )
      .pipe(
        Effect.as(
          Stream.fromEffectRepeat(db.unsafe<{ line: string }>(`fetch ${pageSize} from "${cursor}"`)).pipe(
            Stream.takeWhile((rows) => rows.length > 0),
            Stream.flatMap((rows) => Stream.fromIterable(rows.map(({ line }) => line)))
          )
        )
      )
  )
}

/** An object of the store that the record refers to. */
export interface Referenced {
  readonly key: string
  /** Whether it must exist: captions are made only if something is said. */
  readonly expected: boolean
}

/** Every object of the store that the record refers to, in the caller's snapshot. */
export const referencedMedia = Effect.fnUntraced(function* (db: Sql) {
  const media = yield* db<{
    key: string
  }>`select key from media union all select key from part_version where key is not null order by key`
  const clips = yield* db<{ id: string }>`select id from user_clip where state = 'ready' order by id`
  return [
    ...media.map(({ key }): Referenced => ({ key, expected: true })),
    ...clips.flatMap(({ id }): ReadonlyArray<Referenced> => {
      const clip = UserClipId.make(id)
      return [
        { key: userClipKey(clip), expected: true },
        { key: userClipCaptionsKey(clip), expected: false }
      ]
    })
  ]
})
