import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"

/**
 * What a file holds, for its owner alone; where there is none, what is made now and kept there. Of two processes that make
 * it at once one wins, and both have its text. Throws what the system says; `folderMode` is for a folder that is made.
 */
export const keptFile = (file: string, folderMode: number, make: () => string): string => {
  if (!fs.existsSync(file)) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: folderMode })
    const made = `${file}.${randomUUID()}`
    fs.writeFileSync(made, make(), { mode: 0o600, flag: "wx" })
    linkUnlessThere(made, file)
    fs.rmSync(made)
  }
  return fs.readFileSync(file, "utf8")
}

/** A link is there whole or not at all, and never takes another's place. */
const linkUnlessThere = (from: string, to: string) => {
  try {
    fs.linkSync(from, to)
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}
