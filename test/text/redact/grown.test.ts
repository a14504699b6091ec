import { assert, describe, it } from "@effect/vitest"
import { grown } from "../../../src/text/redact/grown.ts"
import { agendaAddresses } from "../../../src/text/redact/redact.ts"
import { tokensOf } from "../../../src/text/redact/tokens.ts"

/** The spans of a line: `[[...]]` is removed, `<<...>>` was judged and left, `{{...}}` reads as private. */
const grownIn = (line: string, known: ReadonlySet<string> = new Set()) => {
  const plain = line.replaceAll(/\[\[|\]\]|\{\{|\}\}|<<|>>/gu, "")
  const tokens = tokensOf(plain, 0)
  const placesOf = (open: string, close: string) => {
    const found: Array<{ readonly from: number; readonly to: number }> = []
    let at = 0
    for (const piece of line.split(/(\[\[|\]\]|\{\{|\}\}|<<|>>)/u)) {
      if (piece === open) found.push({ from: at, to: at })
      else if (piece === close) found.push({ from: found.pop()?.from ?? 0, to: at })
      else if (!/^[[\]{}<>]{2}$/u.test(piece)) at += tokensOf(piece, 0).length
    }
    return found
  }
  const isIn = (at: number) => placesOf("{{", "}}").some(({ from, to }) => from <= at && at < to)
  const privacy = tokens.map((_, at) => (isIn(at) ? 1 : -1))
  return grown(tokens, placesOf("[[", "]]"), placesOf("<<", ">>"), () => privacy, known).map(({ from, to }) =>
    tokens
      .slice(from, to)
      .map(({ raw }) => raw)
      .join(" ")
  )
}

describe("spans that grow", () => {
  it("take the words beside them that read as private too", () => {
    assert.deepStrictEqual(grownIn("I live at {{unit 9,}} [[1201 Yesler Way]]{{, the Alder}} in Seattle."), [
      "unit 9 1201 yesler way the alder"
    ])
    assert.deepStrictEqual(grownIn("I live at [[1201 Yesler]] in {{the Alder}}."), ["1201 yesler"])
    assert.deepStrictEqual(grownIn("I live at [[1201 Yesler]]{{, near}} <<{{18 Elm Court}}>>."), ["1201 yesler"])
  })

  it("stay apart where the words between them read as private", () => {
    assert.deepStrictEqual(grownIn("It is {{[[12 Oak Street]] and [[40 Elm Street]]}}, both of them."), [
      "12 oak street and",
      "40 elm street"
    ])
  })

  it("leave what is on the agenda", () => {
    const known = agendaAddresses(["Rezoning of 12 Oak Street"])
    const line = "It is [[40 Elm Street]]{{, 12 Oak Street}}."
    assert.deepStrictEqual(grownIn(line), ["40 elm street 12 oak street"])
    assert.deepStrictEqual(grownIn(line, known), ["40 elm street"])
  })
})
