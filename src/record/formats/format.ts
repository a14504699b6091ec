import type { Array as Arr, FileSystem, Path, Stream } from "effect"
import type { Item, ReadError } from "./item.ts"
import type { MeetingFacts } from "./row.ts"
import type { FactsBeside } from "./sidecar.ts"

/** One file of a source, with facts about its meeting from outside the file. */
export interface SourceFile {
  readonly path: string
  /** Its name in the report: the path within the source. */
  readonly file: string
  /** The facts in the command's flags. */
  readonly facts: MeetingFacts
  /** The facts in `meeting.json` of its folder, and of those above it inside the source; or why that cannot be read. */
  readonly beside: FactsBeside
  /** The names of the source and of the folders inside it, outermost first; `seattle-wa` names a place. */
  readonly trail: ReadonlyArray<string>
}

/** Files of one folder that are read as one, the best first. */
export type SourceFiles = Arr.NonEmptyReadonlyArray<SourceFile>

export type Items = Stream.Stream<Item, ReadError, FileSystem.FileSystem | Path.Path>

/**
 * One format that `import` reads. It lives in one file and is one line of `formats`; recognition, `--format` and the
 * help all come from there. A file belongs to the first format that claims it by its name, its first record or its
 * beginning.
 */
export interface Format {
  /** Its name for `--format` and in the report; its example is `docs/examples/<name>`. */
  readonly name: string
  /** Its description in a few words, for the help and the README. */
  readonly about: string
  /** Whether a file's name alone identifies it; the name comes without `.gz` or `.zst`. */
  readonly isNamed?: (name: string) => boolean
  /** Whether the first JSON object of a file is a record of this format. */
  readonly isRecord?: (record: JsonObject) => boolean
  /** Whether a file begins like this format, if its first object is not within the first 64 KiB or spans lines. */
  readonly isHead?: (head: string) => boolean
  /** The file that makes the whole folder one source of this format, because it names the other files there. */
  readonly index?: string
  /** Whether a file, by its name, is only read together with another one. */
  readonly isPart?: (name: string) => boolean
  /** Groups the files of a folder that are read together; without it, each is read alone. */
  readonly together?: (files: ReadonlyArray<SourceFile>) => ReadonlyArray<SourceFiles>
  /** Whether a later line about something replaces an earlier one, instead of repeating it. */
  readonly replaces?: true
  /** Reads files that belong together. Fails if they cannot be read at all. */
  readonly read: (files: SourceFiles) => Items
}

export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether the beginning of a file looks like JSON. */
export const beginsAsJson = (head: string): boolean => /^\s*[[{]/.test(head)

/** Whether the beginning of a JSON file has one of these keys. */
export const mentions = (head: string, ...keys: ReadonlyArray<string>): boolean =>
  beginsAsJson(head) && keys.some((key) => head.includes(`"${key}":`) || head.includes(`"${key}" :`))
