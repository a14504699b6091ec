import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Email, emailKey } from "../../schema/email.ts"

const isEmail = Schema.is(Email)
const keyOf = (address: string) => (isEmail(address) ? emailKey(address) : "refused")

describe("an e-mail address", () => {
  it("is the same mailbox whatever the case of A to Z, and in either form of its domain", () => {
    for (const [address, key] of [
      ["ada@example.org", "ada@example.org"],
      ["Ada.Byron+news@EXAMPLE.Org", "ada.byron+news@example.org"],
      ["zoë@bücher.example", "zoë@xn--bcher-kva.example"],
      ["ZOë@XN--bcher-kva.example", "zoë@xn--bcher-kva.example"],
      ["a@faß.example", "a@xn--fa-hia.example"]
    ] as const) {
      assert.strictEqual(keyOf(address), key)
    }
  })

  it("keeps every letter of its local part that is not one of A to Z", () => {
    for (const letter of ["İ", "ı", "ſ", "\u212a", "\u212b", "Å", "å", "a\u030a", "ﬀ", "ß", "ẞ", "Σ", "ς"]) {
      assert.strictEqual(keyOf(`${letter}@example.org`), `${letter}@example.org`)
    }
  })

  it("has a domain in one spelling, which IDNA would not have to change", () => {
    for (const domain of [
      "gmaİl.com",
      "ſlack.com",
      "faceboo\u212a.com",
      "\u212bngstrom.example",
      "oﬀice.com",
      "BÜCHER.example",
      "bu\u0308cher.example",
      "ex%61mple.org",
      "example。org",
      "１example.org",
      "Ｇmail.com",
      "1.2.3",
      "127.0.0.1",
      "0x7f.1",
      "example.123",
      "-a.example",
      "a_b.example",
      "xn--iñvalid.com",
      `${"a".repeat(64)}.example`,
      `${"a.".repeat(126)}example`
    ]) {
      assert.strictEqual(keyOf(`ada@${domain}`), "refused", domain)
    }
    assert.strictEqual(keyOf("ada@gmaıl.com"), "ada@xn--gmal-nza.com", "which is another domain")
  })
})

describe("the sources", () => {
  const root = path.join(import.meta.dirname, "../..")

  it("leave folding an address to its key, in SQL and elsewhere", () => {
    const folds =
      /\b(?:lower|upper|fold)\(\s*[^()]*e?mail|e?mail\w*(?:\.normalize\([^)]*\))?\.to(?:Locale)?(?:Lower|Upper)Case/i
    const files = globSync("{schema,src,layers}/**/*.{ts,sql}", { cwd: root })
    assert.isAbove(files.length, 100)
    assert.deepStrictEqual(
      files.filter((file) => folds.test(readFileSync(path.join(root, file), "utf8"))),
      []
    )
    assert.match("create unique index account_email on account (lower(email))", folds)
  })
})
