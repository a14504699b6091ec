import { assert, describe, it } from "@effect/vitest"
import { subjectsOf } from "../../src/text/subjects.ts"

const met = (body: string, ...about: ReadonlyArray<string>) => ({ body: { name: body }, about })

describe("subjects to search for", () => {
  it("are what several meetings were about, then the newest, one for each body", () => {
    const meetings = [
      met("Parks Board", "Expanding loading zones", "Elevator inspection fees"),
      met("City Council", "Oversight - Hunger in Schools, and other matters"),
      met("School Board", "Depot lease"),
      met("Zoning Board", "the depot lease")
    ]
    assert.deepStrictEqual(subjectsOf(meetings, 3), ["Depot lease", "loading zones", "Hunger in Schools"])
    assert.deepStrictEqual(subjectsOf(meetings, 1), ["Depot lease"])
  })

  it("are no procedure, no bodies, no numbers, and nothing that was cut", () => {
    const meetings = [
      met("Youth Board", "Youth Board", "Approving the minutes of May", "Int 2470-2021", "Budget"),
      met("City Council", "A very long title of a law that was cut…"),
      met("Knoxville City Council")
    ]
    assert.deepStrictEqual(subjectsOf(meetings, 3), [])
    assert.deepStrictEqual(subjectsOf([], 3), [])
  })
})
