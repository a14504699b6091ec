import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { scratch } from "../../support/rendering.ts"
import { entitiesOf, itemsOf, noticesOf, those } from "./reading.ts"

const example = (file: string) => `docs/examples/${file}`
const marlow = { place: "Marlow", state: "IL" }

const written = Effect.fnUntraced(function* (name: string, content: string) {
  const file = path.join(yield* scratch, name)
  fs.writeFileSync(file, content)
  return file
})

describe("Open Civic Data", () => {
  it.effect("has its place, people, seats, meetings, bills and votes, each after what it names", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(example("ocd.ndjson"))
      assert.deepStrictEqual(noticesOf(items), [])
      const order = [...new Set(entitiesOf(items).map(({ type }) => type))]
      assert.deepStrictEqual(order, ["place", "agency", "person", "membership", "meeting", "matter", "vote"])
      assert.deepInclude(those(items, "place")[0], { slug: "marlow", name: "Marlow", state: "IL" })
      assert.deepStrictEqual(
        those(items, "membership").map(({ person, agency, role, district, start, end }) => [
          ...[person, agency, role, district, start, end]
        ]),
        [
          ["marlow-ada-marsh", "marlow-city-council", "member", "Ward 1", "2018-01-01", undefined],
          ["marlow-ben-ortiz", "marlow-city-council", "member", "Ward 2", "2016-01-01", "2021-12-31"],
          ["marlow-june-okafor", "marlow-city-council", "member", "Ward 3", "2019-05-07", undefined]
        ]
      )
      const [bill] = those(items, "matter")
      const event = "marlow-city-council/2026-03-10"
      assert.deepInclude(bill, {
        slug: "marlow-o2026-14",
        kind: "ordinance",
        status: "passed",
        introduced_on: "2026-01-13",
        description: "A path along Halyard Road.",
        sponsors: [{ person: "marlow-ada-marsh", name: "Ada Marsh", is_primary: true }, { name: "Plan Commission" }],
        attachments: [
          { title: "Fiscal note", url: "https://marlow.example/o2026-14/fiscal.pdf" },
          { title: "As introduced", url: "https://marlow.example/o2026-14/text.pdf" }
        ]
      })
      assert.deepStrictEqual(
        bill?.history.map((step) => [step.action, step.result, step.item]),
        [
          ["Introduced", undefined, undefined],
          ["Referred to Committee", undefined, undefined],
          ["Passed", "pass", "O2026-14"]
        ]
      )
      assert.deepStrictEqual(those(items, "meeting")[0]?.agenda_items[1]?.matter, "O2026-14")
      const [pass, adjourn] = those(items, "vote")
      assert.deepInclude(pass, { event, item: "O2026-14", matter: "marlow-o2026-14", result: "pass" })
      // A last name is the member who has it, and why somebody is excused is not kept.
      assert.deepStrictEqual(adjourn?.ballots, [
        { person: "marlow-june-okafor", name: "Okafor", option: "yes" },
        { person: "marlow-ben-ortiz", name: "Ben Ortiz", option: "excused" }
      ])
      assert.deepStrictEqual(adjourn?.counts, [
        { option: "yes", value: 1 },
        { option: "not_voting", value: 1 }
      ])
    })
  )

  it.effect("keeps two people of one name and two bills of one number apart, and says what it cannot place", () =>
    Effect.gen(function* () {
      const person = (id: string) => ({ _type: "person", id: `ocd-person/${id}`, name: "Ada Marsh" })
      const bill = (session: string) => ({
        ...{ id: `ocd-bill/${session}`, identifier: "R 1", title: "Thanks", legislative_session: session },
        ...{ sponsorships: [], actions: [{ date: "soon", description: "Filed" }] }
      })
      const lines = [
        ...[person("00000000-1"), person("00000000-2"), bill("2022"), bill("2024")],
        { motion_text: "Approve", votes: [], start_date: "2024-02-01", organization: null },
        {
          motion_text: "Approve",
          votes: [],
          start_date: "2024-02-01",
          organization: '~{"name": "Council"}',
          bill_id: "no"
        },
        { person_id: "ocd-person/none", organization_id: "ocd-organization/none" },
        { nothing: true }
      ]
      const file = yield* written("odd.ndjson", lines.map((line) => JSON.stringify(line)).join("\n"))
      const items = yield* itemsOf(file, { facts: marlow })
      const slugs = (type: "person" | "matter") => those(items, type).map(({ slug }) => slug)
      assert.deepStrictEqual(slugs("person"), ["marlow-ada-marsh", "marlow-ada-marsh-000000-2"])
      assert.deepStrictEqual(slugs("matter"), ["marlow-2022-r-1", "marlow-2024-r-1"])
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 8: is no person, organization, post, membership, bill, vote or event of Popolo or Open Civic Data",
        "Rejected 7 person_id: is none of the people in the source; add the person, or write person_name",
        "Warning 3 actions: 1 of them have no day or no words, and are left out",
        "Warning 4 actions: 1 of them have no day or no words, and are left out",
        "Rejected 5 organization: is missing, or none of those in the source; name the body that voted",
        "Warning 6 bill: is none of the bills in the source; the vote is kept without it"
      ])
      assert.match(
        String(yield* Effect.flip(itemsOf(file))),
        /do not name their place; give it with --place and --state/
      )
    })
  )

  it.effect("is one source in the files of a folder, whose ids last as long as a run", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const put = (name: string, value: object) => fs.writeFileSync(path.join(folder, name), JSON.stringify(value))
      put("organization_1.json", {
        _id: "o1",
        _type: "organization",
        name: "City Council",
        classification: "legislature"
      })
      put("person_1.json", { _id: "p1", _type: "person", name: "Ada Marsh" })
      put("membership_1.json", { person_id: "p1", organization_id: '~{"name": "City Council"}', role: "member" })
      const vote = (id: string) => ({
        ...{ _id: id, motion_text: "Approve", start_date: "2026-03-10", result: "pass", organization: "o1" },
        votes: [{ option: "yes", voter_name: "Ada Marsh" }]
      })
      put("vote_event_1.json", vote("a"))
      const first = yield* itemsOf(folder, { facts: marlow })
      put("vote_event_1.json", vote("b"))
      const second = yield* itemsOf(folder, { facts: marlow })
      assert.deepStrictEqual(noticesOf(first), [])
      assert.deepStrictEqual(entitiesOf(first), entitiesOf(second))
      assert.deepStrictEqual(
        entitiesOf(first).map(({ type }) => type),
        ["place", "agency", "person", "membership", "vote"]
      )
    })
  )
})

