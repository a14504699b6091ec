import * as fs from "node:fs"
import * as path from "node:path"

/** The lines of a set, without comments. The file is named from this folder. */
export const linesIn = (file: string): ReadonlyArray<string> =>
  fs
    .readFileSync(path.resolve(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
