import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { anonymous } from "../../schema/viewer.ts"
import { markdownOf } from "../../src/page-tree/markdown.ts"
import { loadAbout } from "../../src/pages/about.ts"
import { setupOf } from "../support/service.ts"

const contactOn = Effect.fnUntraced(function* (env: NodeJS.ProcessEnv) {
  const page = yield* loadAbout({ params: {}, query: new URLSearchParams(), viewer: anonymous }).pipe(
    Effect.provide(setupOf(env))
  )
  assert.isTrue("main" in page)
  const text = "main" in page ? markdownOf([page.main], "http://record.example.gov/about").replaceAll("\\", "") : ""
  return text.slice(text.indexOf("## Contact"))
})

describe("the page about the record", () => {
  it.effect("names the operators' address, or says plainly that there is none", () =>
    Effect.gen(function* () {
      assert.include(
        yield* contactOn({ CONTACT_EMAIL: "record@example.gov" }),
        "[record@example.gov](mailto:record@example.gov)"
      )
      assert.include(yield* contactOn({}), "Whoever runs this service has given no address to write to.")
    })
  )
})
