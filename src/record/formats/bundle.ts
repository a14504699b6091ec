import { Result, Stream } from "effect"
import {
  BundleAgency,
  BundleAgendaSummary,
  BundleBriefing,
  BundleClaims,
  BundleClip,
  type BundleEntity,
  BundleFigure,
  BundleMedia,
  BundleMeeting,
  BundlePlace,
  BundleRecap,
  BundleRemoved,
  BundleTranscript
} from "../../../schema/bundle.ts"
import { BundleDocument } from "../../../schema/bundle-document.ts"
import { BundleMatter, BundleMembership, BundlePerson, BundleVote } from "../../../schema/bundle-people.ts"
import { Segment } from "../../../schema/transcript.ts"
import { decoder, type Fault, type Tolerated, tolerantDecoder } from "./decode.ts"
import { encodingNote } from "./encoding.ts"
import { ndjsonOf } from "./files.ts"
import { type Format, isJsonObject, type SourceFile } from "./format.ts"
import { found, type Item, leftOutOf, type Origin, rejected, warning } from "./item.ts"

/** How one type of entity is decoded, and its fields. */
interface Kind {
  readonly decode: (value: unknown) => Result.Result<Tolerated<BundleEntity>, Fault>
  readonly fields: ReadonlySet<string>
}

const kind = (decode: Kind["decode"], fields: object): Kind => ({ decode, fields: new Set(Object.keys(fields)) })

/**
 * For places, whose county settles time zones, and for what was made from a recording: a verdict or a reference that
 * was dropped would change what is served.
 */
const strict =
  (decode: (value: unknown) => Result.Result<BundleEntity, Fault>): Kind["decode"] =>
  (value) =>
    Result.map(decode(value), (entity) => ({ value: entity, leftOut: [] }))

const envelope = decoder(BundleTranscript)
const segmentOf = decoder(Segment)

/**
 * Decodes a transcript one segment at a time and releases each: a line may have a million segments, which must not be
 * in memory twice.
 */
const decodeTranscript = (value: unknown): Result.Result<BundleTranscript, Fault> => {
  if (!isJsonObject(value) || !Array.isArray(value.segments)) return envelope(value)
  const { segments } = value
  const transcript = envelope({ ...value, segments: [] })
  if (Result.isFailure(transcript)) return transcript
  const decoded: Array<Segment> = []
  for (const [at, segment] of segments.entries()) {
    const result = segmentOf(segment)
    if (Result.isFailure(result)) {
      const { field, message } = result.failure
      return Result.fail({ field: `segments.${at}${field === "" ? "" : `.${field}`}`, message })
    }
    decoded.push(result.success)
    segments[at] = undefined
  }
  return Result.succeed({ ...transcript.success, segments: decoded })
}

/** By `type`, so that the report on a bad line names the requirements of its own type. */
const kinds: Readonly<Record<BundleEntity["type"], Kind>> = {
  place: kind(strict(decoder(BundlePlace)), BundlePlace.fields),
  agency: kind(tolerantDecoder(BundleAgency), BundleAgency.fields),
  meeting: kind(tolerantDecoder(BundleMeeting), BundleMeeting.fields),
  transcript: kind(strict(decodeTranscript), BundleTranscript.fields),
  briefing: kind(strict(decoder(BundleBriefing)), BundleBriefing.fields),
  claims: kind(strict(decoder(BundleClaims)), BundleClaims.fields),
  recap: kind(strict(decoder(BundleRecap)), BundleRecap.fields),
  agenda_summary: kind(strict(decoder(BundleAgendaSummary)), BundleAgendaSummary.fields),
  clip: kind(strict(decoder(BundleClip)), BundleClip.fields),
  figure: kind(strict(decoder(BundleFigure)), BundleFigure.fields),
  media: kind(strict(decoder(BundleMedia)), BundleMedia.fields),
  document: kind(strict(decoder(BundleDocument)), BundleDocument.fields),
  person: kind(tolerantDecoder(BundlePerson), BundlePerson.fields),
  membership: kind(tolerantDecoder(BundleMembership), BundleMembership.fields),
  matter: kind(tolerantDecoder(BundleMatter), BundleMatter.fields),
  vote: kind(strict(decoder(BundleVote)), BundleVote.fields),
  removed: kind(strict(decoder(BundleRemoved)), BundleRemoved.fields)
}

