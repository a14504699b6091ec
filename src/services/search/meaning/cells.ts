import { Effect, Schema } from "effect"
import type { ReadSql, Sql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { halves, likeness, unpacked, type Vector } from "./vectors.ts"

interface Cell {
  readonly id: number
  readonly center: Vector
}

/** Beyond so many different texts a cell is split. */
const mostInCell = 2000

const cellRows = rowsBy(Schema.Struct({ id: Schema.Int, center: Schema.Uint8Array }))
const memberRows = rowsBy(Schema.Struct({ digest: Schema.String, vector: Schema.Uint8Array }))

/** All cells of a model. */
export const cellsOf = (db: ReadSql, model: string) =>
  Effect.map(cellRows(db`select id, center from embedding_cell where model = ${model} order by id`), (rows) =>
    rows.map(({ id, center }): Cell => ({ id, center: unpacked(center) }))
  )

/** The cells nearest to a vector, nearest first. */
export const nearest = (cells: ReadonlyArray<Cell>, vector: Vector, most: number): ReadonlyArray<number> =>
  cells
    .filter(({ center }) => center.length === vector.length)
    .map(({ id, center }) => ({ id, like: likeness(center, vector) }))
    .toSorted((a, b) => b.like - a.like)
    .slice(0, most)
    .map(({ id }) => id)

/** Adds a cell, for the first vector of a model. */
export const addCell = (db: Sql, model: string, center: Vector) =>
  db`insert into embedding_cell (model, center) values (${model}, ${bytesOf(center)}::bytea)`

/** A vector as it is sent to the database. */
export const bytesOf = (vector: Vector): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.length)

/**
 * Splits those of these cells that have too many different texts, one transaction each; returns how many. One half
 * keeps the cell, so that whatever is written meanwhile has its place.
 */
export const splitCells = Effect.fnUntraced(function* (db: Sql, model: string, ids: ReadonlyArray<number>) {
  const full = yield* db<{ id: number }>`
    select c.id from embedding_cell c where c.id = any(${ids}::int[]) and c.splits and (
      select count(*) from (select distinct digest from embedding where cell = c.id limit ${mostInCell + 1}) texts
    ) > ${mostInCell} order by c.id`
  const split = Effect.fnUntraced(function* (id: number) {
    const locked = yield* db`select from embedding_cell where id = ${id} for update skip locked`
    if (locked.length === 0) return
    const members = yield* memberRows(db`
      select encode(t.digest, 'hex') as digest, e.vector
      from (select distinct digest from embedding where cell = ${id} order by digest limit ${2 * mostInCell}) t,
        lateral (select vector from embedding where digest = t.digest and cell = ${id} limit 1) e
      order by t.digest`)
    const found = halves(members.map(({ vector }) => unpacked(vector)))
    if (found === undefined) return yield* db`update embedding_cell set splits = false where id = ${id}`
    const [first, second] = found.centers
    const moved = members.filter((_, at) => found.isSecond[at]).map(({ digest }) => digest)
    yield* db`update embedding_cell set center = ${bytesOf(first)}::bytea where id = ${id}`
    yield* db`
      with other as (
        insert into embedding_cell (model, center) values (${model}, ${bytesOf(second)}::bytea) returning id)
      update embedding e set cell = other.id from other, unnest(${moved}::text[]) moved (digest)
      where e.cell = ${id} and e.digest = decode(moved.digest, 'hex')`
  })
  for (const { id } of full) yield* db.withTransaction(split(id))
  return full.length
})
