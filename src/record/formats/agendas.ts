import { Effect, Result, Stream } from "effect"
import { encodingNote } from "./encoding.ts"
import { recordsOf } from "./files.ts"
import { type Format, type Items, mentions, type SourceFile } from "./format.ts"
import { found, leftOutOf, type Origin, rejected, repeated } from "./item.ts"
import { zoneNotes } from "./place-zone.ts"
import { agencyOf, decodeRow, meetingOf, placeOf, sameMeeting, settle } from "./row.ts"

/** A second agenda of the same body, day and title is reported as a repetition. */
const readAgendas = ({ path, file }: SourceFile): Items =>
  Stream.suspend(() => {
    const seen = new Map<string, number>()
    const read = Effect.fnUntraced(function* (origin: Origin, value: unknown) {
      const decoded = decodeRow(value)
      if (Result.isFailure(decoded)) return [rejected(origin, decoded.failure.field, decoded.failure.message)]
      const { value: row, leftOut } = decoded.success
      if (row.date === undefined) return [rejected(origin, "date", "is missing")]
      const settled = yield* settle(row, row.date)
      if (Result.isFailure(settled)) return [rejected(origin, settled.failure.field, settled.failure.message)]
      const place = placeOf(row)
      const { body, kind } = row
      const agency = agencyOf(kind === undefined ? { name: body } : { name: body, kind }, place)
      const key = sameMeeting(settled.success.row, agency)
      const earlier = seen.get(key.join("\n"))
      if (earlier !== undefined) return [repeated(origin, `is the meeting of record ${earlier}`)]
      seen.set(key.join("\n"), origin.line)
      const meeting = yield* meetingOf(settled.success.row, agency, [key.join("\n")])
      return [
        ...leftOutOf(origin, leftOut),
        ...zoneNotes(origin, settled.success.note),
        found(origin, place),
        found(origin, agency),
        found(origin, meeting)
      ]
    })
    return recordsOf(path).pipe(
      Stream.mapEffect(
        Effect.fnUntraced(function* ({ line, value, encoding }) {
          const origin = { file, line }
          const items = Result.isFailure(value)
            ? [rejected(origin, "", value.failure)]
            : yield* read(origin, value.success)
          return [...encodingNote(origin, encoding), ...items]
        })
      ),
      Stream.flattenIterable
    )
  })

/**
 * Plain agendas: NDJSON, or one JSON array, of rows like a manifest's (`MeetingRow`), with a `date` and
 * `items: [{ number? title description? outcome? }]`.
 */
export const agendas: Format = {
  name: "agendas",
  about: "agendas, as NDJSON or a JSON array",
  isRecord: (record) => "body" in record && "place" in record && "items" in record,
  isHead: (head) => mentions(head, "body") && mentions(head, "place") && mentions(head, "items"),
  read: ([file]) => readAgendas(file)
}
