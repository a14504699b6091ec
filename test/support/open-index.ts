import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { buildSegment } from "../../src/search-engine/build/build.ts"
import { openSegment } from "../../src/search-engine/format/segment.ts"
import type { BuildOptions } from "../../src/search-engine/types.ts"
import { copyOf, type IndexRow, inChunks, indexRow } from "./copy-rows.ts"

export const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`

/** Meetings whose words are common, rarer and rare, enough of them for bitsets, gaps and skips. */
export const record = (size: number): ReadonlyArray<IndexRow> =>
  Array.from({ length: size }, (_, n) =>
    indexRow(
      { id: idOf((n * 7919) % size), body: n % 13, day: 8_000 + Math.floor(n / 3) },
      {
        title: `council ${n % 3 === 0 ? "budget" : "zoning"}`,
        items:
          n % 40 === 0
            ? "storm water drain"
            : n % 10 === 0
              ? `storm and dry water${n === 1_010 ? " only" : ""}`
              : "water",
        said: [`alpha ${n % 400 === 0 ? "beta" : "gamma"} council`, "council of the storm"]
      }
    )
  )

/** A folder for segments, removed when it is disposed of. */
export const segmentFolder = () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-index-"))
  let made = 0
  const next = () => path.join(root, `segment-${made++}`)
  return {
    /** A place for a new segment. */
    next,
    /** An open segment with these rows. */
    segment: async (rows: ReadonlyArray<IndexRow>, options: Partial<BuildOptions> = {}, chunk?: number) => {
      const directory = next()
      await buildSegment(inChunks(copyOf(rows), chunk), directory, { revision: 1, durable: false, ...options })
      return openSegment(directory)
    },
    [Symbol.dispose]: () => fs.rmSync(root, { recursive: true })
  }
}
