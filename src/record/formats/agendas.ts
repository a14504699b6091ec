import { Effect, type FileSystem, Result, Stream } from "effect"
import { recordsOf } from "./files.ts"
import { found, type Item, type Origin, type ReadError, rejected, repeated } from "./item.ts"
import { agencyOf, decodeRow, meetingOf, placeOf, sameMeeting, settle } from "./row.ts"

/**
 * Reads plain agendas: NDJSON, or one JSON array, of rows as manifests have them (`MeetingRow`) with
 * `items: [{ number? title description? outcome? }]`. `date` is asked for; a second agenda of the same body, day and
 * title is told of as a repetition.
 */
export const readAgendas = (path: string, file: string): Stream.Stream<Item, ReadError, FileSystem.FileSystem> =>
  Stream.suspend(() => {
    const seen = new Map<string, number>()
    const read = Effect.fnUntraced(function* (origin: Origin, value: unknown) {
      const row = decodeRow(value)
      if (Result.isFailure(row)) return [rejected(origin, row.failure.field, row.failure.message)]
      if (row.success.date === undefined) return [rejected(origin, "date", "is missing")]
      const settled = settle(row.success, row.success.date)
      if (Result.isFailure(settled)) return [rejected(origin, settled.failure.field, settled.failure.message)]
      const place = placeOf(row.success)
      const { body, kind } = row.success
      const agency = agencyOf(kind === undefined ? { name: body } : { name: body, kind }, place)
      const key = sameMeeting(settled.success, agency)
      const earlier = seen.get(key.join("\n"))
      if (earlier !== undefined) return [repeated(origin, `is the meeting of record ${earlier}`)]
      seen.set(key.join("\n"), origin.line)
      const meeting = yield* meetingOf(settled.success, agency, [key.join("\n")])
      return [found(origin, place), found(origin, agency), found(origin, meeting)]
    })
    return recordsOf(path).pipe(
      Stream.mapEffect(({ line, value }) =>
        Result.isFailure(value)
          ? Effect.succeed([rejected({ file, line }, "", value.failure)])
          : read({ file, line }, value.success)
      ),
      Stream.flattenIterable
    )
  })
