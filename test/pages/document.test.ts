import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { el, heading } from "../../src/page-tree/tree.ts"
import { Assets } from "../../src/pages/assets.ts"
import { documentOf, proseOf } from "../../src/pages/document.ts"
import type { Page } from "../../src/pages/page.ts"

const base = "https://record.example.gov"
const evil = `</script><script>alert("1")</script>`

const page: Page = {
  head: {
    title: `A "title" ${evil}`,
    description: "Line one\nline two: 'quoted'.",
    path: "/in/a?x=1&y=2",
    access: "teaser",
    updated: "2026-03-10T00:00:00Z",
    source: "https://a.example/",
    feed: { href: "/in/a.atom", title: "Meetings of A" },
    json: "/api/places/a",
    image: "/api/media/a.jpg",
    crumbs: [
      { name: "Places", path: "/places" },
      { name: "A", path: "/in/a" }
    ],
    script: "watch",
    data: (site) => ({ "@type": "Thing", name: evil, url: `${site}/in/a` })
  },
  main: [heading("A"), el("p", {}, evil)]
}

const html = (over: Partial<Page["head"]> = {}, signedIn = false) =>
  Effect.map(Assets, (assets) =>
    documentOf({ ...page, head: { ...page.head, ...over } }, { base, assets, signedIn })
  ).pipe(Effect.provide(Assets.layer))

describe("a document", () => {
  it.effect("lets no text, attribute or data end its element early", () =>
    Effect.gen(function* () {
      const text = yield* html()
      // One that runs, and two with data: the page's own, and its position in the site.
      assert.strictEqual(text.match(/<script/g)?.length, 3)
      const [data, trail] = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
        ([, json = ""]) => JSON.parse(json)
      )
      assert.deepStrictEqual(data, { "@type": "Thing", name: evil, url: `${base}/in/a` })
      assert.strictEqual(trail["@type"], "BreadcrumbList")
      assert.include(text, "<title>A &quot;title&quot; &lt;/script&gt;")
      assert.include(text, '<meta property="og:url" content="https://record.example.gov/in/a?x=1&amp;y=2">')
    })
  )

  it.effect("names its other forms, the files it loads, and its position in the site", () =>
    Effect.gen(function* () {
      const text = yield* html()
      for (const part of [
        '<link rel="canonical" href="https://record.example.gov/in/a?x=1&amp;y=2">',
        '<link rel="alternate" type="text/markdown" href="https://record.example.gov/md/in/a?x=1&amp;y=2">',
        '<link rel="alternate" type="application/json" href="https://record.example.gov/api/places/a">',
        'type="application/atom+xml" title="Meetings of A" href="https://record.example.gov/in/a.atom"',
        '<meta property="og:image" content="https://record.example.gov/api/media/a.jpg">',
        '<a href="/in/a" aria-current="page">A</a>',
        '/client/watch.js"></script>',
        'href="/signin?return_to=%2Fin%2Fa%3Fx%3D1%26y%3D2"'
      ]) {
        assert.include(text, part)
      }
      assert.include(yield* html({}, true), '<a class="account" href="/account">Account</a>')
    })
  )

  it.effect("that is discreet does not reveal its address", () =>
    Effect.gen(function* () {
      const text = yield* html({ discreet: true })
      assert.include(text, '<meta name="robots" content="noindex">')
      assert.notMatch(text, /rel="(canonical|alternate)"|return_to/)
    })
  )

  it("is prose with front matter of JSON strings, which are YAML", () => {
    const prose = proseOf(page, base)
    const front = prose.split("---\n")[1] ?? ""
    assert.deepStrictEqual(
      front
        .trim()
        .split("\n")
        .map((line) => [line.split(": ", 1)[0], JSON.parse(line.replace(/^\w+: /, ""))]),
      [
        ["title", page.head.title],
        ["url", `${base}/in/a?x=1&y=2`],
        ["description", page.head.description],
        ["access", "teaser"],
        ["updated", "2026-03-10T00:00:00Z"],
        ["source", "https://a.example/"]
      ]
    )
    assert.include(prose, "[Places](https://record.example.gov/places) › [A](https://record.example.gov/in/a)")
  })
})
