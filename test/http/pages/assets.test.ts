import { globSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/asked.ts"
import { served } from "../../support/served.ts"

const home = Effect.fnUntraced(function* (base: string) {
  const { text } = yield* ask(`${base}/about`, { headers: { accept: "text/html" } })
  return /\/assets\/([0-9a-f]{16})\/record\.css/.exec(text)?.[1] ?? ""
})

describe("the files that pages load", () => {
  it.live("are cached for good under the hash of all of them, and not under another", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const hash = yield* home(base)
      const kinds = {
        "record.css": "text/css; charset=utf-8",
        "icon.svg": "image/svg+xml",
        "fonts/sans.woff2": "font/woff2",
        "fonts/serif-ext.woff2": "font/woff2",
        "client/watch.js": "text/javascript; charset=utf-8"
      }
      for (const [name, type] of Object.entries(kinds)) {
        const { status, headers } = yield* ask(`${base}/assets/${hash}/${name}`)
        assert.strictEqual(status, 200, name)
        assert.strictEqual(headers.get("content-type"), type)
        assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        const other = yield* ask(`${base}/assets/0123456789abcdef/${name}`)
        assert.deepStrictEqual([other.status, other.headers.get("cache-control")], [200, "no-store"])
      }
      for (const name of ["none.css", "../page.ts", "..%2fpage.ts", "client/watch.ts", ""]) {
        assert.strictEqual((yield* ask(`${base}/assets/${hash}/${name}`)).status, 404, name)
      }
    })
  )

  it.live("include the whole style sheet, in layers, with fonts that exist", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const hash = yield* home(base)
      const { text } = yield* ask(`${base}/assets/${hash}/record.css`)
      assert.match(text, /^@layer reset, tokens, base, frame, parts, pages, print;/)
      const fonts = [...text.matchAll(/url\("([^"]+)"\)/g)].map(([, url]) => url)
      assert.strictEqual(fonts.length, 4)
      for (const font of fonts) assert.strictEqual((yield* ask(`${base}/assets/${hash}/${font}`)).status, 200, font)
    })
  )

  it.live("include each script of the client with all that it imports, without types", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const at = `${base}/assets/${yield* home(base)}/client`
      const { text } = yield* ask(`${at}/meeting.js`)
      assert.notMatch(text, /^\s*(import|export)\b/m)
      assert.notMatch(text, /interface |: string|Promise</)
      for (const module of globSync("src/client/{dom,player,transcript,watch,words}.ts")) {
        const [, name = ""] = /(\w+)\.ts$/.exec(module) ?? []
        assert.strictEqual(text.split(`const _${name} = `).length, 2, name)
      }
      assert.strictEqual((yield* ask(`${at}/words.js`)).status, 404)
    })
  )
})
