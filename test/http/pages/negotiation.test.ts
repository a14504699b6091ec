import { assert, describe, it } from "@effect/vitest"
import { errorForm, pageForm } from "../../../src/http/pages/negotiation.ts"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

describe("the form of a page", () => {
  it.each([
    [undefined, "html"],
    ["*/*", "html"],
    ["text/*", "html"],
    [browser, "html"],
    ["application/json", "html"],
    ["text/markdown", "markdown"],
    ["text/markdown, text/html", "markdown"],
    ["text/html, text/markdown", "markdown"],
    ["text/markdown, */*", "markdown"],
    ["TEXT/Markdown; charset=utf-8", "markdown"],
    ["text/markdown;q=0.5, text/html", "html"],
    ["text/markdown;q=0.5, text/html;q=0.5", "markdown"],
    ["text/markdown;q=0", "html"],
    ["text/markdown;q=0.3, */*", "html"],
    ["text/html;q=0.1, text/markdown;q=0.2", "markdown"],
    ["text/markdown;q=much", "html"]
  ])("with Accept %s is %s", (accept, form) => {
    assert.strictEqual(pageForm(accept), form)
  })
})

describe("the form of an error", () => {
  it.each([
    [undefined, "json"],
    ["*/*", "json"],
    [browser, "html"],
    ["text/html", "html"],
    ["text/markdown", "markdown"],
    ["text/markdown, */*;q=0.1", "markdown"],
    ["application/json", "json"],
    ["application/json, text/html", "json"],
    ["text/html, application/json;q=0.9", "html"],
    ["image/png", "json"]
  ])("with Accept %s is %s", (accept, form) => {
    assert.strictEqual(errorForm(accept), form)
  })
})
