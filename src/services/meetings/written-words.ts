import type { Sql } from "../../../layers/db/db.ts"
import { isSpace } from "./passages.ts"
import { formsOf } from "./word-forms.ts"

/** A lexeme. While a vector is being built, its positions are the first `count` of `positions`. */
export interface Lexeme {
  /** UTF-8. */
  readonly lexeme: Uint8Array
  readonly positions: Array<number>
  count: number
}

/** A word, or several words read together, as PostgreSQL parses them. */
export interface Piece {
  readonly lexemes: ReadonlyArray<{ readonly lexeme: Lexeme; readonly position: number }>
  /** Maps each position to a word of the piece (from 0). */
  readonly words: ReadonlyArray<number>
}

/** The lexeme of a word that search ignores. */
export const ignored: Lexeme = { lexeme: new Uint8Array(), positions: [], count: 0 }

/** A written word, delimited by white space, with its cached properties. */
export interface Word {
  readonly text: string
  /** A tag or a path may begin in it and span any number of words. */
  readonly isOpen: boolean
  /** Has a number or an ampersand; two words are read together only if one of them does. */
  readonly isOdd: boolean
  readonly hasAmpersand: boolean
  readonly hasNumber: boolean
  /** May be read together with a number after it: `I 40` is also I40, and `No. 88` is 88. */
  readonly reachesOn: boolean
  /** Begins with `am`, as in `7 am`. */
  readonly isAm: boolean
  /** Its forms in `word_form`. */
  readonly forms: ReadonlyArray<string>
  /** Its occurrences while a text is being counted. */
  times: number
  /** The lexeme of a word with one position, as nearly all words have; undefined until looked up. */
  lexeme: Lexeme | undefined
  /** The parse of any other word, with several positions or none. */
  piece: Piece | undefined
}

/** A cache of the words that this process has read in texts for one database. */
export interface WrittenWords {
  /** The word at an offset of a text, up to the next white space. */
  readonly wordAt: (text: string, from: number) => Word
  readonly size: () => number
  /** Pieces of several words, keyed by their text. */
  readonly pieces: Map<string, Piece>
  /** Keyed by their bytes as Latin-1. */
  readonly lexemes: Map<string, Lexeme>
}

const makeWord = (text: string): Word => ({
  text,
  isOpen: /[<~]/.test(text),
  isOdd: /[&\p{N}]/u.test(text),
  hasAmpersand: text.includes("&"),
  hasNumber: /\p{N}/u.test(text),
  reachesOn: /(?:^|[^a-z0-9])(?:[aist]|no)[^a-z0-9]*$/i.test(text),
  isAm: /^[^a-z0-9]*am(?![a-z])/i.test(text),
  forms: formsOf(text),
  times: 0,
  lexeme: undefined,
  piece: undefined
})

/** Copies part of a text into a string of its own, because a `slice` retains the whole text, which may be a file. */
const copyOf = (text: string, from: number, to: number): string => {
  const part = text.slice(from, to)
  const encoding = /\P{ASCII}/u.test(part) ? "utf16le" : "latin1"
  return Buffer.from(part, encoding).toString(encoding)
}

const isAt = (word: string, text: string, from: number, to: number): boolean => {
  if (word.length !== to - from) return false
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  return true
}

/**
 * A hash table of words, keyed by part of a text. A Map would need a string for each lookup; making and hashing those
 * was a third of the cost of indexing.
 */
const makeWrittenWords = (): WrittenWords => {
  const words: Array<Word> = []
  /** Pairs of a word's hash and its number (from 1), open-addressed with linear probing. */
  let slots = new Int32Array(1 << 17)
  const place = (hash: number, number: number) => {
    const mask = slots.length - 1
    let slot = (hash << 1) & mask
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
    slots[slot] = hash
    slots[slot + 1] = number
  }
  const add = (text: string, hash: number): Word => {
    const word = makeWord(text)
    words.push(word)
    if (words.length * 4 > slots.length) {
      const before = slots
      slots = new Int32Array(before.length * 4)
      for (let slot = 0; slot < before.length; slot += 2) {
        const number = before[slot + 1] ?? 0
        if (number !== 0) place(before[slot] ?? 0, number)
      }
    }
    place(hash, words.length)
    return word
  }
  return {
    wordAt: (text, from) => {
      // FNV-1a over UTF-16 code units.
      let hash = 0x811c9dc5
      let to = from
      for (; to < text.length && !isSpace(text, to); to++) hash = Math.imul(hash ^ text.charCodeAt(to), 0x01000193)
      const mask = slots.length - 1
      for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
        const number = slots[slot + 1] ?? 0
        if (number === 0) return add(copyOf(text, from, to), hash)
        if (slots[slot] !== hash) continue
        const word = words[number - 1]
        if (word !== undefined && isAt(word.text, text, from, to)) return word
      }
    },
    size: () => words.length,
    pieces: new Map(),
    lexemes: new Map()
  }
}

const knownOf = new WeakMap<Sql, WrittenWords>()

/** A record of millions of words has a few hundred thousand distinct ones. */
const mostKnown = 300_000

/** The cached words for a database. Call this for each text: a cache that grows too large is dropped. */
export const writtenWords = (db: Sql): WrittenWords => {
  const held = knownOf.get(db)
  if (held !== undefined && held.size() + held.pieces.size <= mostKnown) return held
  const known = makeWrittenWords()
  knownOf.set(db, known)
  return known
}
