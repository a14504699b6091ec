import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"

/** What PostgreSQL makes of a piece of text: its lexemes with their positions in it, and how many positions it fills. */
interface Piece {
  readonly lexemes: ReadonlyArray<readonly [quoted: string, position: number]>
  readonly length: number
}

/** The pieces that this process has asked each database about. */
const knownOf = new WeakMap<Sql, Map<string, Piece>>()

/** A record of millions of words has some hundred thousand distinct ones. */
const mostKnown = 300_000

/** A piece that is longer is not a word that will come again. */
const longestPiece = 100

/** Positions in a stretch beyond which PostgreSQL is left to say what it keeps of them. */
const mostPositions = 255

/** A word by which the position after a piece is found: neither a stop word nor stemmed, and out of reach of an `&`. */
const marker = " . zq"

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
  const rows = yield* db<{ lexemes: ReadonlyArray<readonly [string, ReadonlyArray<number>]> }>`
    select (select json_agg(json_build_array(l.lexeme, l.positions))
      from unnest(search_vector(asked.piece || ${marker}::text)) l) as lexemes
    from unnest(${pieces}::text[]) with ordinality asked (piece, position) order by asked.position`
  for (const [at, { lexemes }] of rows.entries()) {
    const spread = lexemes.flatMap(([lexeme, positions]) => positions.map((position) => [lexeme, position] as const))
    const end = Math.max(...spread.map(([, position]) => position))
    known.set(pieces[at] ?? "", {
      lexemes: spread.filter(([, position]) => position < end).map(([lexeme, position]) => [quoted(lexeme), position]),
      length: end - 1
    })
  }
})

/** The literal may name a lexeme more than once: PostgreSQL gathers its positions. */
const vectorOf = (pieces: ReadonlyArray<Piece | undefined>): string | null => {
  let vector = ""
  let before = 0
  for (const piece of pieces) {
    if (piece === undefined) return null
    for (const [lexeme, position] of piece.lexemes) vector += `${lexeme}:${before + position} `
    before += piece.length
  }
  return before > mostPositions ? null : vector
}

/**
 * The vectors (`tsvector` literals) that `search_vector` makes of these stretches, from the lexemes of their words, which the database
 * is asked for once per distinct word. Null where only the database can tell; a row without a vector gets it by a trigger.
 */
export const chunkVectors = Effect.fnUntraced(function* (db: Sql, texts: ReadonlyArray<string>) {
  const held = knownOf.get(db)
  const known = held === undefined || held.size > mostKnown ? new Map<string, Piece>() : held
  knownOf.set(db, known)
  const unknown = new Set<string>()
  const cut = texts.map((text) =>
    piecesOf(text)?.map((piece) => {
      const found = known.get(piece)
      if (found === undefined && piece.length <= longestPiece) unknown.add(piece)
      return found ?? piece
    })
  )
  yield* learn(db, known, [...unknown])
  return cut.map((pieces) =>
    pieces === undefined
      ? null
      : vectorOf(pieces.map((piece) => (typeof piece === "string" ? known.get(piece) : piece)))
  )
})
