import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeFolder } from "./make-folder.ts"

/**
 * The text of a file that only its owner may read; if there is no file, the text is made and kept there. Of two
 * processes that make it concurrently one wins, and both get its text. Throws the system's error; `folderMode` is the
 * mode of a new folder.
 */
export const keptFile = (file: string, folderMode: number, make: () => string): string => {
  if (!fs.existsSync(file)) {
    makeFolder(path.dirname(file), folderMode)
    const made = `${file}.${randomUUID()}`
    fs.writeFileSync(made, make(), { mode: 0o600, flag: "wx" })
    linkUnlessThere(made, file)
    fs.rmSync(made)
  }
  return fs.readFileSync(file, "utf8")
}

/** A link is created whole or not at all, and never replaces another. */
const linkUnlessThere = (from: string, to: string) => {
  try {
    fs.linkSync(from, to)
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}
