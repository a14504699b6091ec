import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import fc from "fast-check"
import { type Cadence, latestSlot } from "../../../src/services/mail/slots.ts"

const at = (iso: string, timezone: string, cadence: Cadence) =>
  DateTime.formatIso(latestSlot(DateTime.makeUnsafe(iso), timezone, cadence))

describe("the time of a digest", () => {
  it("is seven in the reader's time zone, before and after the clocks change", () => {
    // Clocks go forward on 2026-03-08 and back on 2026-11-01, at two in the morning.
    assert.strictEqual(at("2026-03-07T23:00:00Z", "America/Chicago", "daily"), "2026-03-07T13:00:00.000Z")
    assert.strictEqual(at("2026-03-08T11:59:59.999Z", "America/Chicago", "daily"), "2026-03-07T13:00:00.000Z")
    assert.strictEqual(at("2026-03-08T12:00:00Z", "America/Chicago", "daily"), "2026-03-08T12:00:00.000Z")
    assert.strictEqual(at("2026-10-31T12:00:00Z", "America/Chicago", "daily"), "2026-10-31T12:00:00.000Z")
    assert.strictEqual(at("2026-11-01T12:59:59Z", "America/Chicago", "daily"), "2026-10-31T12:00:00.000Z")
    assert.strictEqual(at("2026-11-01T13:00:00Z", "America/Chicago", "daily"), "2026-11-01T13:00:00.000Z")
  })

  it("is on Monday for a week, by the reader's own calendar", () => {
    assert.strictEqual(at("2026-03-09T11:59:00Z", "America/Chicago", "weekly"), "2026-03-02T13:00:00.000Z")
    assert.strictEqual(at("2026-03-09T12:00:00Z", "America/Chicago", "weekly"), "2026-03-09T12:00:00.000Z")
    assert.strictEqual(at("2026-03-15T23:00:00Z", "America/Chicago", "weekly"), "2026-03-09T12:00:00.000Z")
    // It is Monday in Guam while it is Sunday in Chicago.
    assert.strictEqual(at("2026-03-08T22:00:00Z", "Pacific/Guam", "weekly"), "2026-03-08T21:00:00.000Z")
    assert.strictEqual(at("2026-03-08T22:00:00Z", "America/Chicago", "weekly"), "2026-03-02T13:00:00.000Z")
  })

  it("falls back to the default for an unknown zone", () => {
    assert.strictEqual(at("2026-06-10T18:00:00Z", "Mars/Olympus", "daily"), "2026-06-10T12:00:00.000Z")
  })

  it("is never in the future, never more than a period ago, and at seven, in every zone and at every moment", () => {
    const zone = fc.constantFrom(
      "America/Chicago",
      "America/New_York",
      "Europe/Berlin",
      "Asia/Kathmandu",
      "Pacific/Apia"
    )
    const moment = fc.date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
    fc.assert(
      fc.property(moment, zone, fc.constantFrom<Cadence>("daily", "weekly"), (now, timezone, cadence) => {
        const slot = DateTime.toEpochMillis(latestSlot(DateTime.fromDateUnsafe(now), timezone, cadence))
        const hours = (now.getTime() - slot) / 3_600_000
        assert.isAtLeast(hours, 0)
        assert.isBelow(hours, (cadence === "daily" ? 24 : 168) + 1.5)
        const parts = new Intl.DateTimeFormat("en-US", {
          timeZone: timezone,
          weekday: "short",
          hour: "numeric",
          minute: "numeric",
          hourCycle: "h23"
        }).formatToParts(slot)
        const part = (type: string) => parts.find((found) => found.type === type)?.value
        assert.deepStrictEqual([part("hour"), part("minute")], ["07", "00"])
        if (cadence === "weekly") assert.strictEqual(part("weekday"), "Mon")
      })
    )
  })
})
