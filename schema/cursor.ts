import { type Option, Schema } from "effect"
import { CalendarDate, Instant, MeetingId } from "./primitives.ts"

const position = { id: MeetingId, page: Schema.Int, as_of: Instant }

/**
 * A position in a list of meetings, after the meeting with this key and id: `page` pages were read, the first of them
 * as of `as_of`. It stays right while the record changes, because it names no row number.
 */
export const Cursor = Schema.Union([
  Schema.Struct({ sort: Schema.Literals(["newest", "oldest"]), key: CalendarDate, ...position }),
  Schema.Struct({ sort: Schema.Literal("updated"), key: Instant, ...position })
])
export type Cursor = typeof Cursor.Type

const CursorText = Schema.fromJsonString(Cursor)

export const cursorText = (cursor: Cursor): string =>
  Buffer.from(Schema.encodeSync(CursorText)(cursor)).toString("base64url")

/** None if the text was not made by `cursorText`. */
export const cursorOf = (text: string): Option.Option<Cursor> =>
  Schema.decodeUnknownOption(CursorText)(Buffer.from(text, "base64url").toString())
