import { DateTime, Effect, Option, Result, Stream } from "effect"
import ICAL from "ical.js"
import { bodyName } from "../../text/body-name/body-name.ts"
import { encodingNote } from "./encoding.ts"
import { type JsonRecord, textOf } from "./files.ts"
import type { Format, Items, SourceFile } from "./format.ts"
import { eventsOf, occurrences, textIn } from "./ical-events.ts"
import { rejected, warning } from "./item.ts"
import { factsOfTrail } from "./known-places.ts"
import { rowItems } from "./manifest.ts"
import { zoneOfPlace } from "./place-zone.ts"
import { factsOr } from "./sidecar.ts"
import { tidy, webAddress } from "./text.ts"

/** The most occurrences of a series, and days after its first, that are put on record. */
const mostOccurrences = 200
const longestSeries = 2 * 366

const near = (event: ICAL.Event) => ({
  most: mostOccurrences,
  beyond: (next: ICAL.Time) => next.subtractDate(event.startDate).toSeconds() > longestSeries * 86_400
})

/** The instant of a time, in the zone that it names or else in the place's; undefined for a whole day. */
const instantOf = (time: ICAL.Time, zone: string): string | undefined => {
  if (time.isDate) return undefined
  const { year, month, day, hour, minute } = time
  const tzid = time.zone?.tzid ?? "floating"
  const zones = [tzid === "Z" ? "UTC" : tzid, zone]
  const at = zones
    .map((timeZone) => DateTime.makeZoned({ year, month, day, hour, minute }, { timeZone, adjustForTimeZone: true }))
    .find(Option.isSome)
  return at === undefined ? undefined : DateTime.formatIso(DateTime.toUtc(at.value)).replace(".000Z", "Z")
}

const localDay = (instant: string | undefined, time: ICAL.Time, zone: string): string =>
  instant === undefined
    ? time.toString().slice(0, 10)
    : Option.match(DateTime.makeZoned(instant, { timeZone: zone }), {
        onNone: () => time.toString().slice(0, 10),
        onSome: DateTime.formatIsoDate
      })

const readCalendar = (file: SourceFile): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const origin = { file: file.file, line: 1 }
      const { value, encoding } = yield* textOf(file.path)
      const { columns: _, ...facts } = { ...factsOfTrail(file.trail), ...file.facts, ...factsOr(file.beside) }
      const { place, state } = facts
      const found =
        place === undefined || state === undefined ? undefined : yield* zoneOfPlace({ ...facts, place, state })
      const zone = facts.timezone ?? found?.timezone ?? "America/New_York"
      const events = Result.try(() =>
        eventsOf(new ICAL.Component(ICAL.parse(value))).flatMap((event) => [...occurrences(event, near(event))])
      )
      if (Result.isFailure(events)) return Stream.make(rejected(origin, "", "is not iCalendar (RFC 5545)"))
      const rows = events.success.map(({ item, start }) => {
        const { component } = item
        const title = tidy(item.summary)
        const body = facts.body ?? bodyName(textIn(component, "categories")) ?? bodyName(title)
        if (body === undefined) return undefined
        const isOff = /^cancel/i.test(textIn(component, "status")) || /\b(?:cancel+ed|postponed)\b/i.test(title)
        const address = webAddress(textIn(component, "url"))
        const instant = instantOf(start, zone)
        return {
          ...facts,
          ...{ body, title: title || `${body} Meeting`, date: localDay(instant, start, zone), timezone: zone },
          ...(instant === undefined ? {} : { starts_at: instant }),
          ...(tidy(item.location) === "" ? {} : { location: tidy(item.location) }),
          ...(address === undefined ? {} : { source_url: address }),
          ...(isOff ? { status: "cancelled" } : {})
        }
      })
      const records = rows.flatMap(
        (row, at): ReadonlyArray<JsonRecord> =>
          row === undefined ? [] : [{ line: at + 1, value: Result.succeed(row), encoding: undefined }]
      )
      const others = rows.length - records.length
      const notes = [
        ...encodingNote(origin, encoding),
        ...(others === 0
          ? []
          : [warning(origin, "body", `${others} events name no body and are left out; --body says whose they are`)])
      ]
      return Stream.concat(Stream.fromIterable(notes), rowItems(file, Stream.fromIterable(records)))
    })
  )

/** A calendar in a file. One that the city keeps up is better read where it is, as a source. */
export const ical: Format = {
  name: "ical",
  about: "the meetings of a calendar, as an iCalendar file",
  isNamed: (name) => /\.(ics|ical|ifb)$/i.test(name),
  isHead: (head) => /^\s*BEGIN:VCALENDAR\b/i.test(head),
  read: ([file]) => readCalendar(file)
}