const types = Object.keys(kinds).join(", ")

/** Decodes an entity of a known type. */
export const decodeEntity = (
  value: unknown,
  type: BundleEntity["type"]
): Result.Result<Tolerated<BundleEntity>, Fault> => kinds[type].decode(value)

const isType = (type: unknown): type is BundleEntity["type"] => typeof type === "string" && Object.hasOwn(kinds, type)

const readLine = (origin: Origin, value: unknown): ReadonlyArray<Item> => {
  if (!isJsonObject(value)) return [rejected(origin, "", "must be a JSON object")]
  const { type } = value
  if (!isType(type)) return [rejected(origin, "type", `must be one of ${types}`)]
  const { decode, fields } = kinds[type]
  const entity = decode(value)
  if (Result.isFailure(entity)) return [rejected(origin, entity.failure.field, entity.failure.message)]
  const unknown = Object.keys(value).filter((key) => !fields.has(key))
  return [
    ...unknown.map((key) => warning(origin, key.slice(0, 100), `is not a field of ${type} and is left out`)),
    ...leftOutOf(origin, entity.success.leftOut),
    found(origin, entity.success.value)
  ]
}

/** The path of a bundle's media file from the root of the source; the bundle itself may be in a subfolder. */
const inFolder = (item: Item, folder: string): Item => {
  const { result } = item
  return folder !== "" && result._tag === "Entity" && result.entity.type === "media"
    ? { ...item, result: { ...result, entity: { ...result.entity, path: folder + result.entity.path } } }
    : item
}

/** The identity of an entity with an id or a slug of its own. */
const identityOf = (entity: BundleEntity): string | undefined => {
  if (entity.type === "place" || entity.type === "agency" || entity.type === "person" || entity.type === "matter")
    return `${entity.type} ${entity.slug}`
  return entity.type === "meeting" || entity.type === "clip" || entity.type === "membership" || entity.type === "vote"
    ? `${entity.type} ${entity.id.toLowerCase()}`
    : undefined
}

/** An item, after a note if an earlier line has the same identity. */
const afterNote = (lines: Map<string, number>, item: Item): ReadonlyArray<Item> => {
  const { result, line } = item
  if (result._tag !== "Entity") return [item]
  // A removed meeting or body may be put on record again by a later line.
  if (result.entity.type === "removed") lines.delete(`${result.entity.what} ${result.entity.id.toLowerCase()}`)
  const identity = identityOf(result.entity)
  if (identity === undefined) return [item]
  const earlier = lines.get(identity)
  lines.set(identity, line)
  return earlier === undefined
    ? [item]
    : [warning(item, "", `is another line of ${identity}, after line ${earlier}; keep one of them`), item]
}

const readBundle = ({ path, file }: SourceFile) =>
  Stream.suspend(() => {
    const folder = file.slice(0, file.lastIndexOf("/") + 1)
    const lines = new Map<string, number>()
    return ndjsonOf(path).pipe(
      Stream.map(({ line, value, encoding }) => {
        const origin = { file, line }
        const items = Result.isFailure(value)
          ? [rejected(origin, "", value.failure)]
          : readLine(origin, value.success).flatMap((item) => afterNote(lines, inFolder(item, folder)))
        return [...encodingNote(origin, encoding), ...items]
      }),
      Stream.flattenIterable
    )
  })

/**
 * The project's own format (docs/bundle.md): a file of lines, also `.gz` or `.zst`, a folder with one, or standard
 * input.
 */
export const bundle: Format = {
  name: "bundle",
  about: "our own format, docs/bundle.md",
  index: "record.ndjson",
  replaces: true,
  isRecord: ({ type }) => isType(type),
  isHead: (head) => isType(/^\s*\{\s*"type"\s*:\s*"(\w+)"/.exec(head)?.[1]),
  read: ([file]) => readBundle(file)
}
