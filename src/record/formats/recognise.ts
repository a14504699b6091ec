import { Effect, type FileSystem, Result } from "effect"
import { isArchive } from "./archive.ts"
import { isEntity } from "./bundle.ts"
import { headOf, plainName } from "./files.ts"
import type { ReadError } from "./item.ts"
import { isPlaceList } from "./places.ts"
import { isSidecar } from "./recording.ts"

/** What `import` reads (docs/examples has one of each). */
export const formats = [
  "bundle",
  "manifest",
  "legistar",
  "cdp",
  "whisper",
  "captions",
  "agendas",
  "places",
  "folder"
] as const
export type Format = (typeof formats)[number]

/** A format that one file may be in. */
export type FileFormat = Exclude<Format, "folder">

/** What one file is to an import. */
export type Identity =
  | { readonly _tag: "Format"; readonly format: FileFormat }
  | { readonly _tag: "Archive" }
  /** It belongs to another file, and is read with it. */
  | { readonly _tag: "Part" }
  /** It holds nothing of a meeting; `reason` says what it is instead. */
  | { readonly _tag: "Other"; readonly reason: string }

const inFormat = (format: FileFormat): Identity => ({ _tag: "Format", format })
const other = (reason: string): Identity => ({ _tag: "Other", reason })

const unknown = other("in no format known here")

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What a whole first record is, by its keys. */
const ofRecord = (record: Readonly<Record<string, unknown>>): Identity => {
  if (isEntity(record)) return inFormat("bundle")
  if ("EventId" in record || "EventItemEventId" in record || ("BodyID" in record && "Items" in record))
    return inFormat("legistar")
  if ("VoteId" in record || "PersonId" in record)
    return other("Legistar's votes and persons, which a record of meetings does not hold")
  if ("sentences" in record || ("format" in record && "data" in record)) return inFormat("cdp")
  if ("segments" in record || "sentenceMetadata" in record) return inFormat("whisper")
  if ("body" in record && "place" in record) return inFormat("items" in record ? "agendas" : "manifest")
  return unknown
}

/** What a document is by the keys near its beginning, where that is too long or not written in one line. */
const ofHead = (head: string): Identity => {
  const has = (...keys: ReadonlyArray<string>) =>
    keys.some((key) => head.includes(`"${key}":`) || head.includes(`"${key}" :`))
  if (has("EventId", "EventItemEventId", "BodyID")) return inFormat("legistar")
  if (has("VoteId", "PersonId")) return ofRecord({ VoteId: 0 })
  if (has("sentences") || /"format"\s*:\s*"(raw|timestamped-)/.test(head)) return inFormat("cdp")
  if (has("segments", "sentenceMetadata") || /^\s*\{\s*"text"\s*:/.test(head)) return inFormat("whisper")
  if (has("body") && has("place")) return inFormat(has("items") ? "agendas" : "manifest")
  return unknown
}

const parse = (text: string): Result.Result<unknown, unknown> => Result.try((): unknown => JSON.parse(text))

const ofJson = (head: string): Identity => {
  const start = head.trimStart()
  const whole = parse(start)
  const first = Result.isSuccess(whole) ? whole : parse(start.slice(0, start.indexOf("\n")))
  if (Result.isFailure(first)) return ofHead(head)
  const record: unknown = Array.isArray(first.success) ? first.success[0] : first.success
  if (Array.isArray(first.success) && record === undefined) return other("empty lists")
  return isObject(record) ? ofRecord(record) : unknown
}

/** Tells what a file is, by its name and its first 64 KiB. */
export const identify = (path: string, name: string): Effect.Effect<Identity, ReadError, FileSystem.FileSystem> => {
  if (isArchive(name)) return Effect.succeed({ _tag: "Archive" })
  if (isSidecar(name) || /\.sentences\.tsv$/i.test(name)) return Effect.succeed({ _tag: "Part" })
  if (isPlaceList(name)) return Effect.succeed(inFormat("places"))
  if (/\.(vtt|srt)(\.gz)?$/i.test(name)) return Effect.succeed(inFormat("captions"))
  if (!/\.(json|ndjson|jsonl|txt)$/i.test(plainName(name)) && /\.[a-z0-9]+$/i.test(name)) return Effect.succeed(unknown)
  return Effect.map(headOf(path), (head) => {
    if (/^\uFEFF?WEBVTT/.test(head)) return inFormat("captions")
    return /^\uFEFF?\s*[[{]/.test(head) ? ofJson(head.replace(/^\uFEFF/, "")) : unknown
  })
}
