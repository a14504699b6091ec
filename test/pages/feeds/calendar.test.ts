import { assert, describe, it } from "@effect/vitest"
import ICAL from "ical.js"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { examples } from "../../../src/api/examples/index.ts"
import { calendarOf } from "../../../src/pages/feeds/calendar.ts"
import { nameAfterBody } from "../../../src/text/meeting-name.ts"

const base = "https://record.example.gov"
const [example] = examples.browseMeetings.meetings
if (example === undefined) throw new Error("the example lists a meeting")

const written = (...meetings: ReadonlyArray<MeetingCard>) =>
  calendarOf({ name: "Springfield", description: "Public meetings.", html: "/in/springfield", meetings }, base)

/** The events of a calendar, as another library reads them. */
const eventsIn = (text: string) => new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent")
const read = (card: MeetingCard) => {
  const [event] = eventsIn(written(card))
  if (event === undefined) throw new Error("a meeting is an event")
  return (name: string) => event.getFirstPropertyValue(name)
}

describe("a calendar", () => {
  it("says what a meeting is, when and where it takes place, and at which address, in UTC", () => {
    const of = read({
      ...example,
      starts_at: "2026-03-11T00:00:00Z",
      duration: 5400.5,
      location: "Council Chambers, 210 Grange Street; room 2"
    })
    assert.strictEqual(of("uid"), `urn:uuid:${example.id}`)
    assert.strictEqual(of("summary"), `${example.body.name}: ${example.title}`)
    assert.strictEqual(String(of("dtstart")), "2026-03-11T00:00:00Z")
    assert.strictEqual(String(of("dtend")), "2026-03-11T01:30:00Z")
    assert.strictEqual(of("location"), "Council Chambers, 210 Grange Street; room 2")
    assert.strictEqual(of("url"), base + example.path)
    assert.strictEqual(of("status"), "CONFIRMED")
  })

  it("has a meeting of unknown time as an all-day event", () => {
    const { starts_at: _, ...allDay } = example
    assert.strictEqual(String(read({ ...allDay, date: "2026-03-10" })("dtstart")), "2026-03-10")
  })

  it("keeps a cancelled meeting under its id, with a sequence that rises with each change", () => {
    const planned = read({ ...example, status: "upcoming", updated_at: "2026-03-01T10:00:00Z" })
    const cancelled = read({ ...example, status: "cancelled", updated_at: "2026-03-01T10:00:01Z" })
    assert.strictEqual(cancelled("uid"), planned("uid"))
    assert.strictEqual(cancelled("status"), "CANCELLED")
    assert.isAbove(Number(cancelled("sequence")), Number(planned("sequence")))
    assert.isBelow(Number(cancelled("sequence")), 2 ** 31)
  })

  it("folds lines at 75 octets and loses no character, whatever a title contains", () => {
    const hostile = `Ünïcode ${"é😀".repeat(60)}, with; \\ and "quotes"\r\nBEGIN:VEVENT\nend`
    const text = written({ ...example, title: `${hostile}\u0000\u0007`, headline: hostile, location: hostile })
    for (const line of text.split("\r\n")) assert.isAtMost(Buffer.byteLength(line), 75)
    assert.notMatch(text.replaceAll("\r\n", ""), /\p{Cc}/u)
    const [event, ...others] = eventsIn(text)
    assert.deepStrictEqual(others, [])
    const plain = hostile.replace("\r\n", " \n")
    assert.strictEqual(event?.getFirstPropertyValue("location"), plain)
    assert.strictEqual(event?.getFirstPropertyValue("summary"), nameAfterBody({ ...example, title: plain }))
  })

  it("has the name of its place or body, whatever that contains", () => {
    const name = "Ways, Means; and \\ more\nBEGIN:VEVENT"
    const text = calendarOf({ name, description: `Meetings of ${name}.`, html: "/in/springfield", meetings: [] }, base)
    const calendar = new ICAL.Component(ICAL.parse(text))
    const called = (property: string) => calendar.getFirstProperty(property)?.toICALString().replaceAll("\r\n ", "")
    const escaped = "Ways\\, Means\\; and \\\\ more\\nBEGIN:VEVENT"
    assert.strictEqual(called("x-wr-calname"), `X-WR-CALNAME:${escaped}`)
    assert.strictEqual(called("x-wr-caldesc"), `X-WR-CALDESC:Meetings of ${escaped}.`)
    assert.deepStrictEqual(calendar.getAllSubcomponents("vevent"), [])
  })
})
