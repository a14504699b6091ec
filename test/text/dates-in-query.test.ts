import { assert, describe, it } from "@effect/vitest"
import { datesIn } from "../../src/text/dates-in-query.ts"

const today = new Date("2026-03-10T12:00:00Z")
const taken = (q: string) => {
  const dates = datesIn(q, today)
  return dates === undefined ? undefined : [dates.from, dates.to, dates.q]
}

describe("a date in the search box", () => {
  for (const [q, from, to, rest] of [
    ["october 23, 2025", "2025-10-23", "2025-10-23", ""],
    ["Oct. 23rd 2025 budget", "2025-10-23", "2025-10-23", "budget"],
    ["23 october 2025", "2025-10-23", "2025-10-23", ""],
    ["10/23/2025", "2025-10-23", "2025-10-23", ""],
    ["2025-10-23 council", "2025-10-23", "2025-10-23", "council"],
    ["budget in may 2025", "2025-05-01", "2025-05-31", "budget"],
    ["march 2024", "2024-03-01", "2024-03-31", ""],
    ["february 2024 zoning", "2024-02-01", "2024-02-29", "zoning"],
    ["last september", "2025-09-01", "2025-09-30", ""],
    ["last march", "2025-03-01", "2025-03-31", ""],
    ["last january bike lane", "2026-01-01", "2026-01-31", "bike lane"],
    ["last month", "2026-02-01", "2026-02-28", ""],
    ["stadium last year", "2025-01-01", "2025-12-31", "stadium"],
    ['"bike lane" on 2025-10-23?', "2025-10-23", "2025-10-23", '"bike lane"'],
    ['speaker:"Ada Marsh" may 2025', "2025-05-01", "2025-05-31", 'speaker:"Ada Marsh"']
  ] as const) {
    it(`is read in: ${q}`, () => assert.deepStrictEqual(taken(q), [from, to, rest]))
  }

  for (const q of [
    "may i",
    "march of dimes",
    "march 5",
    "24-117",
    "item 10/2",
    "ordinance 2025-10",
    "budget 2025",
    "fiscal year 2025",
    "2025-02-30",
    "13/45/2025",
    "marching 2025",
    '"october 23, 2025"',
    "“may 2025”",
    "before:2025-10-23",
    "after: may 2025",
    "after:may 2025",
    'after:"May 2025"',
    "since may 2025",
    "2025-10-23 or budget",
    "2025-10-23 2025-11-06",
    "-2025-10-23",
    "case 10-23-20251",
    ""
  ]) {
    it(`stays words in: ${q}`, () => assert.strictEqual(taken(q), undefined))
  }
})
