import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import { decodeTsvector, encodeTsvector, type TsVector } from "../../../layers/db/tsvector.ts"
import { textOf } from "./passages.ts"
import { ignored, type Lexeme, type Piece, type Word, type WrittenWords } from "./written-words.ts"

/** A passage as search indexes it. */
export interface PassageVector {
  /** The `search_vector` of the text. */
  readonly words: TsVector
  /** Maps a vector position (from 1) to a word of the text (from 0). */
  readonly positions: ReadonlyArray<number>
}

/** Longer pieces, in characters, are not cached, because they hardly recur. */
const longestPiece = 100

/** Past this many positions in a passage, PostgreSQL is asked which it kept. */
const mostPositions = 255

/**
 * Whether `search_vector` may read two neighboring words together. Each case is a rule of `search_text` that looks
 * across white space; all other rules, and PostgreSQL's parser, look at one word at a time.
 */
const areLinked = (word: Word, next: Word): boolean =>
  (word.isOdd || next.isOdd) &&
  (word.hasAmpersand || next.hasAmpersand || (next.hasNumber && word.reachesOn) || (word.hasNumber && next.isAm))

/** The index after the piece that begins at `from`: the first word that is not read together with the one before it. */
const pieceEnd = (words: ReadonlyArray<Word>, from: number): number => {
  let word = words[from]
  for (let at = from + 1; ; at++) {
    const next = words[at]
    if (word === undefined || next === undefined || !areLinked(word, next)) return at
    word = next
  }
}

/** At the beginning of a text `..` is parsed as a path; elsewhere the dots are dropped. */
const beginsWithDot = (words: ReadonlyArray<Word>): boolean => words[0]?.text.startsWith(".") === true

const isClosed = (words: ReadonlyArray<Word>): boolean => !beginsWithDot(words) && !words.some(({ isOpen }) => isOpen)

const lexemeOf = ({ lexemes }: WrittenWords, bytes: Uint8Array): Lexeme => {
  const name = Buffer.from(bytes).toString("latin1")
  const known = lexemes.get(name)
  if (known !== undefined) return known
  const lexeme = { lexeme: bytes, positions: [], count: 0 }
  lexemes.set(name, lexeme)
  return lexeme
}

/** The letters of a plain ASCII word, without one trailing punctuation mark, which the parser drops. */
const plainPart = (word: string): string | undefined => /^([a-z]+)[.,;:?!]?$/i.exec(word)?.[1]?.toLowerCase()

/**
 * Looks up plain words, which most words are, in the one dictionary that handles them, at a tenth of the cost of
 * parsing them as texts. A single call of `search_text` shows which of them it leaves unchanged: it keeps line breaks,
 * and no rule looks across one to a word without digits.
 */
const learnPlain = Effect.fnUntraced(function* (
  db: Sql,
  known: WrittenWords,
  words: ReadonlyMap<string, ReadonlySet<Word>>
) {
  if (words.size === 0) return
  const all = [...words.keys()]
  const rows = yield* db<{ word: string; lexeme: string | null }>`
    select asked.word, (ts_lexize('english_stem', asked.word))[1] as lexeme
    from unnest(${all}::text[], string_to_array(search_text(${all.join("\n")}), chr(10)))
      asked (word, read) where asked.read = asked.word`
  for (const { word, lexeme } of rows) {
    const read = lexeme === null ? ignored : lexemeOf(known, Buffer.from(lexeme))
    for (const spelling of words.get(word) ?? []) spelling.lexeme = read
  }
})

/**
 * Looks up other pieces, each as a text of its own, preceded by a space: the parser drops dots after a space, but reads
 * dots at the beginning of a text as a path.
 */
const learnOther = Effect.fnUntraced(function* (db: Sql, known: WrittenWords, pieces: ReadonlyArray<string>) {
  const rows = yield* db<{ vector: TsVector; words: ReadonlyArray<number> | null; positions: number }>`
    select search_vector(asked.piece) as vector,
      case when strpos(ltrim(asked.piece), ' ') > 0 then word_positions(asked.piece) end as words,
      (select count(*)::int from ts_parse('default', search_text(asked.piece))
        where tokid not in (12, 13, 14, 23)) as positions
    from unnest(${pieces.map((piece) => ` ${piece}`)}::text[]) with ordinality asked (piece, position)
    order by asked.position`
  return rows.map(
    ({ vector, words, positions }): Piece => ({
      lexemes: decodeTsvector(vector).flatMap(({ lexeme, positions }) =>
        positions.map((position) => ({ lexeme: lexemeOf(known, lexeme), position }))
      ),
      words: words?.map((word) => word - 2) ?? Array<number>(positions).fill(0)
    })
  )
})

