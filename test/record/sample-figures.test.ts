import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { figureSvg } from "../../src/record/sample/figure-png.ts"
import { county } from "../../src/record/sample/read.ts"

const { bodies } = await Effect.runPromise(county)
const figures = bodies.flatMap(({ meetings }) => meetings.flatMap(({ figures = [] }) => figures))

describe("a figure of the sample", () => {
  it.each(figures)("shows every label whole: $title", async (figure) => {
    const svg = await figureSvg({ x: "", ...figure })
    const shown = [...svg.matchAll(/<t(?:ext|span)[^>]*>([^<]+)</g)].map(([, text = ""]) => text).join(" ")
    assert.notInclude(shown, "…")
    for (const [label] of figure.values) assert.include(shown, label)
  })
})
