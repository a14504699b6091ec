import { Effect } from "effect"
import { decodeTsvector, encodeTsvector, type TsVector } from "../../../layers/db/tsvector.ts"
import type { Sql } from "../../../layers/db.ts"
import type { Lexeme, Piece, Word, WrittenWords } from "./written-words.ts"

/** A stretch as search reads it. */
export interface ChunkVector {
  /** What `search_vector` makes of the text. */
  readonly words: TsVector
  /** For each position of it, from 1, the number of the word of the text, from 0. */
  readonly positions: ReadonlyArray<number>
}

/** A piece that is longer is not a word that will come again. */
const longestPiece = 100

/** Positions in a stretch beyond which PostgreSQL is left to say what it keeps of them. */
const mostPositions = 255

/**
 * Whether `search_vector` may read two neighboring words together. Each case is a rule of `search_text` (migration 31) that
 * looks past white space; all others, and the parser of PostgreSQL, look at one word at a time.
 */
const areLinked = (word: Word, next: Word): boolean =>
  word.hasAmpersand || next.hasAmpersand || (next.hasNumber && word.reachesOn) || (word.hasNumber && next.isAm)

const isClosed = (words: ReadonlyArray<Word>): boolean => !words.some(({ isOpen }) => isOpen)

const textOf = (words: ReadonlyArray<Word>): string => words.map(({ text }) => text).join(" ")

/**
 * Cuts the words of a stretch where no rule reaches across, and calls `onPiece` with the number of the first word of each
 * piece and of the first one after it.
 */
const cut = (words: ReadonlyArray<Word>, onPiece: (from: number, to: number) => void): void => {
  let from = 0
  let before: Word | undefined
  let at = 0
  for (const word of words) {
    if (before !== undefined && !areLinked(before, word)) {
      onPiece(from, at)
      from = at
    }
    before = word
    at++
  }
  if (at > from) onPiece(from, at)
}

const lexemeOf = ({ lexemes }: WrittenWords, bytes: Uint8Array): Lexeme => {
  const name = Buffer.from(bytes).toString("latin1")
  const known = lexemes.get(name)
  if (known !== undefined) return known
  const lexeme = { lexeme: bytes, positions: [] }
  lexemes.set(name, lexeme)
  return lexeme
}

/** A word of ASCII letters with a mark at its end at most, which the parser leaves out: what is asked about it. */
const plainPart = (word: string): string | undefined => /^([a-z]+)[.,;:?!]?$/i.exec(word)?.[1]?.toLowerCase()

/** Asks about plain words, most of all: one dictionary reads them, which costs a tenth of taking them apart as texts. */
const learnPlain = Effect.fnUntraced(function* (db: Sql, known: WrittenWords, words: ReadonlyMap<string, Array<Word>>) {
  if (words.size === 0) return
  const rows = yield* db<{ word: string; lexeme: string | null }>`
    select asked.word, (ts_lexize('english_stem', asked.word))[1] as lexeme
    from unnest(${[...words.keys()]}::text[]) asked (word) where search_text(asked.word) = asked.word`
  for (const { word, lexeme } of rows) {
    const lexemes = lexeme === null ? [] : [{ lexeme: lexemeOf(known, Buffer.from(lexeme)), position: 1 }]
    const read: Piece = { lexemes, words: [0] }
    for (const spelling of words.get(word) ?? []) spelling.piece = read
  }
})

/** Asks about other pieces, each as a text of its own. */
const learnOther = Effect.fnUntraced(function* (db: Sql, known: WrittenWords, pieces: ReadonlyArray<string>) {
  const rows = yield* db<{ vector: TsVector; words: ReadonlyArray<number> | null; positions: number }>`
    select search_vector(asked.piece) as vector,
      case when strpos(asked.piece, ' ') > 0 then word_positions(asked.piece) end as words,
      (select count(*)::int from ts_parse('default', search_text(asked.piece)) where tokid not in (12, 13, 14, 23)) as positions
    from unnest(${pieces}::text[]) with ordinality asked (piece, position) order by asked.position`
  return rows.map(
    ({ vector, words, positions }): Piece => ({
      lexemes: decodeTsvector(vector).flatMap(({ lexeme, positions }) =>
        positions.map((position) => ({ lexeme: lexemeOf(known, lexeme), position }))
      ),
      words: words?.map((word) => word - 1) ?? Array<number>(positions).fill(0)
    })
  )
})

