import { assert, describe, it, vi } from "@effect/vitest"
import { Schema } from "effect"
import { TimeZone } from "../../schema/primitives.ts"

const isTimeZone = Schema.is(TimeZone)

describe("a time zone", () => {
  it("is one that the runtime knows, by its name", () => {
    for (const zone of ["America/Chicago", "UTC", "america/chicago"]) assert.isTrue(isTimeZone(zone), zone)
    for (const zone of ["", "Chicago", "America/Chicago ", "+05:00", "CST6CDT7"]) assert.isFalse(isTimeZone(zone), zone)
  })

  it("is looked up once, however many meetings are in it", () => {
    const asked = vi.spyOn(Intl, "DateTimeFormat")
    for (let meeting = 0; meeting < 100; meeting++) assert.isTrue(isTimeZone("Pacific/Chatham"))
    assert.strictEqual(asked.mock.calls.length, 1)
    asked.mockRestore()
  })
})
