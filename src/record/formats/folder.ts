import { Effect, FileSystem, Path, type Scope, Stream } from "effect"
import { readAgendas } from "./agendas.ts"
import { archiveStem, unpackArchive } from "./archive.ts"
import { readBundle } from "./bundle.ts"
import { readCaptionFile } from "./caption-file.ts"
import { readSession } from "./cdp.ts"
import { type Item, ReadError, rejected, repeated, warning } from "./item.ts"
import { readLegistar } from "./legistar/legistar.ts"
import { readManifest } from "./manifest.ts"
import { readPlaces } from "./places.ts"
import { type FileFormat, identify } from "./recognise.ts"
import type { MeetingFacts } from "./row.ts"
import { readWhisper } from "./whisper.ts"

type Needs = FileSystem.FileSystem | Path.Path
type Items = Stream.Stream<Item, ReadError, Needs>

/** A file with the format it is in. */
export interface FormattedFile {
  readonly format: FileFormat
  readonly path: string
  /** What it is called in the report. */
  readonly file: string
  readonly facts: MeetingFacts
  /** The names of the source and its folders, outermost first. */
  readonly trail: ReadonlyArray<string>
}

/** Reads one file by its format. */
export const readFile = (file: FormattedFile): Items => {
  const recording = { ...file, key: file.file.split("/").at(-1) ?? file.file }
  switch (file.format) {
    case "bundle":
      return readBundle(file.path, file.file)
    case "manifest":
      return readManifest(file.path, file.file)
    case "legistar":
      return readLegistar([file], file.facts)
    case "agendas":
      return readAgendas(file.path, file.file)
    case "places":
      return readPlaces(file.path, file.file)
    case "cdp":
      return readSession(recording)
    case "whisper":
      return readWhisper(recording)
    case "captions":
      return readCaptionFile(recording)
  }
}

/** A folder being walked. */
interface Walk {
  readonly folder: string
  /** What its files are called in the report: the path within the source, ending in `/` where it is not empty. */
  readonly prefix: string
  readonly trail: ReadonlyArray<string>
  readonly facts: MeetingFacts
  /** The only format to read, where one was asked for. */
  readonly only: FileFormat | undefined
  /** How many archives it lies in. */
  readonly depth: number
}

const deepestArchive = 3

/** A session's two transcripts, mended and raw, where a folder holds just such a pair. */
const pairOf = (files: ReadonlyArray<FormattedFile>) => {
  const named = (words: RegExp) => files.filter(({ path }) => words.test(path.split("/").at(-1) ?? ""))
  const [mended, ...moreMended] = named(/ground[-_]?truth|refined/i)
  const [raw, ...moreRaw] = named(/\bgsr\b|\braw\b|\basr\b/i)
  return mended === undefined || raw === undefined || moreMended.length + moreRaw.length > 0
    ? undefined
    : { mended, raw }
}

/** The transcripts of a folder that tell of a recording another one tells of with the times of its words. */
const poorerOf = (files: ReadonlyArray<FormattedFile>): ReadonlyMap<FormattedFile, FormattedFile> => {
  const aligned = files.filter(({ format, file }) => format === "whisper" && /\.whisperx\.json$/i.test(file))
  const richer = new Map(aligned.map((file) => [file.file.replace(/\.whisperx\.json$/i, ""), file]))
  return new Map(
    files.flatMap((file) => {
      const better = file.format === "whisper" ? richer.get(file.file.replace(/(\.diarized)?\.json$/i, "")) : undefined
      return better === undefined ? [] : [[file, better] as const]
    })
  )
}

/** Everything of one folder that is read as one. */
const readTogether = (files: ReadonlyArray<FormattedFile>, walk: Walk): Items => {
  const legistar = files.filter(({ format }) => format === "legistar")
  const sessions = files.filter(({ format }) => format === "cdp")
  const pair = pairOf(sessions)
  const poorer = poorerOf(files)
  const alone = files.filter((file) => file.format !== "legistar" && file !== pair?.mended && file !== pair?.raw)
  const streams = [
    ...(legistar.length === 0 ? [] : [[legistar[0]?.file ?? "", readLegistar(legistar, walk.facts)] as const]),
    ...(pair === undefined
      ? []
      : [
          [
            pair.mended.file,
            readSession({ ...pair.mended, key: walk.trail.at(-1) ?? "", rawPath: pair.raw.path })
          ] as const
        ]),
    ...alone.map((file) => {
      const better = poorer.get(file)
      if (better === undefined) return [file.file, readFile(file)] as const
      const notice = repeated({ file: file.file, line: 1 }, `is the recording of ${better.file}, which says more`)
      return [file.file, Stream.make(notice)] as const
    })
  ]
  return Stream.fromIterable(streams).pipe(
    Stream.flatMap(([file, items]) =>
      // What one file cannot do does not stop the others.
      Stream.catchTag(items, "ReadError", (error) => Stream.make(rejected({ file, line: 1 }, "", error.problem)))
    )
  )
}

