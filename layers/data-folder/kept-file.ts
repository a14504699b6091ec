import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeFolder } from "./make-folder.ts"

/**
 * The text of a file that only its owner may read. If there is no file, the text is generated and stored; if two
 * processes do so concurrently, both get the winner's text. Throws the system's error. `folderMode` is the mode of a
 * new folder.
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

/** A hard link is created atomically, and never replaces an existing file. */
const linkUnlessThere = (from: string, to: string) => {
  try {
    fs.linkSync(from, to)
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}
