import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Nodes } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { markdownOf } from "../../src/page-tree/markdown.ts"
import { el, heading, type Kid, prose, textOf, web } from "../../src/page-tree/tree.ts"

const address = "https://record.example/in/x?t=1"

/** Text that a page of the record could contain by chance or by malice, in any order. */
const nasty = fc.constantFrom(
  ..."* _ ` [ ] ( ) <b> &amp; & # - + > | ~ ~~ \\ ! 1. 2) --- === ``` $ : a b_c Wójcik don't http://x.y www.x.com a@b.co".split(
    " "
  ),
  ..."<!-- ![ ]( ** __ % = 1\\. [x] [^1] :-|- |-| “x” mailto:a@b.co".split(" "),
  " ",
  "  ",
  "\n"
)
const text = fc.array(nasty, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(""))
const href = fc.constantFrom("/a?x=1&y=2", "?t=13", "https://e.x/(a)", "/q?q=%22a%22&copy;=1", "#a")
const wrapped = (tag: "strong" | "em" | "del" | "code" | "span") => text.map((words) => el(tag, {}, words))
const leaf: fc.Arbitrary<Kid> = fc.oneof(
  text,
  ...(["strong", "em", "del", "code", "span"] as const).map(wrapped),
  fc.tuple(text, href).map(([words, to]) => el("a", { href: to }, words)),
  fc.constant(el("br", {}))
)
const words = fc.array(leaf, { minLength: 1, maxLength: 4 })
const several = fc.array(words, { minLength: 1, maxLength: 3 })
const block: fc.Arbitrary<Kid> = fc.oneof(
  words.map((kids) => el("p", {}, kids)),
  words.map((kids) => heading(kids)),
  words.map((kids) => el("section", {}, heading("A"), kids)),
  words.map((kids) => el("blockquote", {}, el("p", {}, kids))),
  text.map((code) => el("pre", {}, code)),
  several.map((lines) =>
    el(
      "ul",
      {},
      lines.map((kids) => el("li", {}, kids))
    )
  ),
  several.map((lines) =>
    el(
      "ul",
      { inline: true },
      lines.map((kids) => el("li", {}, kids))
    )
  ),
  several.map((lines) =>
    el(
      "ol",
      { start: 7 },
      lines.map((kids) => el("li", {}, el("p", {}, kids), el("ul", {}, el("li", {}, "x"))))
    )
  ),
  several.map((lines) =>
    el(
      "dl",
      {},
      lines.map((kids) => el("div", {}, el("dt", {}, kids), el("dd", {}, kids)))
    )
  ),
  several.map((cells) =>
    el(
      "table",
      {},
      el(
        "tr",
        {},
        cells.map((kids) => el("th", {}, kids))
      ),
      el(
        "tr",
        {},
        cells.map((kids) => el("td", {}, kids))
      )
    )
  )
)
const page = fc.array(block, { minLength: 1, maxLength: 4 }).map((blocks) => el("main", {}, blocks))

/** A term is written as strong, with strong text in it. */
const term = ["www.x.com", el("strong", {}, ["don't"]), el("del", {}, ["*"]), "a@b.co"]
const nested = el("main", {}, [el("dl", {}, [el("div", {}, [el("dt", {}, term), el("dd", {}, ["a"])])])])

/** White space and the marks between listed items belong to the format. */
const bare = (said: string): string => said.replace(/[\s·:]+/g, "")

const linksOf = (kid: Kid): ReadonlyArray<string> => {
  if (typeof kid === "string" || kid === undefined || kid === false) return []
  if (!("tag" in kid)) return kid.flatMap(linksOf)
  const own = kid.tag === "a" && textOf(kid.kids).trim() !== "" ? [String(kid.attributes.href)] : []
  return [...own, ...kid.kids.flatMap(linksOf)]
}

/** Without the pass that looks for addresses in unescaped text, which is not part of GFM. */
const asTokenized = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))

const read = (markdown: string): { readonly text: string; readonly links: ReadonlyArray<string> } => {
  const links: Array<string> = []
  const said = (node: Nodes): string => {
    if (node.type === "link") links.push(node.url)
    return "children" in node ? node.children.map(said).join("") : "value" in node ? node.value : ""
  }
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: asTokenized })
  return { text: said(tree), links }
}

const canonical = (link: string): string => new URL(link, address).href.replaceAll("%28", "(").replaceAll("%29", ")")

describe("the Markdown writer", () => {
  it("loses no word and no link of any tree, and adds none of its own", () => {
    fc.assert(
      fc.property(page, (tree) => {
        const markdown = markdownOf(tree, address)
        const back = read(markdown)
        assert.strictEqual(bare(back.text), bare(textOf(tree)), markdown)
        assert.deepStrictEqual(back.links.map(canonical), linksOf(tree).map(canonical), markdown)
      }),
      { numRuns: 1000, examples: [[nested]] }
    )
  })

  it("makes links absolute by the page's address", () => {
    assert.strictEqual(
      markdownOf(el("p", {}, el("a", { href: "/b" }, "b"), " ", el("a", { href: "?t=2" }, "c")), address),
      "[b](https://record.example/b) [c](https://record.example/in/x?t=2)\n"
    )
  })

  it("leaves out controls and hidden parts, and adds parts that are for prose alone", () => {
    const tree = el(
      "main",
      {},
      web(el("p", {}, "For the screen")),
      el("form", { action: "/", method: "get" }, el("label", {}, "Words"), el("button", { type: "submit" }, "Search")),
      el("p", { hidden: true }, "Hidden"),
      prose(el("p", {}, "For the reader"))
    )
    assert.strictEqual(markdownOf(tree, address), "For the reader\n")
  })

  it("gives headings their level by the sections around them, and none within an item", () => {
    const tree = el(
      "main",
      {},
      heading("One"),
      el(
        "section",
        {},
        heading("Two"),
        el("ul", {}, el("li", {}, el("article", {}, heading("In an item"), el("p", {}, "more"))))
      )
    )
    assert.strictEqual(markdownOf(tree, address), "# One\n\n## Two\n\n- In an item\n\n  more\n")
  })

  it("writes short lists on one line, terms as a list, and tables", () => {
    const tree = el(
      "main",
      {},
      el("ul", { inline: true }, el("li", {}, "a"), el("li", {}, "b")),
      el("dl", {}, el("dt", {}, "Held"), el("dd", {}, "12")),
      el("table", {}, el("tr", {}, el("th", {}, "x")), el("tr", {}, el("td", {}, "1|2")))
    )
    assert.strictEqual(markdownOf(tree, address), "a · b\n\n- **Held**: 12\n\n| x |\n| --- |\n| 1\\|2 |\n")
  })
})
