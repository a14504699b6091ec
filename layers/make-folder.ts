import * as fs from "node:fs"
import * as path from "node:path"

const isFolder = (name: string): boolean => fs.statSync(name, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Makes a folder, and those above it, with this mode; one that is there stays as it is. Throws the system's error. Node's
 * own `recursive` is not used, because it never returns where a folder cannot be made although its parent is there, as in
 * `/proc`.
 */
export const makeFolder = (folder: string, mode: number): void => {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process may have made it in the meantime.
    if (!isFolder(folder)) throw cause
  }
}
