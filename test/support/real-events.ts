import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { Effect } from "effect"
import { type ApiEvent, apiEvent, day } from "./legistar-city.ts"

/** Events of the New York City Council from an archive of Legistar's Web API, one per line. */
const file = path.resolve("../shared/data", "nyc-legistar-events.ndjson.gz")

/** Whether the real events are beside the project. */
export const realEventsAreThere = fs.existsSync(file)

type Fields = Readonly<Record<string, unknown>>

/** The Web API's names of fields: an event's `ID` is its `EventId`. */
const named = (prefix: string, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [prefix + key.replace(/ID$/, "Id").replace(/^GUID$/, "Guid"), value])
  )

const lineOf = (lines: Buffer, id: number): string | undefined => {
  const start = lines.indexOf(`{"ID":${id},"GUID"`)
  return start === -1 ? undefined : lines.toString("utf8", start, lines.indexOf("\n", start))
}

/** A time in the archive, `2021-12-14T10:00:00-05:00`, as the Web API has it beside the day: `10:00 AM`. */
const timeOf = (date: string): string => {
  const hour = Number(date.slice(11, 13))
  return `${hour % 12 || 12}:${date.slice(14, 16)} ${hour < 12 ? "AM" : "PM"}`
}

/**
 * Real events of New York by id, moved to a day near today, and their agenda items. Their files and recordings are left
 * out, because tests call no server but their own. Without the archive, an event is made up from the given fields, and
 * has no items.
 */
export const newYorkEvents = Effect.gen(function* () {
  const lines = realEventsAreThere
    ? yield* Effect.promise(async () => promisify(gunzip)(await fs.promises.readFile(file)))
    : Buffer.alloc(0)
  const found = (id: number): Fields & { readonly Items: ReadonlyArray<Fields> } =>
    JSON.parse(lineOf(lines, id) ?? '{"Items":[]}')
  return {
    event: (id: number, body: readonly [number, string], days: number, over: Fields = {}): ApiEvent => {
      const { Items, ...event } = found(id)
      const time = typeof event.Date === "string" ? { EventTime: timeOf(event.Date) } : {}
      const files = { EventAgendaFile: null, EventMinutesFile: null, EventVideoPath: null, EventMedia: null }
      return {
        ...apiEvent(id, body, days),
        ...{ ...named("Event", event), ...time, ...files, EventId: id, EventDate: `${day(days)}T00:00:00` },
        ...over
      }
    },
    items: (id: number): ReadonlyArray<Fields> =>
      found(id).Items.map((item) => ({ EventItemEventId: id, ...named("EventItem", item) }))
  }
})
