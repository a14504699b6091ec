import { existsSync, globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { distinctItems, longestName, meetingName, nameWithBody, sessionOf } from "../../src/text/meeting-name.ts"

const root = path.join(import.meta.dirname, "../..")
const of = (title: string, body = "Springfield City Council", more: object = {}) => ({
  title,
  date: "2026-03-10",
  body: { name: body },
  ...more
})

describe("the name of a meeting", () => {
  it("is its decision, its own title, or its kind and day, and never a title that says nothing", () => {
    const names = {
      "City Council": "Meeting of March 10, 2026",
      "Meeting Summary": "Meeting of March 10, 2026",
      "Meeting Information": "Meeting of March 10, 2026",
      "Session of 2:00 PM": "Meeting of March 10, 2026, 2:00 PM",
      "Regular City Council Meeting - March 10, 2026": "Regular Meeting of March 10, 2026",
      "REGULAR MEETING": "Regular Meeting of March 10, 2026",
      "Budget Workshop": "Budget Workshop of March 10, 2026",
      "City Council Workshop 110428 Part 1": "Workshop of March 10, 2026, Part 1",
      "City Council R 265 130521 Grants Night": "Grants Night, March 10, 2026",
      "Public Hearing on the Budget": "Public Hearing on the Budget, March 10, 2026",
      "Town Hall on Water": "Town Hall on Water"
    }
    for (const [title, name] of Object.entries(names)) assert.strictEqual(meetingName(of(title)), name, title)
    const headline = "**Council buys the depot**"
    assert.strictEqual(meetingName(of("City Council", undefined, { headline })), "Council buys the depot")
    assert.strictEqual(
      meetingName(of("Work Session", undefined, { headline: "Meeting Summary" })).slice(0, 12),
      "Work Session"
    )
  })

  it("says what it was about where its title does not", () => {
    const about = distinctItems(["Call to Order", "ROLL CALL", "Approval of the minutes", "1. Depot lease", "Roads"])
    assert.deepStrictEqual(about, ["Depot lease", "Roads"])
    assert.strictEqual(meetingName(of("City Council", undefined, { about })), "Depot lease; Roads")
    assert.strictEqual(meetingName(of("Special Meeting", undefined, { about })), "Special Meeting: Depot lease; Roads")
    const bill = "A Local Law to amend the administrative code of the city of New York, in relation to process servers"
    assert.deepStrictEqual(distinctItems([bill]), ["Process servers"])
  })

  it("is cut at a word, and names the body once", () => {
    const long = meetingName(of("City Council", undefined, { headline: "Council buys the depot and ".repeat(20) }))
    assert.isAtMost(long.length, longestName)
    assert.match(long, /\w…$/)
    assert.strictEqual(nameWithBody(of("Workshop", "Youth Board")), "Workshop of March 10, 2026: Youth Board")
    assert.strictEqual(nameWithBody(of("Youth Board rally", "Youth Board")), "Youth Board rally")
  })

  it("tells the meetings of real bodies apart", (test) => {
    const file = path.join(root, "../shared/data/nyc-legistar-events.ndjson.gz")
    if (!existsSync(file)) return test.skip("The events are not here")
    const events = gunzipSync(readFileSync(file)).toString().trim().split("\n").slice(-3000)
    const names = events.map((line) => {
      const { BodyName, Date: date, Items } = JSON.parse(line)
      const titles = (Items ?? []).flatMap(({ Title }: { Title?: string }) => (Title ? [Title] : [])).slice(0, 12)
      const meeting = {
        title: BodyName,
        date: date.slice(0, 10),
        body: { name: BodyName },
        about: distinctItems(titles)
      }
      const name = meetingName(meeting)
      assert.isAtMost(name.length, longestName)
      assert.notStrictEqual(name, BodyName)
      assert.strictEqual(sessionOf(meeting).includes(BodyName), false)
      return `${BodyName} ${name}`
    })
    assert.isAbove(new Set(names).size / names.length, 0.8)
  })
})

describe("pages, feeds and mails", () => {
  // A clip, a chapter, a topic and an item have titles of their own; the console edits the title on record.
  const others =
    /\b(?:clip|card|chapter|topic|first_topic|found|one|item|told|address|head|figure|part|context|sheet|document)\.title\b/g

  it("name a meeting by that rule alone", () => {
    const files = globSync("src/{pages,services/mail}/**/*.ts", { cwd: root })
    const round = files.flatMap((file) => {
      const code = readFileSync(path.join(root, file), "utf8").replaceAll(others, "")
      return [
        ...code.matchAll(/(?:meeting|first\.card|previous|next)\.title\b|headline \?\? \w*title|card\.headline/g)
      ].map(([found]) => `${file}: ${found}`)
    })
    assert.deepStrictEqual(round, [])
  })
})
