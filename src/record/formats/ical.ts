import { DateTime, Effect, Option, Result, Stream } from "effect"
import ICAL from "ical.js"
import { bodyName } from "../../text/body-name/body-name.ts"
import { encodingNote } from "./encoding.ts"
import { type JsonRecord, textOf } from "./files.ts"
import type { Format, Items, SourceFile } from "./format.ts"
import { rejected, warning } from "./item.ts"
import { factsOfTrail } from "./known-places.ts"
import { rowItems } from "./manifest.ts"
import { zoneOfPlace } from "./place-zone.ts"
import { factsOr } from "./sidecar.ts"
import { tidy, webAddress } from "./text.ts"

/** The most occurrences of a series, and days after its first, that are put on record. */
const mostOccurrences = 200
const longestSeries = 2 * 366

const text = (event: ICAL.Event, property: string): string => {
  const value = event.component.getFirstPropertyValue(property)
  return typeof value === "string" ? value : ""
}

/** The parts of a rule by which cities meet; other rules may never match, and the library looks for ever. */
const usualParts = /^(?:BYDAY|BYMONTH|BYMONTHDAY|BYHOUR|BYMINUTE|BYSECOND|BYSETPOS)$/
const usualDay = /^(?:[+-]?[1-5])?(?:SU|MO|TU|WE|TH|FR|SA)$/

/** Whether the rules of a series are among those by which cities meet, and so come to a day. */
export const isUsual = (event: ICAL.Event): boolean =>
  event.component.getAllProperties("rrule").every((property) => {
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur)) return false
    const { freq, parts } = rule
    const names = Object.keys(parts)
    return (
      /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(freq) &&
      names.every((name) => usualParts.test(name)) &&
      !(names.includes("BYMONTHDAY") && (names.includes("BYMONTH") || names.includes("BYDAY"))) &&
      (parts.BYDAY ?? []).every((day) => usualDay.test(String(day))) &&
      (parts.BYSETPOS ?? []).every((nth) => /^(?:MONTHLY|YEARLY)$/.test(freq) && Math.abs(Number(nth)) <= 5)
    )
  })

/** The days and hours of an event and of the series that it begins. */
const startsOf = (event: ICAL.Event): ReadonlyArray<ICAL.Time> => {
  if (event.startDate === null || event.isRecurrenceException()) return []
  if (!event.isRecurring() || !isUsual(event)) return [event.startDate]
  const starts: Array<ICAL.Time> = []
  const series = event.iterator()
  for (let next = series.next(); next !== undefined && next !== null; next = series.next()) {
    if (next.subtractDate(event.startDate).toSeconds() > longestSeries * 86_400) break
    if (starts.push(next) >= mostOccurrences) break
  }
  return starts
}

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
        new ICAL.Component(ICAL.parse(value)).getAllSubcomponents("vevent").map((one) => new ICAL.Event(one))
      )
      if (Result.isFailure(events)) return Stream.make(rejected(origin, "", "is not iCalendar (RFC 5545)"))
      const rows = events.success.flatMap((event) => {
        const title = tidy(event.summary)
        const body = facts.body ?? bodyName(text(event, "categories")) ?? bodyName(title)
        const isOff = /^cancel/i.test(text(event, "status")) || /\b(?:cancel+ed|postponed)\b/i.test(title)
        const address = webAddress(text(event, "url"))
        return startsOf(event).map((start) => {
          const instant = instantOf(start, zone)
          return body === undefined
            ? undefined
            : {
                ...facts,
                ...{ body, title: title || `${body} Meeting`, date: localDay(instant, start, zone), timezone: zone },
                ...(instant === undefined ? {} : { starts_at: instant }),
                ...(tidy(event.location) === "" ? {} : { location: tidy(event.location) }),
                ...(address === undefined ? {} : { source_url: address }),
                ...(isOff ? { status: "cancelled" } : {})
              }
        })
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
