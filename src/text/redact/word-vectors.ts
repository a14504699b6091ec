import tables from "./word-vectors.json" with { type: "json" }

/** Numbers of a vector. */
export const numbers = 64

/** Made when the first word is looked up: most processes look up none. The first vector is that of all other words. */
let places: ReadonlyMap<string, number> | undefined
const placeOf = (word: string): number => {
  places ??= new Map(tables.words.split(" ").map((word, at) => [word, at + 1]))
  return places.get(word) ?? 0
}

/** The vectors of words in a table, which are like those of words that are used like them (bench/redaction/fit.py). */
export const vectorsOf = (network: "judge" | "tagger"): ((word: string) => Float32Array) => {
  const { unit, vectors } = tables[network]
  const bytes = Buffer.from(vectors, "base64")
  return (word) => {
    const place = placeOf(word)
    return Float32Array.from({ length: numbers }, (_, at) => bytes.readInt8(place * numbers + at) * unit)
  }
}