const inFolder = (entity: Item, folder: string): Item => {
  const { result } = entity
  return folder !== "" && result._tag === "Entity" && result.entity.type === "media"
    ? { ...entity, result: { ...result, entity: { ...result.entity, path: folder + result.entity.path } } }
    : entity
}

/** What is left out of a folder, told once a reason. */
const leftOut = (walk: Walk, reasons: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<Item> =>
  [...reasons].map(([reason, names]) => {
    const listed = names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ")
    return warning({ file: walk.prefix === "" ? "." : walk.prefix, line: 1 }, "", `left out, ${reason}: ${listed}`)
  })

const walkFolder = (walk: Walk): Stream.Stream<Item, ReadError, Needs> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const entries = yield* Effect.mapError(
        fs.readDirectoryEntries(walk.folder),
        (error) => new ReadError({ path: walk.folder, problem: `cannot be read: ${error.message}` })
      )
      const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const at = (name: string, format: FileFormat): FormattedFile => ({
        format,
        path: paths.join(walk.folder, name),
        file: walk.prefix + name,
        facts: walk.facts,
        trail: walk.trail
      })
      const has = (name: string) => sorted.some((entry) => entry.name === name && entry.type === "File")
      const allows = (format: FileFormat) => walk.only === undefined || walk.only === format
      // A bundle's media and a manifest's captions lie in folders of theirs, which they name.
      if (has("record.ndjson") && allows("bundle")) {
        return Stream.map(readFile(at("record.ndjson", "bundle")), (item) => inFolder(item, walk.prefix))
      }
      if (has("meetings.ndjson") && allows("manifest")) return readFile(at("meetings.ndjson", "manifest"))

      const files: Array<FormattedFile> = []
      const archives: Array<string> = []
      const reasons = new Map<string, Array<string>>()
      const leave = (name: string, reason: string) => reasons.set(reason, [...(reasons.get(reason) ?? []), name])
      for (const { name, type } of sorted) {
        if (type === "Directory") continue
        if (type !== "File") {
          leave(name, "links or devices")
          continue
        }
        const identity = yield* identify(paths.join(walk.folder, name), name)
        if (identity._tag === "Archive") archives.push(name)
        if (identity._tag === "Other") leave(name, identity.reason)
        if (identity._tag !== "Format") continue
        if (allows(identity.format)) files.push(at(name, identity.format))
        else leave(name, `${identity.format} and not ${walk.only}`)
      }
      const folders = sorted.filter(
        ({ type, name }) => type === "Directory" && !name.startsWith(".") && name !== "__MACOSX"
      )
      return readTogether(files, walk).pipe(
        Stream.concat(Stream.fromIterable(leftOut(walk, reasons))),
        Stream.concat(Stream.flatMap(Stream.fromIterable(archives), (name) => readNested(walk, name))),
        Stream.concat(
          Stream.flatMap(Stream.fromIterable(folders), ({ name }) =>
            walkFolder({
              ...walk,
              folder: paths.join(walk.folder, name),
              prefix: `${walk.prefix}${name}/`,
              trail: [...walk.trail, name]
            })
          )
        )
      )
    })
  )

const readNested = (walk: Walk, name: string): Items => {
  const origin = { file: walk.prefix + name, line: 1 }
  if (walk.depth >= deepestArchive)
    return Stream.make(warning(origin, "", "is an archive within archives, and is left out"))
  const opened: Effect.Effect<Items, ReadError, Needs | Scope.Scope> = Effect.map(
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
  return Stream.catchTag(Stream.unwrap(opened), "ReadError", (error) =>
    Stream.make(rejected(origin, "", error.problem))
  )
}

/**
 * Reads whatever a folder, or an archive unpacked into one, holds, file by file and each by its own format: a folder with
 * `record.ndjson` as a bundle, one with `meetings.ndjson` as a manifest, Legistar's answers of one folder together, a
 * session's two transcripts together. What holds nothing of a meeting is told of, a warning a folder and reason.
 */
export const readFolder = (folder: string, name: string, facts: MeetingFacts, only: FileFormat | undefined): Items =>
  walkFolder({ folder, prefix: "", trail: [name], facts, only, depth: 1 })
