import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync
} from "node:fs"
import { endianness } from "node:os"
import * as path from "node:path"
import { crc32 } from "node:zlib"
import { type SegmentMeta, SegmentRefused } from "../types.ts"
import { BlockSums, sealed, unsealed } from "./checksums.ts"
import { PieceReader } from "./piece-reader.ts"
import { readInto } from "./read-into.ts"

/** Raise it when the meaning of a file changes; segments of another format are rebuilt. */
export const format = 6

/** Files of which a query reads one term at a time. */
export const pieceFiles = ["docs", "impact", "pos", "skip"] as const
export type PieceFile = (typeof pieceFiles)[number]

/** Files that are held in memory: the term dictionary with its offsets, and a column for each field of a document. */
const memoryFiles = [
  "term.bytes",
  "term.at",
  "term.df",
  "term.docs",
  "term.pos",
  "doc.id",
  "doc.body",
  "doc.year",
  "doc.day",
  "doc.title",
  "doc.wide",
  "doc.printed"
] as const
export type MemoryFile = (typeof memoryFiles)[number]

/** The file with the checksums of a piece file's blocks. */
const sumsOf = (name: PieceFile) => `${name}.sums`

const metaFile = "meta.json"

/** Appends all of `bytes` to a file; one system call writes at most 2 GB. */
export const append = (file: number, bytes: Uint8Array) => {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, Math.min(bytes.length - at, 1 << 30))
}

const syncDirectory = (directory: string) => {
  const folder = openSync(directory, "r")
  fsyncSync(folder)
  closeSync(folder)
}

/**
 * Writes the files of one segment. `meta.json` comes last, under a temporary name first and, when `durable`, after all
 * other files are flushed, so a build that is killed leaves a folder that is not a segment. An existing folder is
 * replaced.
 */
export class SegmentWriter {
  readonly #directory: string
  readonly #durable: boolean
  readonly #pieces: { readonly [Name in PieceFile]: number }
  readonly #sums: { readonly [Name in PieceFile]: BlockSums }
  readonly #files: Record<string, { bytes: number; crc32?: number }> = {}

  constructor(directory: string, durable: boolean) {
    this.#directory = directory
    this.#durable = durable
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
    const open = (name: PieceFile) => openSync(path.join(directory, name), "w")
    this.#pieces = { docs: open("docs"), impact: open("impact"), pos: open("pos"), skip: open("skip") }
    this.#sums = { docs: new BlockSums(), impact: new BlockSums(), pos: new BlockSums(), skip: new BlockSums() }
    for (const name of pieceFiles) this.#files[name] = { bytes: 0 }
  }

  append(name: PieceFile, array: ArrayBufferView) {
    append(this.#pieces[name], bytesOf(array))
    this.#sums[name].append(bytesOf(array))
    this.#files[name] = { bytes: (this.#files[name]?.bytes ?? 0) + array.byteLength }
  }

  finish(
    memory: { readonly [Name in MemoryFile]: ArrayBufferView },
    about: Omit<SegmentMeta, "format" | "endianness" | "files">
  ): SegmentMeta {
    const put = (name: string, array: ArrayBufferView) => {
      const bytes = bytesOf(array)
      this.#put(name, bytes)
      this.#files[name] = { bytes: bytes.length, crc32: crc32(bytes) }
    }
    for (const name of memoryFiles) put(name, memory[name])
    for (const name of pieceFiles) put(sumsOf(name), this.#sums[name].finish())
    this.close()
    const meta: SegmentMeta = { format, endianness: endianness(), ...about, files: this.#files }
    this.#put(`${metaFile}.new`, Buffer.from(sealed(JSON.stringify(meta, undefined, 2))))
    renameSync(path.join(this.#directory, `${metaFile}.new`), path.join(this.#directory, metaFile))
    if (this.#durable) {
      syncDirectory(this.#directory)
      syncDirectory(path.dirname(this.#directory))
    }
    return meta
  }

  /** Closes the files; nothing can be appended afterwards. Idempotent. */
  close() {
    if (this.#closed) return
    this.#closed = true
    for (const name of pieceFiles) {
      if (this.#durable) fsyncSync(this.#pieces[name])
      closeSync(this.#pieces[name])
    }
  }
  #closed = false

  #put(name: string, bytes: Uint8Array) {
    const file = openSync(path.join(this.#directory, name), "w")
    append(file, bytes)
    if (this.#durable) fsyncSync(file)
    closeSync(file)
  }
}

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null

const isMeta = (value: unknown): value is SegmentMeta =>
  isRecord(value) &&
  value.format === format &&
  value.endianness === endianness() &&
  [value.revision, value.documents, value.terms, value.postings].every(Number.isSafeInteger) &&
  isRecord(value.averages) &&
  isRecord(value.files)

/**
 * Opens the files of a segment and checks them against its `meta.json`; piece files are checked as they are read.
 * Throws `SegmentRefused`.
 */
export const openFiles = (directory: string) => {
  const opened: Array<number> = []
  const refuse = (reason: string): never => {
    throw new SegmentRefused({ directory, reason })
  }
  try {
    const text = unsealed(readFileSync(path.join(directory, metaFile), "utf8"))
    const meta: unknown = text === undefined ? undefined : JSON.parse(text)
    if (!isMeta(meta)) return refuse(`${metaFile} is not of format ${format} on this kind of machine`)
    const open = (name: string) => {
      const file = openSync(path.join(directory, name), "r")
      opened.push(file)
      const { size } = fstatSync(file)
      if (size !== meta.files[name]?.bytes) refuse(`${name} has ${size} bytes instead of ${meta.files[name]?.bytes}`)
      return { file, size }
    }
    const whole = (name: string): ArrayBuffer => {
      const { file, size } = open(name)
      const bytes = new Uint8Array(size)
      readInto(file, bytes, 0)
      if (crc32(bytes) !== meta.files[name]?.crc32) refuse(`the bytes of ${name} are not the ones that were written`)
      closeSync(file)
      opened.pop()
      return bytes.buffer
    }
    const memory: { [Name in MemoryFile]?: ArrayBuffer } = {}
    for (const name of memoryFiles) memory[name] = whole(name)
    const piece = (name: PieceFile) => {
      const sums = new Uint32Array(whole(sumsOf(name)))
      const { file, size } = open(name)
      return new PieceReader(file, size, sums, (reason) => refuse(`${name} is damaged: ${reason}`))
    }
    const pieces = { docs: piece("docs"), impact: piece("impact"), pos: piece("pos"), skip: piece("skip") }
    return { meta, pieces, memory: (name: MemoryFile) => memory[name] ?? new ArrayBuffer(0) }
  } catch (cause) {
    for (const file of opened) closeSync(file)
    if (cause instanceof SegmentRefused) throw cause
    throw new SegmentRefused({ directory, reason: String(cause) })
  }
}
