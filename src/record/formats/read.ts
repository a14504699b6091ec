import { Effect, FileSystem, Path, Stream } from "effect"
import { bundle } from "./bundle.ts"
import { readFolder, readGroup } from "./folder.ts"
import type { Format, Items } from "./format.ts"
import { formats } from "./formats.ts"
import { ReadError } from "./item.ts"
import { identify } from "./recognize.ts"
import { nothingSeen } from "./repeats.ts"
import type { MeetingFacts } from "./row.ts"
import { factsInFolder } from "./sidecar.ts"
import type { Source } from "./source.ts"

/**
 * The format of a source, by the names and first bytes of its files. Undefined for a folder without the index of any
 * format, whose files are each read by their own. Fails, listing the formats, where a file is in none.
 */
export const recognize = Effect.fn("Records.recognize")(function* (
  source: Source
): Effect.fn.Return<Format | undefined, ReadError, FileSystem.FileSystem | Path.Path> {
  if (source.path === "-") return bundle
  if (source._tag === "Folder") {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    for (const format of formats) {
      if (format.index === undefined) continue
      if (yield* Effect.orElseSucceed(fs.exists(paths.join(source.path, format.index)), () => false)) return format
    }
    return undefined
  }
  const identity = yield* identify(source.path, source.name)
  if (identity._tag === "Format") return identity.format
  const reason = identity._tag === "Other" ? identity.reason : "in no known format"
  return yield* new ReadError({
    path: source.path,
    problem: `is ${reason}; say which with --format: ${formats.map(({ name }) => name).join(", ")}`
  })
})

/**
 * Reads an opened source as bundle entities, each after those it names, with what is wrong with it beside them.
 * `format` undefined reads each file of a folder by its own. Memory does not grow with the source, except for the names
 * of its places and bodies, the ids of its meetings and clips and a manifest's rows. `facts` are what the flags say
 * about meetings whose source does not. Fails where the source as a whole cannot be read.
 */
export const read = (source: Source, format: Format | undefined, facts: MeetingFacts = {}): Items => {
  const { path, name } = source
  const failed = (problem: string) => Stream.fail(new ReadError({ path, problem }))
  if (source._tag === "Folder") return readFolder(path, name, facts, format)
  if (format === undefined) return failed("is a file and needs a format")
  if (path === "-" && format !== bundle) {
    return failed(`cannot be read as ${format.name}: only a bundle comes through the standard input`)
  }
  return Stream.unwrap(
    Effect.gen(function* () {
      const paths = yield* Path.Path
      const beside = yield* factsInFolder(paths.dirname(path), "")
      return readGroup(format, [{ path, file: name, facts, beside, trail: [name] }], nothingSeen())
    })
  )
}