describe("Popolo", () => {
  it.effect("has people with their seats, parties and terms, and motions with their votes", () =>
    Effect.gen(function* () {
      const items = yield* itemsOf(example("popolo.json"), { facts: marlow })
      assert.deepStrictEqual(noticesOf(items), [])
      assert.deepStrictEqual(
        those(items, "person").map(({ name, sort_name }) => [name, sort_name]),
        [
          ["Ada Marsh", "Marsh, Ada"],
          ["Ben Ortiz", "Ortiz, Ben"],
          ["June Okafor", undefined]
        ]
      )
      assert.deepStrictEqual(
        those(items, "membership").map(({ person, label, role, party, district, start, end }) => [
          ...[person, label, role, party, district, start, end]
        ]),
        [
          [
            ...["marlow-ada-marsh", "Council President", "chair", "Civic League", "Ward 1"],
            ...["2023-05-01", "2024-12-31"]
          ],
          ["marlow-ben-ortiz", "member", "member", undefined, undefined, "2023-05-01", "2027-04-30"],
          ["marlow-june-okafor", "member", "member", undefined, undefined, "2023-05-01", "2027-04-30"]
        ]
      )
      const [vote] = those(items, "vote")
      assert.deepInclude(vote, { motion: "Award the Halyard Road bridge contract", result: "pass" })
      assert.deepStrictEqual(
        vote?.ballots.map(({ person, option }) => [person, option]),
        [
          ["marlow-ada-marsh", "yes"],
          ["marlow-ben-ortiz", "yes"],
          ["marlow-june-okafor", "no"]
        ]
      )
    })
  )
})
