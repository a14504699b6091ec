/** A word of a tsvector: its positions rise; weights are A 3, B 2, C 1, D 0. None: the vector was stripped. */
export type Vector = ReadonlyMap<string, ReadonlyArray<{ readonly position: number; readonly weight: number }>>

/** One row that `buildSegment` reads. */
export interface IndexRow {
  readonly id: string
  readonly body: number
  readonly year: number
  readonly day: number
  readonly named: Vector
  readonly document: Vector
  readonly passages: ReadonlyArray<Vector>
  readonly printed: ReadonlyArray<Vector>
}

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

/** `tsvector_send`: PostgreSQL lists lexemes by length, then by bytes; their order means nothing to a reader. */
const vector = (words: Vector): Buffer =>
  Buffer.concat([
    int32(words.size),
    ...[...words].flatMap(([lexeme, places]) => {
      const entries = Buffer.alloc(2 + 2 * places.length)
      entries.writeUInt16BE(places.length)
      places.forEach(({ position, weight }, i) => void entries.writeUInt16BE((weight << 14) | position, 2 + 2 * i))
      return [Buffer.from(`${lexeme}\0`), entries]
    })
  ])

const tsvectorOid = 3614

const field = (bytes: Buffer) => Buffer.concat([int32(bytes.length), bytes])

const array = (vectors: ReadonlyArray<Vector>): Buffer =>
  vectors.length === 0
    ? Buffer.concat([int32(0), int32(0), int32(tsvectorOid)])
    : Buffer.concat([
        int32(1),
        int32(0),
        int32(tsvectorOid),
        int32(vectors.length),
        int32(1),
        ...vectors.map((one) => field(vector(one)))
      ])

const row = ({ id, body, year, day, named, document, passages, printed }: IndexRow): Buffer =>
  Buffer.concat([
    int16(8),
    field(Buffer.from(id.replaceAll("-", ""), "hex")),
    field(int32(body)),
    field(int16(year)),
    field(int32(day)),
    field(vector(named)),
    field(vector(document)),
    field(array(passages)),
    field(array(printed))
  ])

const inOrder = (a: IndexRow, b: IndexRow): number => a.day - b.day || (a.id < b.id ? 1 : -1)

/** The bytes of `copy … to stdout (format binary)` with these rows, in the order of documents. */
export const copyOf = (rows: ReadonlyArray<IndexRow>): Buffer =>
  Buffer.concat([
    Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"),
    int32(0),
    int32(0),
    ...rows.toSorted(inOrder).map(row),
    int16(-1)
  ])

/** Bytes as a stream of chunks of at most `size`. */
export async function* inChunks(bytes: Buffer, size = 1 << 16): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A text as `to_tsvector('simple', …)` reads it, except that the stop words `the` and `of` only take up a position. */
const vectorOf = (text: string, weight = 0, from = 0): Vector => {
  const words = new Map<string, Array<{ position: number; weight: number }>>()
  for (const [i, word] of text.split(" ").entries()) {
    if (word === "" || word === "the" || word === "of") continue
    const places = words.get(word) ?? []
    places.push({ position: Math.min(16_383, from + i + 1), weight })
    words.set(word, places)
  }
  return words
}

/** The lexemes of a vector without positions, as `strip` leaves them. */
const stripped = (vectors: ReadonlyArray<Vector>): Vector =>
  new Map(vectors.flatMap((one) => [...one.keys()].map((lexeme) => [lexeme, []])))

/** A row from texts: its title and items (weights A and B), and the passages of its transcript and its documents. */
export const indexRow = (
  place: Pick<IndexRow, "id" | "body" | "day">,
  {
    title = "",
    items = "",
    said = [],
    read = []
  }: { title?: string; items?: string; said?: ReadonlyArray<string>; read?: ReadonlyArray<string> }
): IndexRow => {
  const named = new Map(vectorOf(title, 3))
  const offset = title === "" ? 0 : title.split(" ").length
  for (const [lexeme, places] of vectorOf(items, 2, offset)) {
    named.set(lexeme, [...(named.get(lexeme) ?? []), ...places])
  }
  const vectors = (texts: ReadonlyArray<string>) => texts.map((text) => vectorOf(text))
  const [passages, printed] = [vectors(said), vectors(read)]
  const year = new Date(Date.UTC(2000, 0, 1 + place.day)).getUTCFullYear()
  return { ...place, year, named, passages, printed, document: stripped([named, ...passages, ...printed]) }
}
