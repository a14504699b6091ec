import * as fs from "node:fs"
import * as path from "node:path"

const isFolder = (name: string): boolean => fs.statSync(name, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Creates a folder and its parents with this mode; existing folders are unchanged. Throws the system's error. Node's
 * `recursive` never returns if a folder cannot be created in an existing parent, as in `/proc`, which an operator's
 * path may name.
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw cause
  }
}
