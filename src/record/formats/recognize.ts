import { Effect, type FileSystem, Result } from "effect"
import { isArchive } from "./archive.ts"
import { headOf, plainName } from "./files.ts"
import { beginsAsJson, type Format, isJsonObject, mentions } from "./format.ts"
import { formats } from "./formats.ts"
import type { ReadError } from "./item.ts"
import { isSidecar } from "./sidecar.ts"

/** How an import treats one file. */
export type Identity =
  | { readonly _tag: "Format"; readonly format: Format }
  | { readonly _tag: "Archive" }
  /** It belongs to another file and is read with it. */
  | { readonly _tag: "Part" }
  /** It has nothing about a meeting; `reason` says what it is instead. */
  | { readonly _tag: "Other"; readonly reason: string }

const other = (reason: string): Identity => ({ _tag: "Other", reason })

/** Files that people have and no format reads: what they look like by their names, and the way onto the record. */
const looks: ReadonlyArray<readonly [name: RegExp, advice: string]> = [
  [/\.pdf$/i, "looks like a PDF, which a manifest or a bundle can name as the agenda of its meeting"],
  [
    /\.(mp4|m4v|mkv|mov|avi|webm|mp3|m4a|wav|ogg)$/i,
    "looks like a recording; give it to its meeting: civic-record media add MEETING FILE"
  ],
  [/\.(pptx?|odp|key)$/i, "looks like slides; save them as PDF, and name its address among a meeting's attachments"],
  [/\.(jpe?g|png|gif|tiff?|heic|webp)$/i, "looks like a picture; scanned pages in one PDF can be a meeting's document"],
  [/\.(xls|ods|numbers)$/i, "looks like a table; save it as CSV or XLSX"],
  [/\.(sub|stl|smi|mcc)$/i, "looks like captions; convert them to WebVTT or SRT"],
  [/\.(doc|odt|rtf)$/i, "looks like a document; save a transcript as text or DOCX, with a time before each turn"],
  [/\.(html?|xml)$/i, "looks like a web page; write what it says as a manifest, one JSON object a line"],
  [/\.txt$/i, "looks like text without times; a transcript has one before each turn, such as [0:01:23]"],
  [/\.(sql|dump|db|sqlite3?)$/i, "looks like a database; a backup is read by civic-record restore"]
]

/** The same by how they begin, which counts for more than their names. */
const beginnings: ReadonlyArray<readonly [head: RegExp, advice: string]> = [
  [/^\s*%PDF-/, "looks like a PDF, which a manifest or a bundle can name as the agenda of its meeting"],
  [
    /^(?:\s|<[?!][^>]*>)*<(?:rss|feed|rdf:RDF)\b/i,
    "looks like a feed; crawl its address: civic-record source add --kind rss --url URL --place PLACE"
  ],
  [/^\s*[[{]/, "looks like JSON of a shape that is not known; docs/examples has one of each that is"]
]

const unknown = (name: string, head = ""): Identity => {
  const [, advice] =
    beginnings.find(([pattern]) => pattern.test(head)) ?? looks.find(([pattern]) => pattern.test(name)) ?? []
  return other(`in no known format${advice === undefined ? "" : `: it ${advice}`}`)
}

/** Documents of known formats that have no place in a record of meetings, by one of their keys. */
const leftOut: Readonly<Record<string, string>> = {
  VoteId:
    "Legistar's votes and persons as its Web API gives them, which a crawl reads; a file has them as in docs/examples",
  PersonId:
    "Legistar's votes and persons as its Web API gives them, which a crawl reads; a file has them as in docs/examples"
}

/** The format that claims a file, else the reason to leave it out. */
const identity = (
  name: string,
  head: string,
  claims: (format: Format) => boolean | undefined,
  has: (key: string) => boolean
): Identity => {
  const format = formats.find(claims)
  if (format !== undefined) return { _tag: "Format", format }
  const [, reason] = Object.entries(leftOut).find(([key]) => has(key)) ?? []
  return reason === undefined ? unknown(name, head) : other(reason)
}

const ofHead = (name: string, head: string): Identity =>
  identity(
    name,
    head,
    ({ isHead }) => isHead?.(head),
    (key) => mentions(head, key)
  )

const parse = (text: string): Result.Result<unknown, unknown> => Result.try((): unknown => JSON.parse(text))

const ofText = (name: string, head: string): Identity => {
  if (!beginsAsJson(head)) return ofHead(name, head)
  const start = head.trimStart()
  const whole = parse(start)
  const first = Result.isSuccess(whole) ? whole : parse(start.slice(0, start.indexOf("\n")))
  if (Result.isFailure(first)) return ofHead(name, head)
  const record: unknown = Array.isArray(first.success) ? first.success[0] : first.success
  if (Array.isArray(first.success) && record === undefined) return other("empty lists")
  if (!isJsonObject(record)) return unknown(name, head)
  return identity(
    name,
    head,
    ({ isRecord }) => isRecord?.(record),
    (key) => key in record
  )
}

/** Recognizes a file by its name and its first 64 KiB. */
export const identify = (path: string, name: string): Effect.Effect<Identity, ReadError, FileSystem.FileSystem> => {
  const plain = plainName(name)
  if (isArchive(name)) return Effect.succeed({ _tag: "Archive" })
  if (isSidecar(name) || formats.some(({ isPart }) => isPart?.(name))) return Effect.succeed({ _tag: "Part" })
  const named = formats.find(({ isNamed }) => isNamed?.(plain))
  if (named !== undefined) return Effect.succeed({ _tag: "Format", format: named })
  if (!/\.(json|ndjson|jsonl|json3|txt|xml)$/i.test(plain) && /\.[a-z0-9]+$/i.test(name))
    return Effect.succeed(unknown(plain))
  return Effect.map(headOf(path), (head) => ofText(plain, head.replace(/^\uFEFF/, "")))
}
