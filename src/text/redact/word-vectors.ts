import table from "./word-vectors.json" with { type: "json" }

/** Numbers of a vector. */
export const numbers = 64

const tableOf = () => ({
  // The first vector is that of all other words.
  places: new Map(table.words.split(" ").map((word, at) => [word, at + 1])),
  bytes: Buffer.from(table.vectors, "base64")
})
/** Made when the first word is looked up: most processes look up none. */
let made: ReturnType<typeof tableOf> | undefined

/** The vector of a word, which is like those of words that are used like it (bench/redaction/fit.py). */
export const vectorOf = (word: string): Float32Array => {
  made ??= tableOf()
  const { places, bytes } = made
  const place = places.get(word) ?? 0
  return Float32Array.from({ length: numbers }, (_, at) => bytes.readInt8(place * numbers + at) * table.unit)
}