/** Asks the database about what is not known yet of these stretches. */
const learn = Effect.fnUntraced(function* (
  db: Sql,
  known: WrittenWords,
  stretches: ReadonlyArray<ReadonlyArray<Word>>
) {
  const plain = new Map<string, Array<Word>>()
  const others = new Set<Word>()
  const pieces = new Set<string>()
  for (const words of stretches) {
    cut(words, (from, to) => {
      const word = words[from]
      if (word === undefined) return
      if (to - from > 1) {
        const piece = textOf(words.slice(from, to))
        if (piece.length <= longestPiece && !known.pieces.has(piece)) pieces.add(piece)
        return
      }
      if (word.piece !== undefined || word.text.length > longestPiece) return
      const part = plainPart(word.text)
      if (part === undefined) others.add(word)
      else {
        const spellings = plain.get(part)
        if (spellings === undefined) plain.set(part, [word])
        else if (!spellings.includes(word)) spellings.push(word)
      }
    })
  }
  yield* learnPlain(db, known, plain)
  for (const word of [...plain.values()].flat()) if (word.piece === undefined) others.add(word)
  if (others.size + pieces.size === 0) return
  const asked = yield* learnOther(db, known, [...[...others].map(({ text }) => text), ...pieces])
  let next = 0
  for (const word of others) word.piece = asked[next++]
  for (const piece of pieces) {
    const read = asked[next++]
    if (read !== undefined) known.pieces.set(piece, read)
  }
})

/** The vector of a stretch, if everything in it is known. */
const vectorOf = (known: WrittenWords, words: ReadonlyArray<Word>): ChunkVector | undefined => {
  const found: Array<Lexeme> = []
  const positions: Array<number> = []
  let isWhole = true
  cut(words, (from, to) => {
    const piece = to - from === 1 ? words[from]?.piece : known.pieces.get(textOf(words.slice(from, to)))
    if (piece === undefined) {
      isWhole = false
      return
    }
    for (const { lexeme, position } of piece.lexemes) {
      if (lexeme.positions.length === 0) found.push(lexeme)
      lexeme.positions.push(positions.length + position)
    }
    for (const word of piece.words) positions.push(from + word)
  })
  const vector = isWhole && positions.length <= mostPositions ? { words: encodeTsvector(found), positions } : undefined
  for (const lexeme of found) lexeme.positions.length = 0
  return vector
}

/** The same of whole texts, from the database. */
const askedFor = Effect.fnUntraced(function* (db: Sql, texts: ReadonlyArray<string>) {
  if (texts.length === 0) return []
  const rows = yield* db<{ words: TsVector; positions: ReadonlyArray<number> }>`
    select search_vector(asked.value) as words, word_positions(asked.value) as positions
    from unnest(${texts}::text[]) with ordinality asked (value, position) order by asked.position`
  return rows.map(({ words, positions }) => ({ words, positions: positions.map((word) => word - 1) }))
})

/**
 * What search reads of these stretches, from the lexemes of their words, which the database is asked for once per distinct
 * word. Where words may be read together that are not neighbors, it is asked about the whole stretch.
 */
export const chunkVectors = Effect.fnUntraced(function* (
  db: Sql,
  known: WrittenWords,
  stretches: ReadonlyArray<ReadonlyArray<Word>>
) {
  const vectors = stretches.map((words) => (isClosed(words) ? vectorOf(known, words) : undefined))
  const unknown = [...stretches.entries()].filter(([at, words]) => vectors[at] === undefined && isClosed(words))
  yield* learn(
    db,
    known,
    unknown.map(([, words]) => words)
  )
  for (const [at, words] of unknown) vectors[at] = vectorOf(known, words)
  const left = yield* askedFor(db, stretches.filter((_, at) => vectors[at] === undefined).map(textOf))
  let next = 0
  return vectors.flatMap((vector) => vector ?? left[next++] ?? [])
})
