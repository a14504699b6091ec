import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { buildSegment } from "../../src/search-engine/build/build.ts"
import { openSegment } from "../../src/search-engine/format/segment.ts"
import type { BuildOptions } from "../../src/search-engine/types.ts"
import { copyOf, type IndexRow, inChunks } from "./copy-rows.ts"

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
