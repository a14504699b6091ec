import { Result, Schema } from "effect"
import { type Fault, type Tolerated, tolerantDecoder } from "../decode.ts"
import { isJsonObject, type JsonObject } from "../format.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const whole = Schema.optionalKey(Schema.NullOr(Schema.Int))

/** A document of a matter; only the Web API has them. */
const MatterAttachment = Schema.Struct({ MatterAttachmentName: text, MatterAttachmentHyperlink: text })

/** One item of an agenda or of minutes, with the names used by archives made from the Web API. */
export const LegistarItem = Schema.Struct({
  ID: Schema.Int,
  GUID: text,
  Title: text,
  AgendaSequence: whole,
  MinutesSequence: whole,
  AgendaNumber: text,
  AgendaNote: text,
  MinutesNote: text,
  ActionName: text,
  ActionText: text,
  PassedFlagName: text,
  /** The votes for and against: "7:0". */
  Tally: text,
  RollCallFlag: whole,
  Mover: text,
  Seconder: text,
  MatterFile: text,
  MatterName: text,
  VideoIndex: whole,
  MatterAttachments: Schema.optionalKey(Schema.NullOr(Schema.Array(MatterAttachment)))
})
export type LegistarItem = typeof LegistarItem.Type

/** One event, with the names used by archives made from the Web API. */
export const LegistarEvent = Schema.Struct({
  ID: Schema.Int,
  GUID: text,
  BodyID: whole,
  BodyName: Schema.String.check(Schema.isPattern(/\S/, { message: "must not be empty" })),
  /** With an offset, or in local time. */
  Date: text,
  /** Local time such as "9:30 AM", beside a `Date` at midnight. */
  Time: text,
  Location: text,
  AgendaStatusName: text,
  MinutesStatusName: text,
  AgendaFile: text,
  MinutesFile: text,
  Comment: text,
  VideoPath: text,
  /** An address, or the number of the recording where Granicus keeps it. */
  Media: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))),
  InSiteURL: text,
  Items: Schema.optionalKey(Schema.NullOr(Schema.Array(LegistarItem)))
})
export type LegistarEvent = typeof LegistarEvent.Type

const decodeEvent = tolerantDecoder(LegistarEvent, ["GUID", "BodyID", "Date"])
const decodeItem = tolerantDecoder(LegistarItem, ["GUID"])

/** Keys that archives spell in capitals. */
const capitals: Readonly<Record<string, string>> = { Id: "ID", Guid: "GUID", BodyId: "BodyID" }

/**
 * Removes a prefix from the keys of an object: the Web API calls an event's `Date` `EventDate`, and its `ID` `EventId`.
 */
const withoutPrefix = (value: JsonObject, prefix: string): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const name = key.startsWith(prefix) ? key.slice(prefix.length) : key
      return [capitals[name] ?? name, field]
    })
  )

const itemFields = (value: unknown): unknown =>
  isJsonObject(value) && "EventItemId" in value ? withoutPrefix(value, "EventItem") : value

const isOfWebApi = (value: unknown): value is JsonObject => isJsonObject(value) && "EventId" in value

const eventFields = (value: unknown): unknown => {
  if (!isOfWebApi(value)) return value
  const items = value.EventItems
  return { ...withoutPrefix(value, "Event"), ...(Array.isArray(items) ? { Items: items.map(itemFields) } : {}) }
}

/**
 * Decodes one event with either set of names: `ID GUID BodyID ... Items`, or `EventId EventGuid ... EventItems`. An
 * optional field of the wrong shape costs the field, unless it identifies the event.
 */
export const readEvent = (value: unknown): Result.Result<Tolerated<LegistarEvent>, Fault> =>
  decodeEvent(eventFields(value))

/** An item from a separate response of the Web API, with the id of its event. */
export const readLooseItem = (
  value: unknown
): Result.Result<readonly [event: number, item: Tolerated<LegistarItem>], Fault> => {
  const event = isJsonObject(value) ? value.EventItemEventId : undefined
  return typeof event === "number"
    ? Result.map(decodeItem(itemFields(value)), (item) => [event, item] as const)
    : Result.fail({ field: "EventItemEventId", message: "is missing" })
}

/** Whether a value is an item of the Web API rather than an event. */
export const isLooseItem = (value: unknown): boolean => isJsonObject(value) && "EventItemEventId" in value

const LegistarHeader = Schema.Struct({
  ID: LegistarEvent.fields.ID,
  BodyID: LegistarEvent.fields.BodyID,
  BodyName: LegistarEvent.fields.BodyName,
  Date: text,
  InSiteURL: text,
  AgendaFile: text,
  MinutesFile: text
})
export type LegistarHeader = typeof LegistarHeader.Type

const decodeHeader = tolerantDecoder(LegistarHeader, ["BodyID", "Date"])

/** The key of an event and of its body, without its items. */
export const readHeader = (value: unknown): Result.Result<LegistarHeader, Fault> =>
  Result.map(decodeHeader(isOfWebApi(value) ? withoutPrefix(value, "Event") : value), (header) => header.value)
