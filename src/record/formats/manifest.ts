import { Effect, FileSystem, Path, Result, Stream } from "effect"
import type { BundleAgency, BundlePlace } from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { isInside, linkMessage } from "../inside.ts"
import { encodingNote } from "./encoding.ts"
import { type JsonRecord, ndjsonOf } from "./files.ts"
import { type Format, type Items, mentions, type SourceFile } from "./format.ts"
import { found, type Item, leftOutOf, type Origin, type ReadError, rejected, repeated, warning } from "./item.ts"
import { zoneNotes } from "./place-zone.ts"
import { agencyOf, decodeRow, meetingOf, placeOf, type SettledRow, sameMeeting, settle } from "./row.ts"
import { tidy } from "./text.ts"
import { dateOfTitle } from "./title-date.ts"
import { readCaptions, transcriptOf } from "./transcripts.ts"

/** A row that can become a meeting, with the place and body it names. */
interface Entry {
  readonly _tag: "Entry"
  readonly origin: Origin
  readonly row: SettledRow
  readonly place: BundlePlace
  readonly agency: BundleAgency
  readonly notices: ReadonlyArray<Item>
}

/** A row that cannot become one. */
interface Refusal {
  readonly _tag: "Refusal"
  readonly origin: Origin
  readonly notices: ReadonlyArray<Item>
}

const readRow = Effect.fnUntraced(function* (
  file: string,
  { line, value, encoding }: JsonRecord
): Effect.fn.Return<Entry | Refusal> {
  const origin = { file, line }
  const notes = encodingNote(origin, encoding)
  const refusal = (field: string, message: string): Refusal => ({
    _tag: "Refusal",
    origin,
    notices: [...notes, rejected(origin, field, message)]
  })
  if (Result.isFailure(value)) return refusal("", value.failure)
  const decoded = decodeRow(value.success)
  if (Result.isFailure(decoded)) return refusal(decoded.failure.field, decoded.failure.message)
  const { value: row, leftOut } = decoded.success
  if (tidy(row.title) === "") return refusal("title", "is missing")
  const date = row.date ?? dateOfTitle(row.title ?? "")
  if (date === undefined)
    return refusal("date", "is missing, and the title does not state exactly one; write it as YYYY-MM-DD")
  const settled = yield* settle(row, date)
  if (Result.isFailure(settled)) return refusal(settled.failure.field, settled.failure.message)
  const place = placeOf(row)
  const body = row.kind === undefined ? { name: row.body } : { name: row.body, kind: row.kind }
  return {
    _tag: "Entry",
    origin,
    row: settled.success.row,
    place,
    agency: agencyOf(body, place),
    notices: [
      ...notes,
      ...leftOutOf(origin, leftOut),
      ...zoneNotes(origin, settled.success.note),
      ...(row.date === undefined
        ? [warning(origin, "date", `is missing; ${date} is read from the title "${tidy(row.title)}"`)]
        : [])
    ]
  }
})

/** Whether a row has a recording or captions of its own. */
const isRich = ({ row }: Entry): boolean => row.captions !== undefined || row.source_url !== undefined

const sameSource = (a: Entry, b: Entry): boolean =>
  a.row.captions === b.row.captions && a.row.source_url === b.row.source_url

/** The result for a row among those of the same body, day and title. */
type Standing =
  | { readonly _tag: "Meeting"; readonly key: ReadonlyArray<string> }
  | { readonly _tag: "Repeated"; readonly of: Entry }

/**
 * Rows of the same body, day and title are one meeting: the first with a recording stands for those with none or the
 * same. A row with another recording is a meeting of its own, identified by where that recording is.
 */
const standings = (entries: ReadonlyArray<Entry>): ReadonlyMap<Entry, Standing> => {
  const groups = Map.groupBy(entries, ({ row, agency }) => sameMeeting(row, agency).join("\n"))
  const standing = new Map<Entry, Standing>()
  for (const [key, group] of groups) {
    const winner = group.find(isRich) ?? group[0]
    if (winner === undefined) continue
    for (const entry of group) {
      const earlier = group.slice(0, group.indexOf(entry)).find((other) => isRich(other) && sameSource(other, entry))
      if (entry === winner) standing.set(entry, { _tag: "Meeting", key: [key] })
      else if (!isRich(entry)) standing.set(entry, { _tag: "Repeated", of: winner })
      else if (earlier !== undefined) standing.set(entry, { _tag: "Repeated", of: earlier })
      else standing.set(entry, { _tag: "Meeting", key: [key, entry.row.source_url ?? entry.row.captions ?? ""] })
    }
  }
  return standing
}

