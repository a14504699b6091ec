import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

/** `tsvector` and `tsvector[]` in `pg_type`: the numbers of PostgreSQL's own types never change. */
const vectorOid = 3614
const vectorsOid = 3643

/** A `tsvector` as PostgreSQL sends and receives it (`tsvectorsend` and `tsvectorrecv` in its tsvector.c). */
export type TsVector = Uint8Array

/** A lexeme with the positions, from 1, at which it stands: the first `count` of a list. */
interface Placed {
  /** In UTF-8. */
  readonly lexeme: Uint8Array
  readonly positions: ReadonlyArray<number>
  readonly count: number
}

// Of a type that it does not know, the driver makes text.
PgTypes.register<TsVector>(vectorOid, {
  encode: (vector) => Result.succeed(vector),
  decode: (bytes) => Result.succeed(bytes.slice())
})

const encodeVectors = (vectors: ReadonlyArray<TsVector>): Uint8Array => {
  const bytes = Buffer.allocUnsafe(vectors.reduce((size, { length }) => size + 4 + length, 20))
  // One dimension, no nulls, the elements' type, how many there are, and the number of the first (array_recv).
  let at = 0
  for (const field of [1, 0, vectorOid, vectors.length, 1]) at = bytes.writeInt32BE(field, at)
  for (const vector of vectors) {
    at = bytes.writeInt32BE(vector.length, at)
    bytes.set(vector, at)
    at += vector.length
  }
  return bytes
}

PgTypes.register<ReadonlyArray<TsVector>>(vectorsOid, {
  encode: (vectors) => Result.succeed(encodeVectors(vectors)),
  decode: () => Result.fail(new PgTypes.CodecError({ message: "A list of tsvectors is only ever sent" }))
})

/** A parameter of a statement, a `tsvector[]`. */
export const tsvectors = (vectors: ReadonlyArray<TsVector>): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid: vectorsOid,
  value: vectors
})

/** The vector of these lexemes, each of which is there once, in any order. */
export const encodeTsvector = (placed: ReadonlyArray<Placed>): TsVector => {
  let size = 4
  for (const { lexeme, count } of placed) size += lexeme.length + 3 + 2 * count
  const bytes = Buffer.allocUnsafe(size)
  let at = bytes.writeInt32BE(placed.length, 0)
  for (const { lexeme, positions, count } of placed) {
    for (let index = 0; index < lexeme.length; index++) bytes[at++] = lexeme[index] ?? 0
    bytes[at++] = 0
    bytes[at++] = count >>> 8
    bytes[at++] = count
    for (let index = 0; index < count; index++) {
      const position = positions[index] ?? 0
      bytes[at++] = position >>> 8
      bytes[at++] = position
    }
  }
  return bytes
}

/** What a vector without weights says. */
export const decodeTsvector = (vector: TsVector): ReadonlyArray<Placed> => {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.length)
  const placed: Array<Placed> = []
  let at = 4
  for (let left = bytes.readInt32BE(0); left > 0; left--) {
    const end = bytes.indexOf(0, at)
    const count = bytes.readUInt16BE(end + 1)
    const positions = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(end + 3 + 2 * index))
    placed.push({ lexeme: bytes.subarray(at, end), positions, count })
    at = end + 3 + 2 * count
  }
  return placed
}