const isUnknown = ({ lexeme, piece }: Word): boolean => lexeme === undefined && piece === undefined

/** Looks up the words of these passages that are not cached. */
const learn = Effect.fnUntraced(function* (db: Sql, known: WrittenWords, passages: ReadonlyArray<ReadonlyArray<Word>>) {
  const plain = new Map<string, Set<Word>>()
  const others = new Set<Word>()
  const pieces = new Set<string>()
  for (const words of passages) {
    for (let from = 0; from < words.length; ) {
      const to = pieceEnd(words, from)
      const word = words[from]
      if (word === undefined) break
      if (to - from > 1) {
        const piece = textOf(words.slice(from, to))
        if (piece.length <= longestPiece && !known.pieces.has(piece)) pieces.add(piece)
      } else if (isUnknown(word) && word.text.length <= longestPiece) {
        const part = plainPart(word.text)
        if (part === undefined) others.add(word)
        else {
          const spellings = plain.get(part)
          if (spellings === undefined) plain.set(part, new Set([word]))
          else spellings.add(word)
        }
      }
      from = to
    }
  }
  yield* learnPlain(db, known, plain)
  for (const words of plain.values()) for (const word of words) if (isUnknown(word)) others.add(word)
  if (others.size + pieces.size === 0) return
  const asked = yield* learnOther(db, known, [...[...others].map(({ text }) => text), ...pieces])
  let next = 0
  for (const word of others) word.piece = asked[next++]
  for (const piece of pieces) {
    const read = asked[next++]
    if (read !== undefined) known.pieces.set(piece, read)
  }
})

/** The vector of a passage; undefined unless all of its words are cached. */
export const vectorOf = (known: WrittenWords, words: ReadonlyArray<Word>): PassageVector | undefined => {
  if (beginsWithDot(words)) return undefined
  const found: Array<Lexeme> = []
  const positions: Array<number> = []
  const place = (lexeme: Lexeme, position: number) => {
    if (lexeme === ignored) return
    if (lexeme.count === 0) found.push(lexeme)
    lexeme.positions[lexeme.count++] = position
  }
  let from = 0
  while (from < words.length) {
    const to = pieceEnd(words, from)
    const word = words[from]
    if (word === undefined || word.isOpen) break
    if (to - from === 1 && word.lexeme !== undefined) {
      positions.push(from)
      place(word.lexeme, positions.length)
    } else {
      const piece = to - from === 1 ? word.piece : known.pieces.get(textOf(words.slice(from, to)))
      if (piece === undefined) break
      for (const { lexeme, position } of piece.lexemes) place(lexeme, positions.length + position)
      for (const number of piece.words) positions.push(from + number)
    }
    from = to
  }
  const isWhole = from === words.length && positions.length <= mostPositions
  const vector = isWhole ? { words: encodeTsvector(found), positions } : undefined
  for (const lexeme of found) lexeme.count = 0
  return vector
}

/** The vectors of whole texts, computed by the database. */
const askedFor = Effect.fnUntraced(function* (db: Sql, texts: ReadonlyArray<string>) {
  if (texts.length === 0) return []
  const rows = yield* db<{ words: TsVector; positions: ReadonlyArray<number> }>`
    select search_vector(asked.value) as words, word_positions(asked.value) as positions
    from unnest(${texts}::text[]) with ordinality asked (value, position) order by asked.position`
  return rows.map(({ words, positions }) => ({ words, positions: positions.map((word) => word - 1) }))
})

/** A passage, with its `vector` if all of its words are cached. */
export interface PassageToIndex {
  readonly words: ReadonlyArray<Word>
  readonly text: string
  readonly vector: PassageVector | undefined
}

/**
 * The vectors of these passages, assembled from the lexemes of their words, which are looked up once per distinct word.
 * A passage in which distant words may be read together is looked up whole.
 */
export const passageVectors = Effect.fnUntraced(function* (
  db: Sql,
  known: WrittenWords,
  passages: ReadonlyArray<PassageToIndex>
) {
  const vectors = passages.map(({ vector }) => vector)
  const unknown = [...passages.entries()].filter(([, { words, vector }]) => vector === undefined && isClosed(words))
  yield* learn(
    db,
    known,
    unknown.map(([, { words }]) => words)
  )
  for (const [at, { words }] of unknown) vectors[at] = vectorOf(known, words)
  const left = passages.filter((_, at) => vectors[at] === undefined)
  const read = yield* askedFor(
    db,
    left.map(({ text }) => text)
  )
  let next = 0
  return vectors.flatMap((vector) => vector ?? read[next++] ?? [])
})
