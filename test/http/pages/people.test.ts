import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { nobody, reader } from "../../support/actors.ts"
import { call } from "../../support/call.ts"
import { fullRecord } from "../../support/full-record.ts"
import { TestService } from "../../support/service.ts"

const html = { accept: "text/html" }

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "the pages of people and matters",
  (it) => {
    it.effect("say who voted how, lead from one to the other, and keep the moments for readers", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const matter = "/in/springfield/matters/springfield-ord-2026-14"
        for (const who of [nobody, credentials]) {
          const person = yield* call("GET", "/people/springfield-ada-marsh", who, undefined, html)
          assert.include(person.text, `href="${matter}"`)
          assert.include(person.text, "1–1")
          assert.strictEqual(person.text.includes("?t="), who === credentials)
          const way = yield* call("GET", matter, who, undefined, html)
          for (const words of ["Introduced", "Approved", "Ada Marsh", "1–1"]) assert.include(way.text, words)
        }
        const elsewhere = yield* call("GET", matter.replace("/in/springfield", "/in/decatur"), nobody, undefined, html)
        assert.include(elsewhere.text, `rel="canonical" href="`)
        assert.include(elsewhere.text, "Creek greenway")
        for (const path of ["/people/nobody", "/in/springfield/matters/none"]) {
          assert.strictEqual((yield* call("GET", path, nobody, undefined, html)).status, 404)
        }
      })
    )

    it.effect("are followed by a saved search, whose finds are mailed", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const page = yield* call("GET", "/in/springfield/matters/springfield-ord-2026-14", credentials, undefined, html)
        assert.include(page.text, 'value="matter=springfield-ord-2026-14"')
        const saved = yield* call("POST", "/api/me/saved-searches", credentials, {
          query: "matter=springfield-ord-2026-14",
          name: "Ord. 2026-14: Creek greenway"
        })
        assert.strictEqual(saved.status, 201, saved.text)
        const found = yield* call("GET", "/api/meetings/browse?matter=springfield-ord-2026-14", credentials)
        assert.strictEqual(JSON.parse(found.text).total, 1)
      })
    )
  }
)
