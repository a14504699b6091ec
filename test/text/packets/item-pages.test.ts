import { assert, describe, it } from "@effect/vitest"
import { itemPages, type NamedItem } from "../../../src/text/packets/item-pages.ts"

const items: ReadonlyArray<NamedItem> = [
  { id: "call", title: "Call to order", number: "1" },
  { id: "minutes", title: "Minutes", number: "2." },
  { id: "bridge", title: "Repair of the Mill Street Bridge", number: "3.A" },
  { id: "levy", title: "Ordinance 26-14, the tax levy for next year", number: "3.B" },
  { id: "hearing", title: "Public Hearing", number: "4" },
  { id: "second", title: "Public Hearing", number: "5" },
  { id: "untold", title: "Sidewalk café permits on Alder Avenue" }
]

const agenda = items.map(({ number = "", title }) => `${number} ${title}`).join("\n")

const tied = (bookmarks: ReadonlyArray<readonly [string, number]>, ...pages: ReadonlyArray<string>) =>
  Object.fromEntries(
    itemPages(
      items,
      bookmarks.map(([title, page]) => ({ title, page })),
      pages.map((text, at) => ({ number: at + 1, text }))
    )
  )

describe("the pages of a packet", () => {
  it("are an item's where a bookmark names it, with or without its number, cut short or by its number alone", () => {
    assert.deepStrictEqual(
      tied([
        ["Agenda", 1],
        ["2. MINUTES", 3],
        ["3.A Repair of the Mill Street Bridge - Staff report", 5],
        ["Repair of the Mill Street Bridge, exhibit B", 9],
        ["Item 3B", 12],
        ["VII. Sidewalk cafe permits", 20]
      ]),
      { minutes: 3, bridge: 5, levy: 12, untold: 20 }
    )
    assert.deepStrictEqual(tied([["3.A. Repair of the Mill Street…", 5]]), { bridge: 5 })
  })

  it("are nobody's where a bookmark fits two items, or says another thing under the same number", () => {
    assert.deepStrictEqual(tied([["Public Hearing", 7]]), {})
    assert.deepStrictEqual(
      tied([
        ["Item 4: Letters from neighbors", 7],
        ["Minutes of the library board", 8],
        ["1", 9]
      ]),
      {}
    )
    // The number tells two items of one title apart.
    assert.deepStrictEqual(tied([["5. Public Hearing", 30]]), { second: 30 })
    assert.deepStrictEqual(tied([["Item 5 Public Hearing", 30]]), { second: 30 })
  })

  it("are an item's where it stands alone at the head of a page, but not in the agenda or a running text", () => {
    const staff = "City of Marlow\nSTAFF REPORT\nSubject: Repair of the\nMill Street bridge\nThe bridge is old."
    const body = `Report\n${"line\n".repeat(8)}Sidewalk café permits on Alder Avenue were discussed.`
    assert.deepStrictEqual(tied([], agenda, staff, "Agenda Item No. 3(b)\nThe levy", body, staff), {
      bridge: 2,
      levy: 3
    })
    assert.deepStrictEqual(tied([["3.A Repair of the Mill Street Bridge", 9]], staff), { bridge: 9 })
    assert.deepStrictEqual(tied([], "Item 4\nLetters", "Item 6\nNothing"), { hearing: 1 })
  })
})
