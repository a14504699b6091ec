import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/asked.ts"
import { served } from "../../support/served.ts"

/** Every string under a key of a JSON value. */
const under = (key: string, value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        name === key && typeof inner === "string" ? [inner] : under(key, inner)
      )

interface Shown {
  readonly summary: string
  readonly parameters?: ReadonlyArray<{ readonly name: string }>
}

describe("the API reference", () => {
  it.live("names every operation, parameter and object of the document, as HTML and as Markdown", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const { text: document } = yield* ask(`${base}/openapi.json`)
      const { paths, components } = JSON.parse(document)
      const { text: html } = yield* ask(`${base}/developers/reference`, { headers: { accept: "text/html" } })
      const { text: markdown } = yield* ask(`${base}/md/developers/reference`)
      const operations = under("operationId", paths)
      assert.isAbove(operations.length, 80)
      for (const id of [...operations, ...Object.keys(components.schemas)]) assert.include(html, `id="${id}"`, id)
      for (const [path, methods] of Object.entries<Record<string, Shown>>(paths)) {
        for (const [method, { summary, parameters = [] }] of Object.entries(methods)) {
          assert.include(markdown, `### ${summary}\n`)
          for (const said of [`${method.toUpperCase()} ${path}`, ...parameters.map(({ name }) => name)]) {
            assert.include(html, `>${said}</code>`)
            assert.include(markdown, `\`${said}\``)
          }
        }
      }
      // Each link within the page leads somewhere.
      for (const [, id = ""] of html.matchAll(/href="#([^"]+)"/g)) assert.include(html, ` id="${id}"`, id)
    })
  )

  it.live("is a page without a script", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const { text } = yield* ask(`${base}/developers/reference`, { headers: { accept: "text/html" } })
      assert.notMatch(text, /<script(?! type="application\/ld\+json")/)
    })
  )
})
