import { Effect, FileSystem, Path, type Scope } from "effect"
import { archiveStem, isArchive, unpackArchive } from "./archive.ts"
import { ReadError } from "./item.ts"
import { clearScratch } from "./scratch.ts"

/** An opened source of an import. */
export interface Source {
  readonly _tag: "File" | "Folder"
  /** Its path; `-` is standard input. An archive is unpacked in a temporary folder. */
  readonly path: string
  /** Its name without its folder and, for an archive, without its ending. */
  readonly name: string
}

/**
 * Opens a file, a folder, an archive (`.tar`, `.tar.gz`, `.tar.zst`, `.zip`), or standard input as `-`. An archive is
 * unpacked into a folder that is removed with the scope; folders of imports that were killed are removed now. Fails if
 * nothing is there, or an archive cannot be trusted.
 */
export const openSource = Effect.fn("Records.openSource")(function* (
  path: string
): Effect.fn.Return<Source, ReadError, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  if (path === "-") return { _tag: "File", path, name: "standard input" }
  yield* clearScratch
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const info = yield* Effect.mapError(
    fs.stat(path),
    (error) =>
      new ReadError({
        path,
        problem: error.reason._tag === "NotFound" ? "does not exist" : `cannot be read: ${error.reason.message}`
      })
  )
  const name = paths.basename(paths.resolve(path))
  if (info.type === "Directory") return { _tag: "Folder", path, name }
  if (!isArchive(name)) return { _tag: "File", path, name }
  return { _tag: "Folder", path: yield* unpackArchive(path), name: archiveStem(name) }
})
