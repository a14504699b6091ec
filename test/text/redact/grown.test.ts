import { assert, describe, it } from "@effect/vitest"
import { grown, type Span } from "../../../src/text/redact/grown.ts"
import { agendaAddresses } from "../../../src/text/redact/redact.ts"
import { tokensOf } from "../../../src/text/redact/tokens.ts"

/** The spans of a line: `[[...]]` is removed, `<<...>>` was judged and left, `{{...}}` reads as private so surely. */
const grownIn = (line: string, surely = 3, known: ReadonlySet<string> = new Set()) => {
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
  const spans = placesOf("[[", "]]").map((span): Span => ({ ...span, kind: "home", rule: "lives" }))
  const isIn = (at: number) => placesOf("{{", "}}").some(({ from, to }) => from <= at && at < to)
  const privacy = tokens.map((_, at) => (isIn(at) ? surely : -3))
  return grown(tokens, spans, placesOf("<<", ">>"), privacy, known).map(
    ({ kind, rule, from, to }) =>
      `${kind} ${rule}: ${tokens
        .slice(from, to)
        .map(({ raw }) => raw)
        .join(" ")}`
  )
}

describe("spans that grow", () => {
  it("take the words beside them that read as private too", () => {
    assert.deepStrictEqual(grownIn("I live at {{unit 9,}} [[1201 Yesler Way]]{{, the Alder}} in Seattle."), [
      "home lives: unit 9 1201 yesler way the alder"
    ])
    assert.deepStrictEqual(grownIn("I live at [[1201 Yesler]] in {{the Alder}}.", 1), ["home lives: 1201 yesler"])
    assert.deepStrictEqual(grownIn("I live at [[1201 Yesler]]{{, near}} <<{{18 Elm Court}}>>."), [
      "home lives: 1201 yesler"
    ])
  })

  it("stay apart where the words between them read as private", () => {
    assert.deepStrictEqual(grownIn("It is {{[[12 Oak Street]] and [[40 Elm Street]]}}, both of them."), [
      "home lives: 12 oak street and",
      "home lives: 40 elm street"
    ])
  })

  it("are joined by passages that no rule proposed, if one word is surely private", () => {
    assert.deepStrictEqual(grownIn("I stay at {{the Regal room 9}}."), ["home read: regal room 9"])
    assert.deepStrictEqual(grownIn("Write {{nan underscore day at mail}}."), ["email read: nan underscore day at mail"])
    assert.deepStrictEqual(grownIn("The caller ending in {{4471}}, go on."), ["phone read: 4471"])
    assert.deepStrictEqual(grownIn("He gets it at {{lock box 9}}."), ["box read: lock box 9"])
    assert.deepStrictEqual(grownIn("I stay at {{the Regal room 9}}.", 1), [])
    assert.deepStrictEqual(grownIn("I stay at {{the Regal <<room 9>>}}."), [])
  })

  it("leave what is on the agenda", () => {
    const known = agendaAddresses(["Rezoning of 12 Oak Street"])
    const line = "It is {{12 Oak Street}} or so, [[40 Elm Street]]{{, 12 Oak Street}}."
    assert.deepStrictEqual(grownIn(line), ["home read: 12 oak street", "home lives: 40 elm street 12 oak street"])
    assert.deepStrictEqual(grownIn(line, 3, known), ["home lives: 40 elm street"])
  })
})
