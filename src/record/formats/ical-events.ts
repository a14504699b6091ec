import ICAL from "ical.js"

/** The parts of a rule by which cities meet; other rules may never match, and the library looks for ever. */
const usualParts = /^(?:BYDAY|BYMONTH|BYMONTHDAY|BYHOUR|BYMINUTE|BYSECOND|BYSETPOS)$/
const usualDay = /^(?:[+-]?[1-5])?(?:SU|MO|TU|WE|TH|FR|SA)$/

/** Whether the rules of a series are among those by which cities meet, and so come to a day. */
const isUsual = (event: ICAL.Event): boolean =>
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

/** The text of a property; empty if there is none. */
export const textIn = (component: ICAL.Component, property: string): string => {
  const value = component.getFirstPropertyValue(property)
  return typeof value === "string" ? value : ""
}

/**
 * The events of a calendar, each series with its own exceptions (RFC 5545, section 3.8.4.4), and exceptions of events
 * that the calendar does not have. By itself the library looks at all events for each of them, and takes the exceptions
 * of every series for those of each.
 */
export const eventsOf = (root: ICAL.Component): ReadonlyArray<ICAL.Event> => {
  const components = root.getAllSubcomponents("vevent")
  const exceptions = new Map<string, Array<ICAL.Component>>()
  for (const component of components) {
    if (!component.hasProperty("recurrence-id")) continue
    const uid = textIn(component, "uid")
    const known = exceptions.get(uid)
    if (known === undefined) exceptions.set(uid, [component])
    else known.push(component)
  }
  const whole = new Set(components.filter((one) => !one.hasProperty("recurrence-id")).map((one) => textIn(one, "uid")))
  return components.flatMap((component) => {
    const uid = textIn(component, "uid")
    const isException = component.hasProperty("recurrence-id")
    if (isException && whole.has(uid)) return []
    return [new ICAL.Event(component, { exceptions: isException ? [] : (exceptions.get(uid) ?? []) })]
  })
}

interface Occurrence {
  /** The series, or the exception that stands in its place. */
  readonly item: ICAL.Event
  readonly start: ICAL.Time
  /** An id of its own within the calendar. */
  readonly id: string
}

/**
 * The occurrences of an event, at most `most` of them, until one is `beyond`. An unusual rule may never come to a day;
 * the event is then its first one.
 */
export const occurrences = function* (
  event: ICAL.Event,
  { most, beyond }: { readonly most: number; readonly beyond: (next: ICAL.Time) => boolean }
): Generator<Occurrence> {
  if (event.startDate === null) return
  if (!event.isRecurring() || !isUsual(event)) {
    const recurrence = event.isRecurrenceException() ? ` ${event.recurrenceId.toString()}` : ""
    yield { item: event, start: event.startDate, id: `${event.uid}${recurrence}` }
    return
  }
  const times = event.iterator()
  for (let at = 0; at < most; at++) {
    const next = times.next()
    if (next === undefined || next === null || beyond(next)) return
    const { item, startDate, recurrenceId } = event.getOccurrenceDetails(next)
    yield { item, start: startDate, id: `${event.uid} ${recurrenceId.toString()}` }
  }
}
