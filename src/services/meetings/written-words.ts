import type { Sql } from "../../../layers/db/db.ts"
import { isSpace } from "./passages.ts"
import { formsOf } from "./word-forms.ts"

/** A lexeme. While a vector is made, the first `count` of `positions` are where it stands. */
export interface Lexeme {
  /** In UTF-8. */
  readonly lexeme: Uint8Array
  readonly positions: Array<number>
  count: number
}

/** A word, or words that are read together, as PostgreSQL reads them. */
export interface Piece {
  readonly lexemes: ReadonlyArray<{ readonly lexeme: Lexeme; readonly position: number }>
  /** For each of its positions the word at it, from 0. */
  readonly words: ReadonlyArray<number>
}

/** The lexeme of a word that search ignores. */
export const ignored: Lexeme = { lexeme: new Uint8Array(), positions: [], count: 0 }

/** A word as it is written, between white space, with the facts about it that are needed again and again. */
export interface Word {
  readonly text: string
  /** A tag or a path may begin in it and go on for any number of words. */
  readonly isOpen: boolean
  /** Has a number or an ampersand, without which no two words are read together. */
  readonly isOdd: boolean
  readonly hasAmpersand: boolean
  readonly hasNumber: boolean
  /** What it may do to a number after it: `I 40` is also I40, and `No. 88` is 88. */
  readonly reachesOn: boolean
  /** `7 am` is an hour. */
  readonly isAm: boolean
  /** Its words in `word_form`. */
  readonly forms: ReadonlyArray<string>
  /** How often it was said, while that is counted. */
  times: number
  /** The lexeme of a word with one position, as nearly all words are. Missing until it was looked up. */
  lexeme: Lexeme | undefined
  /** Of a word with several positions, or none. */
  piece: Piece | undefined
}

/** The words that this process has read in texts for one database. */
export interface WrittenWords {
  /** The word that begins at a place of a text and ends before the next white space. */
  readonly wordAt: (text: string, from: number) => Word
  readonly size: () => number
  /** Pieces of several words, by their text. */
  readonly pieces: Map<string, Piece>
  /** By their bytes as Latin-1. */
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

/** A part of a text as a string of its own: what `slice` makes retains the whole text, which may be a file. */
const copyOf = (text: string, from: number, to: number): string => {
  const part = text.slice(from, to)
  const encoding = /\P{ASCII}/u.test(part) ? "utf16le" : "latin1"
  return Buffer.from(part, encoding).toString(encoding)
}

/** Whether a part of a text is this word. */
const isAt = (word: string, text: string, from: number, to: number): boolean => {
  if (word.length !== to - from) return false
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false
  return true
}

/**
 * A hash table of words, keyed by a part of a text. A Map would need that part as a string of its own, and making and
 * hashing those was a third of the cost of indexing a text.
 */
const makeWrittenWords = (): WrittenWords => {
  const words: Array<Word> = []
  /**
   * For each slot the hash of a word and its number, from 1. A word is in the slot that its hash gives it or the next
   * free one.
   */
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
      // FNV-1a of the UTF-16 code units.
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

/** A record of millions of words has some hundred thousand distinct ones. */
const mostKnown = 300_000

/** The words known for a database. Use them for one text only: once they are too many, they are dropped. */
export const writtenWords = (db: Sql): WrittenWords => {
  const held = knownOf.get(db)
  if (held !== undefined && held.size() + held.pieces.size <= mostKnown) return held
  const known = makeWrittenWords()
  knownOf.set(db, known)
  return known
}
