import { type FileSystem, Result, Stream } from "effect"
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
  BundleTranscript
} from "../../../schema/bundle.ts"
import { decoder, type Fault } from "./decode.ts"
import { ndjsonOf } from "./files.ts"
import { found, type Item, type Origin, type ReadError, rejected, warning } from "./item.ts"

/** How one type of entity is decoded, and the fields it has. */
interface Kind {
  readonly decode: (value: unknown) => Result.Result<BundleEntity, Fault>
  readonly fields: ReadonlySet<string>
}

const kind = (decode: Kind["decode"], fields: object): Kind => ({ decode, fields: new Set(Object.keys(fields)) })

/** By `type`, so that a bad line is told what its own type asks for. */
const kinds: Readonly<Record<BundleEntity["type"], Kind>> = {
  place: kind(decoder(BundlePlace), BundlePlace.fields),
  agency: kind(decoder(BundleAgency), BundleAgency.fields),
  meeting: kind(decoder(BundleMeeting), BundleMeeting.fields),
  transcript: kind(decoder(BundleTranscript), BundleTranscript.fields),
  briefing: kind(decoder(BundleBriefing), BundleBriefing.fields),
  claims: kind(decoder(BundleClaims), BundleClaims.fields),
  recap: kind(decoder(BundleRecap), BundleRecap.fields),
  agenda_summary: kind(decoder(BundleAgendaSummary), BundleAgendaSummary.fields),
  clip: kind(decoder(BundleClip), BundleClip.fields),
  figure: kind(decoder(BundleFigure), BundleFigure.fields),
  media: kind(decoder(BundleMedia), BundleMedia.fields)
}

const types = Object.keys(kinds).join(", ")

const isType = (type: unknown): type is BundleEntity["type"] => typeof type === "string" && Object.hasOwn(kinds, type)

/** Whether a value is an entity of a bundle, by its `type`. */
export const isEntity = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "type" in value && isType(value.type)

const readLine = (origin: Origin, value: unknown): ReadonlyArray<Item> => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [rejected(origin, "", "must be a JSON object")]
  const type = "type" in value ? value.type : undefined
  if (!isType(type)) return [rejected(origin, "type", `must be one of ${types}`)]
  const { decode, fields } = kinds[type]
  const entity = decode(value)
  if (Result.isFailure(entity)) return [rejected(origin, entity.failure.field, entity.failure.message)]
  const unknown = Object.keys(value).filter((key) => !fields.has(key))
  return [
    ...unknown.map((key) => warning(origin, key.slice(0, 100), `is no field of ${type} and is left out`)),
    found(origin, entity.success)
  ]
}

/** Reads a bundle's lines (docs/bundle.md), from a file, `.gz` or `.zst`, or the standard input. */
export const readBundle = (path: string, file: string): Stream.Stream<Item, ReadError, FileSystem.FileSystem> =>
  ndjsonOf(path).pipe(
    Stream.map(({ line, value }) =>
      Result.isFailure(value) ? [rejected({ file, line }, "", value.failure)] : readLine({ file, line }, value.success)
    ),
    Stream.flattenIterable
  )
