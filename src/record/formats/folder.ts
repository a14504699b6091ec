import { Effect, FileSystem, Path, type Scope, Stream } from "effect"
import { archiveStem, unpackArchive } from "./archive.ts"
import type { Format, Items, SourceFile, SourceFiles } from "./format.ts"
import { formats } from "./formats.ts"
import { type Item, ReadError, rejected, warning } from "./item.ts"
import { identify } from "./recognize.ts"
import { nothingSeen, type Seen, withoutRepeats } from "./repeats.ts"
import type { MeetingFacts } from "./row.ts"
import { type FactsBeside, factsInFolder, nearer, noFacts } from "./sidecar.ts"

/** A folder being walked. */
interface Walk {
  readonly folder: string
  /** Prefix for file names in the report: the path within the source, ending in `/` unless empty. */
  readonly prefix: string
  readonly trail: ReadonlyArray<string>
  readonly facts: MeetingFacts
  readonly beside: FactsBeside
  readonly seen: Seen
  /** The only format to read, if one was requested. */
  readonly only: Format | undefined
  /** How many archives it is nested in. */
  readonly depth: number
}

const deepestArchive = 3

/** The files of one folder that are in one format, in the groups that are read together. */
const groupsOf = (format: Format, files: ReadonlyArray<SourceFile>): ReadonlyArray<SourceFiles> =>
  format.together?.(files) ?? files.map((file) => [file])

/** Reads files that belong together, without entities that the source already gave. */
export const readGroup = (format: Format, files: SourceFiles, seen: Seen): Items =>
  format.replaces ? format.read(files) : withoutRepeats(seen)(format.read(files))

/** A file that cannot be read does not stop the others. */
const orRejected = (file: string, items: Items): Items =>
  Stream.catchTag(items, "ReadError", ({ problem }) => Stream.make(rejected({ file, line: 1 }, "", problem)))

const readFiles = (files: ReadonlyMap<Format, ReadonlyArray<SourceFile>>, seen: Seen): Items => {
  const groups = [...files].flatMap(([format, files]) =>
    groupsOf(format, files).map((group) => [format, group] as const)
  )
  return Stream.fromIterable(groups).pipe(
    Stream.flatMap(([format, group]) => orRejected(group[0].file, readGroup(format, group, seen)))
  )
}

/** Files left out of a folder, reported once per reason. */
const leftOut = (walk: Walk, reasons: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<Item> =>
  [...reasons].map(([reason, names]) => {
    const listed = names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ")
    return warning({ file: walk.prefix === "" ? "." : walk.prefix, line: 1 }, "", `left out, ${reason}: ${listed}`)
  })

const add = <K, V>(groups: Map<K, Array<V>>, key: K, value: V) => {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

const walkFolder = (walk: Walk): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const entries = yield* Effect.mapError(
        fs.readDirectoryEntries(walk.folder),
        (error) => new ReadError({ path: walk.folder, problem: `cannot be read: ${error.message}` })
      )
      const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const { facts, trail, seen } = walk
      const beside = nearer(walk.beside, yield* factsInFolder(walk.folder, walk.prefix))
      const at = (name: string): SourceFile => ({
        path: paths.join(walk.folder, name),
        file: walk.prefix + name,
        facts,
        beside,
        trail
      })
      const allows = (format: Format) => walk.only === undefined || walk.only === format
      // A bundle's media and a manifest's captions are in folders that it names.
      for (const format of formats.filter(allows)) {
        const index = sorted.find(({ name, type }) => name === format.index && type === "File")
        if (index !== undefined) return readGroup(format, [at(index.name)], seen)
      }

      const files = new Map<Format, Array<SourceFile>>()
      const archives: Array<string> = []
      const reasons = new Map<string, Array<string>>()
      for (const { name, type } of sorted) {
        if (type === "Directory") continue
        if (type !== "File") {
          add(reasons, "links or devices", name)
          continue
        }
        const identity = yield* identify(paths.join(walk.folder, name), name)
        if (identity._tag === "Archive") archives.push(name)
        if (identity._tag === "Other") add(reasons, identity.reason, name)
        if (identity._tag !== "Format") continue
        if (allows(identity.format)) add(files, identity.format, at(name))
        else add(reasons, `${identity.format.name} and not ${walk.only?.name}`, name)
      }
      const folders = sorted.filter(
        ({ type, name }) => type === "Directory" && !name.startsWith(".") && name !== "__MACOSX"
      )
      return readFiles(files, seen).pipe(
        Stream.concat(Stream.fromIterable(leftOut(walk, reasons))),
        Stream.concat(Stream.flatMap(Stream.fromIterable(archives), (name) => readNested({ ...walk, beside }, name))),
        Stream.concat(
          Stream.flatMap(Stream.fromIterable(folders), ({ name }) =>
            orRejected(
              walk.prefix + name,
              walkFolder({
                ...walk,
                beside,
                folder: paths.join(walk.folder, name),
                prefix: `${walk.prefix}${name}/`,
                trail: [...walk.trail, name]
              })
            )
          )
        )
      )
    })
  )

const readNested = (walk: Walk, name: string): Items => {
  const origin = { file: walk.prefix + name, line: 1 }
  if (walk.depth >= deepestArchive)
    return Stream.make(warning(origin, "", "is an archive within archives and is left out"))
  const opened: Effect.Effect<Items, ReadError, FileSystem.FileSystem | Path.Path | Scope.Scope> = Effect.map(
    unpackArchive(`${walk.folder}/${name}`),
    (folder) =>
      walkFolder({
        ...walk,
        folder,
        prefix: `${walk.prefix}${name}/`,
        trail: [...walk.trail, archiveStem(name)],
        depth: walk.depth + 1
      })
  )
  return orRejected(origin.file, Stream.unwrap(opened))
}

/**
 * Reads everything in a folder, or in an archive unpacked into one, each file by its own format: a folder with a
 * format's index (`record.ndjson`, `meetings.ndjson`) is one source, files that belong together are one too. Files
 * without anything about a meeting are reported, one warning per folder and reason.
 */
export const readFolder = (folder: string, name: string, facts: MeetingFacts, only: Format | undefined): Items =>
  Stream.suspend(() =>
    walkFolder({
      folder,
      prefix: "",
      trail: [name],
      facts,
      beside: noFacts,
      seen: nothingSeen(),
      only,
      depth: 1
    })
  )