/** Each place and body at the first row that names it; a body also serves another place that its name begins with. */
const directoryOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Item> => {
  const places = new Map<string, readonly [Origin, BundlePlace]>()
  for (const { origin, place } of entries) if (!places.has(place.slug)) places.set(place.slug, [origin, place])
  const known = [...places.values()].map(([, place]) => place)
  const agencies = new Map<string, Item>()
  for (const { origin, place, agency } of entries) {
    if (!agencies.has(agency.slug)) agencies.set(agency.slug, found(origin, agencyOf(agency, place, known)))
  }
  return [...[...places.values()].map(([origin, place]) => found(origin, place)), ...agencies.values()]
}

/**
 * The items of rows, whatever file they come from. They are read all together, because the poorer of two for one
 * meeting may come first; captions, one meeting at a time.
 */
export const rowItems = (
  { path, file }: Pick<SourceFile, "path" | "file">,
  records: Stream.Stream<JsonRecord, ReadError, FileSystem.FileSystem>
): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const folder = paths.dirname(paths.resolve(path))
      const rows = yield* Stream.runCollect(Stream.mapEffect(records, (record) => readRow(file, record)))
      const entries = rows.filter((row) => row._tag === "Entry")
      const standing = standings(entries)

      const transcriptsOf = Effect.fnUntraced(function* ({ origin, row }: Entry, id: MeetingId) {
        if (row.captions === undefined) return []
        const captions = paths.resolve(folder, row.captions)
        if (!captions.startsWith(folder + paths.sep))
          return [warning(origin, "captions", "is outside the manifest's folder; move it there")]
        const isThere = yield* Effect.orElseSucceed(fs.exists(captions), () => false)
        if (!isThere)
          return [warning(origin, "captions", `${row.captions} does not exist; the meeting has no transcript`)]
        if (!isInside(folder, captions)) return [warning(origin, "captions", `${row.captions} ${linkMessage}`)]
        const read = yield* Effect.result(readCaptions(captions, row))
        if (Result.isFailure(read)) return [warning(origin, "captions", `${row.captions} ${read.failure.problem}`)]
        const { transcripts, notices } = read.success
        return [
          ...notices.map((notice) => warning(origin, "captions", `${row.captions}: ${notice}`)),
          ...(transcripts.length === 0 ? [warning(origin, "captions", `${row.captions} has no words`)] : []),
          ...transcripts.map((transcript) => found(origin, transcriptOf(id, transcript)))
        ]
      })

      const itemsOf = Effect.fnUntraced(function* (row: Entry | Refusal) {
        if (row._tag === "Refusal") return row.notices
        const stands = standing.get(row)
        if (stands === undefined) return row.notices
        if (stands._tag === "Repeated") {
          return [
            ...row.notices,
            repeated(row.origin, `repeats the meeting of line ${stands.of.origin.line}, which says as much or more`)
          ]
        }
        const meeting = yield* meetingOf(row.row, row.agency, stands.key)
        return [...row.notices, found(row.origin, meeting), ...(yield* transcriptsOf(row, meeting.id))]
      })

      return Stream.concat(
        Stream.fromIterable(directoryOf(entries)),
        Stream.fromIterable(rows).pipe(Stream.mapEffect(itemsOf), Stream.flattenIterable)
      )
    })
  )

/** A manifest, NDJSON with one meeting per line (see `MeetingRow`), with the caption files it names beside it. */
export const manifest: Format = {
  name: "manifest",
  about: "a manifest with WebVTT and SRT captions",
  index: "meetings.ndjson",
  isRecord: (record) => "body" in record && "place" in record && !("items" in record),
  isHead: (head) => mentions(head, "body") && mentions(head, "place") && !mentions(head, "items"),
  read: ([file]) => rowItems(file, ndjsonOf(file.path))
}
