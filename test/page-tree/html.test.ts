import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { htmlOf } from "../../src/page-tree/html.ts"
import { el, heading, prose, web } from "../../src/page-tree/tree.ts"

const unescaped = (html: string): string =>
  html.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: "<", gt: ">", quot: '"', "#39": "'" })[String(name)] ?? "&"
  )

const text = fc.array(fc.constantFrom("<", ">", "&", '"', "'", "script", "&lt;", "-->", "]]>", "a", "\u00e9", " "), {
  maxLength: 12
})

describe("the HTML writer", () => {
  it("escapes every string, between tags and in attributes, so that it is read back unchanged", () => {
    fc.assert(
      fc.property(text, text, (inside, of) => {
        const [words, title] = [inside.join(""), of.join("")]
        const html = htmlOf(el("p", { "aria-label": title }, words))
        const parts = /^<p aria-label="([^"<>]*)">([^"<>]*)<\/p>$/.exec(html)
        assert.isNotNull(parts, html)
        assert.strictEqual(unescaped(parts?.[1] ?? ""), title)
        assert.strictEqual(unescaped(parts?.[2] ?? ""), words)
      }),
      { numRuns: 2000 }
    )
  })

  it("writes true attributes by name, ARIA's as true or false, and leaves out undefined ones", () => {
    assert.strictEqual(
      htmlOf(
        el("button", { type: "button", disabled: true, hidden: false, id: undefined, "aria-pressed": false }, "Go")
      ),
      '<button type="button" disabled aria-pressed="false">Go</button>'
    )
    assert.strictEqual(htmlOf(el("ul", { inline: true }, el("li", {}, "a"))), "<ul><li>a</li></ul>")
  })

  it("closes no empty element, shows parts for the screen, and leaves out parts for prose", () => {
    assert.strictEqual(htmlOf([el("br", {}), web("a"), prose("b"), false, undefined, ["c"]]), "<br>ac")
  })

  it("gives headings their level by the sections around them", () => {
    assert.strictEqual(
      htmlOf([heading("One"), el("section", {}, heading("Two"), el("article", {}, heading("Three")))]),
      "<h1>One</h1><section><h2>Two</h2><article><h3>Three</h3></article></section>"
    )
  })
})
