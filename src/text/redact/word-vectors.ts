import table from "./word-vectors.json" with { type: "json" }

/** Numbers of a vector. */
export const numbers = 32

/** A byte of a vector counts so many standard deviations. */
const unit = 4 / 127

const tableOf = () => ({
  places: new Map(table.words.split(" ").map((word, at) => [word, at])),
  bytes: Buffer.from(table.vectors, "base64")
})
/** Made when the first word is looked up: most processes look up none. */
let made: ReturnType<typeof tableOf> | undefined

/**
 * Writes the vector of a word, which is like those of words that are used like it (bench/redaction/vectors.ts). Of a
 * word that is not among the 20,000 commonest, nothing is written.
 */
export const writeVector = (word: string, into: Float32Array): void => {
  made ??= tableOf()
  const { places, bytes } = made
  const place = places.get(word)
  if (place === undefined) return
  for (let number = 0; number < numbers; number++) into[number] = bytes.readInt8(place * numbers + number) * unit
}
