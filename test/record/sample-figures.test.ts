import { assert, describe, it } from "@effect/vitest"
import { bodies } from "../../src/record/sample/bodies.ts"
import { figureSvg } from "../../src/record/sample/figure-png.ts"

const figures = bodies.flatMap(({ meetings }) => meetings.flatMap(({ figures = [] }) => figures))

describe("a figure of the sample", () => {
  it.each(figures)("shows every label whole: $title", async (figure) => {
    const svg = await figureSvg(figure)
    const shown = [...svg.matchAll(/<t(?:ext|span)[^>]*>([^<]+)</g)].map(([, text = ""]) => text).join(" ")
    assert.notInclude(shown, "…")
    for (const [label] of figure.values) assert.include(shown, label)
  })
})
