import { Stream } from "effect"
import type { SqlError } from "effect/sql"
import type { Sql } from "../../../../layers/db/db.ts"
import { marksOf } from "../query/parts.ts"

/** The meetings of a segment: every held meeting, or some. Meetings of bodies without a key are left out. */
export interface Selection {
  /** The ids of bodies, indexed by key. */
  readonly bodies: ReadonlyArray<number>
  readonly meetings?: ReadonlyArray<string>
}

const columns = 8

/** The header and the trailer of a binary COPY (PostgreSQL, COPY, "Binary Format"). */
const header = Uint8Array.of(80, 71, 67, 79, 80, 89, 10, 255, 13, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0)
const trailer = Uint8Array.of(255, 255)

/** The output of `record_send` as a tuple of a COPY, which has the same fields without their types. */
const tupleOf = (record: Uint8Array): Uint8Array => {
  const from = new DataView(record.buffer, record.byteOffset, record.byteLength)
  const tuple = new Uint8Array(record.length - 2 - 4 * columns)
  new DataView(tuple.buffer).setInt16(0, columns)
  let [read, written] = [4, 2]
  for (let column = 0; column < columns; column++) {
    const end = read + 8 + Math.max(0, from.getInt32(read + 4))
    tuple.set(record.subarray(read + 4, end), written)
    written += end - read - 4
    read = end
  }
  return tuple
}

/**
 * A segment's rows in the form that `buildSegment` reads: that of `copy (select …) to stdout (format binary)`, but from
 * a plain statement, because the driver does not support COPY. The inner select sorts narrow rows; `offset 0` keeps the
 * passages out of its sort.
 */
export const rowsOf = (db: Sql, { bodies, meetings }: Selection): Stream.Stream<Uint8Array, SqlError.SqlError> =>
  Stream.concat(
    Stream.succeed(header),
    Stream.concat(
      db<{ record: Uint8Array }>`
        select record_send(row(m.id, m.key, m.year, m.day, m.named || ${marksOf(db)}, m.document,
          array(select p.words from passage_vector p where p.meeting_id = m.id order by p.position),
          array(select p.words from document_passage p where p.meeting_id = m.id order by p.position))) as record
        from (
          select s.meeting_id as id, (k.at - 1)::int as key, s.year, s.date - date '2000-01-01' as day,
            s.named, s.document
          from meeting_search s join unnest(${bodies}::int[]) with ordinality k (body_id, at) using (body_id)
          where ${meetings === undefined ? db`true` : db`s.meeting_id = any(${meetings}::uuid[])`}
          order by s.date, s.meeting_id desc offset 0
        ) m`.stream.pipe(Stream.map(({ record }) => tupleOf(record))),
      Stream.succeed(trailer)
    )
  )
