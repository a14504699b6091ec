import * as fs from "node:fs"
import * as path from "node:path"

const isFolder = (name: string): boolean => fs.statSync(name, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Makes a folder, and those above it, with this mode; one that is there stays as it is. Throws the system's error. For
 * paths that an operator names, where Node's own `recursive` never returns if a folder cannot be made although its
 * parent is there, as in `/proc`.
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  if (isFolder(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process may have made it in the meantime.
    if (!isFolder(folder)) throw cause
  }
}
