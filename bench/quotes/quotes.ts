import * as fs from "node:fs"
import * as path from "node:path"
import type { QuoteCheckRequest } from "../../schema/quote.ts"

/** Half of the quotes are held out: the service was mended only by the others. */
type Half = "tuned" | "held out"

/** So many words from a word of a caption on. */
export interface Place {
  /** The meeting by its file of captions or, in Seattle, its session. */
  readonly of: string
  readonly cue: number
  readonly word: number
  readonly words: number
}

interface Drawn extends Place {
  readonly kind: "as said" | "misheard" | "altered" | "elsewhere" | "stitched"
  readonly half: Half
  /** What was altered or misheard. */
  readonly what?: string
  /** At each of these words, so many of them are replaced by others. */
  readonly edits?: ReadonlyArray<readonly [at: number, count: number, text: string]>
  /** In capitals, or in small letters without marks. */
  readonly typed?: "capitals" | "bare"
  /** What follows in the quote, said elsewhere. */
  readonly then?: Place
  /** Where it is asked for. */
  readonly within?: Partial<QuoteCheckRequest>
}

interface Invented {
  readonly kind: "invented"
  readonly half: Half
  readonly q: string
}

export type Quote = Drawn | Invented

export const readQuotes = (): ReadonlyArray<Quote> =>
  fs
    .readFileSync(path.join(import.meta.dirname, "quotes.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
