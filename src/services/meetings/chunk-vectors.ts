import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"

/** What PostgreSQL makes of a piece of text: its lexemes with their positions in it, and for each position its word. */
interface Piece {
  readonly lexemes: ReadonlyArray<readonly [quoted: string, position: number]>
  readonly words: ReadonlyArray<number>
}

/** A stretch as search reads it. */
export interface ChunkVector {
  /** A `tsvector` literal, of what `search_vector` makes of the text. */
  readonly words: string
  /** For each position of it, from 1, the number of the word of the text, from 0. */
  readonly positions: ReadonlyArray<number>
}

/** The pieces that this process has asked each database about. */
const knownOf = new WeakMap<Sql, Map<string, Piece>>()

/** A record of millions of words has some hundred thousand distinct ones. */
const mostKnown = 300_000

/** A piece that is longer is not a word that will come again. */
const longestPiece = 100

/** Positions in a stretch beyond which PostgreSQL is left to say what it keeps of them. */
const mostPositions = 255

/** What a word may do to a number after it: `I 40` is also I40, and `No. 88` is 88. */
const reachesOn = /(?:^|[^a-z0-9])(?:[aist]|no)[^a-z0-9]*$/i

/** `7 am` is an hour. */
const isAm = /^[^a-z0-9]*am(?![a-z])/i

/**
 * Whether `search_vector` may read two neighboring words together. Each case is a rule of `search_text` (migration 31) that
 * looks past white space; all others, and the parser of PostgreSQL, look at one word at a time.
 */
const isLinked = (word: string, next: string): boolean => {
  if (word.includes("&") || next.includes("&")) return true
  if (/\p{N}/u.test(next) && reachesOn.test(word)) return true
  return isAm.test(next) && /\p{N}/u.test(word)
}

/** Cuts a text, whose words are separated by single spaces, where no rule reaches across; undefined where it cannot be cut. */
const piecesOf = (text: string): ReadonlyArray<string> | undefined => {
  // A tag may go on for any number of words, and a path may begin after any of them.
  if (/[<~]/.test(text)) return undefined
  const words = text.split(" ")
  if (!/[&\p{N}]/u.test(text)) return words
  const pieces: Array<string> = []
  let before = ""
  let piece = ""
  for (const [at, word] of words.entries()) {
    if (at > 0 && isLinked(before, word)) piece += ` ${word}`
    else {
      if (at > 0) pieces.push(piece)
      piece = word
    }
    before = word
  }
  pieces.push(piece)
  return pieces
}

const quoted = (lexeme: string): string => `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

/** Asks the database about pieces that are not known yet. */
const learn = Effect.fnUntraced(function* (db: Sql, known: Map<string, Piece>, pieces: ReadonlyArray<string>) {
  if (pieces.length === 0) return
  const rows = yield* db<{
    lexemes: ReadonlyArray<readonly [string, ReadonlyArray<number>]> | null
    words: ReadonlyArray<number>
  }>`
    select (select json_agg(json_build_array(l.lexeme, l.positions)) from unnest(search_vector(asked.piece)) l) as lexemes,
      word_positions(asked.piece) as words
    from unnest(${pieces}::text[]) with ordinality asked (piece, position) order by asked.position`
  for (const [at, { lexemes, words }] of rows.entries()) {
    known.set(pieces[at] ?? "", {
      lexemes: (lexemes ?? []).flatMap(([lexeme, positions]) =>
        positions.map((position) => [quoted(lexeme), position] as const)
      ),
      words: words.map((word) => word - 1)
    })
  }
})

/** A piece of a stretch, or its text while it is not known, with how many words of the stretch come before it. */
interface Placed {
  readonly piece: Piece | string
  readonly before: number
}

const wordsIn = (piece: string): number => (piece.includes(" ") ? piece.split(" ").length : 1)

/** The literal may name a lexeme more than once: PostgreSQL gathers its positions. */
const vectorOf = (pieces: ReadonlyArray<Placed>, known: ReadonlyMap<string, Piece>): ChunkVector | undefined => {
  let words = ""
  const positions: Array<number> = []
  for (const { piece, before } of pieces) {
    const found = typeof piece === "string" ? known.get(piece) : piece
    if (found === undefined) return undefined
    for (const [lexeme, position] of found.lexemes) words += `${lexeme}:${positions.length + position} `
    for (const word of found.words) positions.push(before + word)
  }
  return positions.length > mostPositions ? undefined : { words, positions }
}

/** The same of whole texts, from the database. */
const askedFor = Effect.fnUntraced(function* (db: Sql, texts: ReadonlyArray<string>) {
  if (texts.length === 0) return []
  const rows = yield* db<{ words: string; positions: ReadonlyArray<number> }>`
    select search_vector(asked.value)::text as words, word_positions(asked.value) as positions
    from unnest(${texts}::text[]) with ordinality asked (value, position) order by asked.position`
  return rows.map(({ words, positions }) => ({ words, positions: positions.map((word) => word - 1) }))
})

/**
 * What search reads of these stretches, from the lexemes of their words, which the database is asked for once per distinct
 * word. Where words may be read together that are not neighbors, it is asked about the whole stretch.
 */
export const chunkVectors = Effect.fnUntraced(function* (db: Sql, texts: ReadonlyArray<string>) {
  const held = knownOf.get(db)
  const known = held === undefined || held.size > mostKnown ? new Map<string, Piece>() : held
  knownOf.set(db, known)
  const unknown = new Set<string>()
  const cut = texts.map((text) => {
    let before = 0
    return piecesOf(text)?.map((text): Placed => {
      const found = known.get(text)
      if (found === undefined && text.length <= longestPiece) unknown.add(text)
      const placed = { piece: found ?? text, before }
      before += wordsIn(text)
      return placed
    })
  })
  yield* learn(db, known, [...unknown])
  const vectors = cut.map((pieces) => pieces && vectorOf(pieces, known))
  const left = yield* askedFor(
    db,
    texts.filter((_, at) => vectors[at] === undefined)
  )
  let next = 0
  return vectors.flatMap((vector) => vector ?? left[next++] ?? [])
})
