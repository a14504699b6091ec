import { assert, describe, it } from "@effect/vitest"
import { memberFinder, speakerFinder } from "../../../src/text/roll-calls/members.ts"

const member = (name: string, ...other_names: ReadonlyArray<string>) => ({ slug: name, name, other_names })

const council = [
  member("Ada Marsh"),
  member("José Peña Jr."),
  member("Ruth de la Cruz"),
  member("Ann B. Diaz", "Annie Diaz"),
  member("Carl Diaz"),
  member("Lee O'Brien")
]

const memberNamed = memberFinder(council)

describe("a member", () => {
  it.each([
    ["Council Member Marsh", "Ada Marsh"],
    ["Ms. Ada Marsh", "Ada Marsh"],
    ["MR PENA", "José Peña Jr."],
    ["Mrs. De La Cruz", "Ruth de la Cruz"],
    ["Commissioner Ann Diaz", "Ann B. Diaz"],
    ["Annie Diaz", "Ann B. Diaz"],
    ["Mr. O’Brien", "Lee O'Brien"]
  ])("is meant by %s", (heard, name) => {
    assert.strictEqual(memberNamed(heard)?.name, name)
  })

  it.each(["Diaz", "Mr. March", "Ms. Ava Marsh", "Mayor", "Marsh how", "Mr. Smith", ""])(
    "is not guessed from %j",
    (heard) => {
      assert.isUndefined(memberNamed(heard))
    }
  )
})

describe("a speaker", () => {
  const speakerNamed = speakerFinder(council)

  it.each([
    ["Council Member Marsh", "Ada Marsh"],
    ["Mayor Pena", "José Peña Jr."],
    ["MS. ADA MARSH", "Ada Marsh"],
    ["Annie Diaz", "Ann B. Diaz"],
    ["Vice Chair De La Cruz", "Ruth de la Cruz"]
  ])("is a member as %s", (label, name) => {
    assert.strictEqual(speakerNamed(label)?.name, name)
  })

  it.each([
    "Mr. Marsh",
    "Marsh",
    "Director O'Brien",
    "Dr. De La Cruz",
    "Bob Marsh",
    "Ada Marsh (resident)",
    "Speaker 1"
  ])("is nobody's page as %j", (label) => {
    assert.isUndefined(speakerNamed(label))
  })
})
