import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { archive, mistaken, nonMeetings, realNames, scoreOf } from "../../bench/names/names.ts"

describe("names in calendars", () => {
  it("of real bodies are known no worse than before", ({ skip }) => {
    if (!fs.existsSync(archive)) return skip("../shared/data/places.tar.gz is not there")
    const score = scoreOf(realNames())
    assert.strictEqual(score.names, 15_304)
    assert.isAtLeast(score.known / score.names, 0.933)
    assert.isAtLeast(score.knownBodies / score.bodies, 0.98)
  })

  it("of what is no meeting are mistaken for a body at most once in 200", () => {
    assert.isAtLeast(nonMeetings.flat().length, 400)
    for (const titles of nonMeetings) assert.isAtMost(mistaken(titles).length / titles.length, 1 / 200)
  })
})
