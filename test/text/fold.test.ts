import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Db } from "../../layers/db/db.ts"
import { fold, nameKey } from "../../src/text/fold.ts"
import { TestDb } from "../support/database.ts"

/** Every letter, digit and accent from one code point to another. */
const from = (first: number, last: number): ReadonlyArray<string> =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).filter((character) =>
    /[\p{L}\p{M}\p{Nd}]/u.test(character)
  )

const characters = [
  ...Array.from({ length: 0x7e - 0x20 + 1 }, (_, at) => String.fromCodePoint(0x20 + at)),
  ...from(0xa0, 0x17f),
  ...from(0x300, 0x362),
  // Vietnamese.
  ...from(0x1ea0, 0x1ef9),
  ...from(0x386, 0x3ce),
  ...from(0x400, 0x45f),
  ...from(0x5d0, 0x5ea),
  ...from(0x620, 0x64a),
  ...from(0x4e00, 0x4e40),
  ...from(0xac00, 0xac40),
  ..."‘’‛ʻʼ′“”‟„«»\u00ad‐‑‒–—―…😀"
]

layer(TestDb)("a folded text", (it) => {
  it.effect("is the same as in SQL", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const names = fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((some) => some.join(""))
      const texts = [...characters, "ΑΓΟΡΆΣ", "İstanbul", "O’Fallon", ...fc.sample(names, 5000)]
      const rows = yield* db<{ folded: string; key: string }>`
        select fold(text) as folded, name_key(text) as key
        from unnest(${texts}::text[]) with ordinality given (text, at) order by at`
      assert.deepStrictEqual(
        texts.map((text) => ({ text, folded: fold(text), key: nameKey(text) })),
        texts.map((text, at) => ({ text, folded: rows[at]?.folded ?? "", key: rows[at]?.key ?? "" }))
      )
    })
  )
})
