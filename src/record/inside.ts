import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"

/**
 * Whether a file is inside a folder once every symbolic link on the way is followed; false if it does not exist.
 * Sources are untrusted, and a link in one must not bring in a file of this machine.
 */
export const isInside = (folder: string, file: string): boolean =>
  Result.getOrElse(
    Result.try(() => fs.realpathSync(file).startsWith(path.join(fs.realpathSync(folder), path.sep))),
    () => false
  )

/** The report on a file that is not. */
export const linkMessage = "is a link to outside its folder; put the file itself there"
