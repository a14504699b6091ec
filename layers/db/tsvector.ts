import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

/** The OIDs of `tsvector` and `tsvector[]`; those of built-in types never change. */
const vectorOid = 3614
const vectorsOid = 3643

/** The binary wire form of a `tsvector` (`tsvectorsend` and `tsvectorrecv` in PostgreSQL's tsvector.c). */
export type TsVector = Uint8Array

/** A lexeme with its positions, from 1: the first `count` of a list. */
interface Placed {
  /** In UTF-8. */
  readonly lexeme: Uint8Array
  readonly positions: ReadonlyArray<number>
  readonly count: number
}

// The driver decodes an unknown type as text.
PgTypes.register<TsVector>(vectorOid, {
  encode: (vector) => Result.succeed(vector),
  decode: (bytes) => Result.succeed(bytes.slice())
})

const encodeVectors = (vectors: ReadonlyArray<TsVector>): Uint8Array => {
  const bytes = Buffer.allocUnsafe(vectors.reduce((size, { length }) => size + 4 + length, 20))
  // One dimension, no nulls, the element type, the length, and the lower bound (array_recv).
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

/** A `tsvector[]` as a statement's parameter. */
export const tsvectors = (vectors: ReadonlyArray<TsVector>): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid: vectorsOid,
  value: vectors
})

/** A vector of these distinct lexemes, given in any order. */
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

/** The binary form of a vector without weights. */
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
