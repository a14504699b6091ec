import { Effect, FileSystem, Path, Stream } from "effect"
import { readFile, readFolder } from "./folder.ts"
import { type Item, ReadError } from "./item.ts"
import { once } from "./once.ts"
import { type Format, formats, identify } from "./recognise.ts"
import type { MeetingFacts } from "./row.ts"
import type { Source } from "./source.ts"

const listed = formats.join(", ")

/**
 * The format of a source, by the names and first bytes of its files. A folder that is neither a bundle nor a manifest is
 * a `folder`, whose files are told apart one by one. Fails, listing the formats, where a file is in none.
 */
export const recognise = Effect.fn("Records.recognise")(function* (
  source: Source
): Effect.fn.Return<Format, ReadError, FileSystem.FileSystem | Path.Path> {
  if (source.path === "-") return "bundle"
  if (source._tag === "Folder") {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const has = (name: string) => Effect.orElseSucceed(fs.exists(paths.join(source.path, name)), () => false)
    if (yield* has("record.ndjson")) return "bundle"
    return (yield* has("meetings.ndjson")) ? "manifest" : "folder"
  }
  const identity = yield* identify(source.path, source.name)
  if (identity._tag === "Format") return identity.format
  return yield* new ReadError({
    path: source.path,
    problem: `is in no format that is known here; say which with --format, one of ${listed}`
  })
})

/**
 * Reads an opened source in a format as bundle entities, each after those it names, with what is wrong with it beside
 * them. Memory does not grow with the source but for the names of its places and bodies, and a manifest's rows. `facts`
 * are what the flags say of meetings whose source does not: body, kind, place, place_kind, state, county, title, date,
 * timezone, language. Fails where the source as a whole cannot be read.
 */
export const read = (
  source: Source,
  format: Format,
  facts: MeetingFacts = {}
): Stream.Stream<Item, ReadError, FileSystem.FileSystem | Path.Path> => {
  if (source._tag === "Folder") {
    const items = readFolder(source.path, source.name, facts, format === "folder" ? undefined : format)
    // A bundle's later line for a place or body replaces the earlier one.
    return format === "bundle" ? items : once(items)
  }
  if (format === "folder") return Stream.fail(new ReadError({ path: source.path, problem: "is a file, not a folder" }))
  if (source.path === "-" && format !== "bundle") {
    return Stream.fail(
      new ReadError({
        path: "-",
        problem: `cannot be read as ${format}: only a bundle comes through the standard input`
      })
    )
  }
  const items = readFile({ format, path: source.path, file: source.name, facts, trail: [source.name] })
  return format === "bundle" ? items : once(items)
}
