import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { longDate } from "../../../src/pages/said.ts"
import { meetingId } from "../../../src/record/sample/ids.ts"
import { putSample } from "../../../src/record/sample/sample-record.ts"
import { reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { frontMatter, type Reading, readHtml, readMarkdown } from "../../support/reading-pages.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const record = "http://record.example.gov"

/** Every page without parameters that names something, with the API operation that has its facts. */
const pages = [
  { path: "/", json: "/api/meetings/browse?page_size=8" },
  { path: "/browse", json: "/api/meetings/browse" },
  { path: "/browse?page_size=5&page=2", json: "/api/meetings/browse?page_size=5&page=2" },
  {
    path: "/browse?q=greenway+or+water&county=Tamarack+County",
    json: "/api/meetings/browse?q=greenway+or+water&county=Tamarack+County"
  },
  { path: "/browse?q=greenwey", json: "/api/meetings/browse?q=greenwey" },
  { path: "/browse?page_size=3&group_by=agency", json: "/api/meetings/browse?group_by=agency&page_size=3&page=1" },
  { path: "/upcoming", json: "/api/upcoming?per_body=10" },
  { path: "/upcoming?place_slug=larkmoor", json: "/api/upcoming?per_body=10&place_slug=larkmoor" },
  { path: "/places", json: "/api/places" },
  { path: "/places?q=larkmoor", json: "/api/search/locations?q=larkmoor" },
  { path: "/in/larkmoor", json: "/api/places/larkmoor" },
  { path: "/in/larkmoor/city-council", json: "/api/meetings/browse?agency_slug=larkmoor-city-council" },
  { path: "/about", json: undefined },
  { path: "/developers", json: undefined },
  { path: "/developers/reference", json: undefined }
] as const

/** Pages for readers, which send everyone else to sign in. */
const forReaders = ["/account", "/account/tokens"]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

interface Facts {
  readonly words: ReadonlyArray<string>
  readonly dates: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
}

/** The facts of an API response that a page owes its reader: the name, the date and the address of each thing. */
const factsOf = (value: unknown): Facts => {
  const all: { words: Array<string>; dates: Array<string>; links: Array<string> } = { words: [], dates: [], links: [] }
  const text = (one: unknown): ReadonlyArray<string> => (typeof one === "string" ? [one] : [])
  const gather = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(gather)
    if (!isRecord(value)) return
    if ("date" in value && "status" in value) {
      all.words.push(...text(value.headline ?? value.title))
      all.dates.push(...text(value.date))
      all.links.push(...text(value.path))
      gather(value.matches)
    } else if ("field" in value) {
      all.words.push(...text(value.snippet))
      if (value.start !== undefined) all.links.push(...text(value.path))
    } else {
      all.words.push(...text(value.name))
      all.links.push(...text(value.path))
      for (const [name, one] of Object.entries(value)) if (!["facets", "places", "body"].includes(name)) gather(one)
      if (!("kind" in value)) gather(value.places)
    }
  }
  gather(value)
  return all
}

const htmlDate = (date: string) => `datetime="${date}`

const missing = (facts: Facts, reading: Reading): ReadonlyArray<string> => [
  ...facts.words.map((words) => words.replace(/\s+/g, " ")).filter((words) => !reading.text.includes(words)),
  ...facts.links.filter((link) => !reading.links.includes(link))
]

const acceptHtml = { headers: { accept: "text/html" } }

layer(TestService)("every page", (it) => {
  it.effect("states each fact of its view in both forms", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      for (const { path, json } of pages) {
        if (json === undefined) continue
        const facts = factsOf((yield* ask(base + json)).json())
        assert.isAbove(facts.links.length, 4, path)
        const html = yield* ask(base + path, acceptHtml)
        assert.deepStrictEqual(missing(facts, readHtml(html.text, base)), [], `${path} as HTML`)
        assert.deepStrictEqual(
          facts.dates.filter((date) => !html.text.includes(htmlDate(date))),
          [],
          path
        )
        const markdown = readMarkdown((yield* ask(`${base}/md${path}`)).text, record)
        assert.deepStrictEqual(missing(facts, markdown), [], `${path} as Markdown`)
        assert.deepStrictEqual(
          facts.dates.filter((date) => !markdown.text.includes(longDate(date))),
          [],
          path
        )
      }
    })
  )

  it.effect("is the same Markdown by Accept and under /md, with front matter", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const { path } of pages) {
        const asked = yield* ask(base + path, { headers: { accept: "text/markdown" } })
        const spelled = yield* ask(`${base}/md${path}`)
        assert.strictEqual(spelled.text, asked.text, path)
        for (const { headers, status, text } of [asked, spelled]) {
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("content-type"), "text/markdown; charset=utf-8")
          assert.include(headers.get("vary"), "Accept, ")
          assert.include(headers.get("link"), `<${record}${path}>; rel="canonical"`)
          const { url, title, description, access } = frontMatter(text)
          assert.strictEqual(url, record + path)
          assert.strictEqual(access, "open")
          assert.isNotEmpty(title)
          assert.match(description ?? "", /\.$/)
          assert.strictEqual(text.match(/^# /gm)?.length, 1, path)
        }
      }
    })
  )

  it.effect("is an HTML document with one heading, its alternates, and nothing inline", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const { path } of pages) {
        const { status, headers, text } = yield* ask(base + path, acceptHtml)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
        assert.include(
          headers.get("content-security-policy"),
          "default-src 'none'; script-src 'self'; style-src 'self'"
        )
        assert.notInclude(headers.get("content-security-policy"), "unsafe")
        assert.strictEqual(text.match(/<h1/g)?.length, 1, path)
        assert.match(text, /<title>[^<]+ · Civic Record<\/title>/)
        assert.include(text, '<html lang="en-US">')
        assert.include(text, `<link rel="canonical" href="${record}${path.replaceAll("&", "&amp;")}">`)
        assert.include(text, 'rel="alternate" type="text/markdown"')
        assert.include(headers.get("link"), `<${record}/md${path}>; rel="alternate"; type="text/markdown"`)
        assert.notMatch(text, /\sstyle="|\son\w+="|<style|<script(?! type="(?:module" src="|application\/ld\+json"))/)
      }
    })
  )

  it.effect("asks those who are not signed in to sign in, and leads them back to their search", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      const { credentials } = yield* reader()
      const path = "/md/browse?q=greenway"
      const anyone = yield* ask(base + path)
      assert.include(anyone.text, `[Sign in](${record}/signin?return_to=%2Fbrowse%3Fq%3Dgreenway) to read and hear it`)
      assert.notInclude((yield* ask(base + path, { headers: credentials.headers })).text, "Sign in")
    })
  )

  it.effect("is cached for a minute if anonymous, and not at all for a reader, who sees a link to their account", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const { credentials } = yield* reader()
      for (const { path } of pages) {
        const open = yield* ask(base + path, acceptHtml)
        assert.strictEqual(open.headers.get("cache-control"), "public, max-age=60, stale-while-revalidate=300")
        assert.include(open.headers.get("vary"), "Accept, Cookie")
        assert.isNotNull(open.headers.get("ratelimit"))
        assert.include(open.text, ">Sign in</a>")
        const etag = open.headers.get("etag") ?? ""
        assert.match(etag, /^W\/"/)
        const again = yield* ask(base + path, { headers: { ...acceptHtml.headers, "if-none-match": etag } })
        assert.strictEqual(again.status, 304, path)
        const own = yield* ask(base + path, { headers: { ...acceptHtml.headers, ...credentials.headers } })
        assert.strictEqual(own.headers.get("cache-control"), "private, no-store")
        assert.include(own.text, '<a class="account" href="/account">Account</a>')
        const head = yield* ask(base + path, { ...acceptHtml, method: "HEAD" })
        assert.deepStrictEqual([head.status, head.text], [200, ""])
      }
    })
  )

  it.effect("leads from a meeting to its members, their votes, and the other meetings of what they decide", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      const { credentials } = yield* reader()
      const id = meetingId("pena-springs-city-council", "cannery-rezoning")
      const { path } = (yield* ask(`${base}/api/meetings/${id}`)).json() as { path: string }
      const { text } = yield* ask(`${base}/md${path}`, { headers: credentials.headers })
      assert.include(text, `[Council Member Nils Ångström](${record}/people/pena-springs-nils-angstrom)`)
      assert.include(text, `${record}/in/pena-springs/matters/pena-springs-cannery`)
      assert.include(text, "3–1")
      const matter = (yield* ask(`${base}/api/matters/pena-springs-cannery`)).json() as {
        history: ReadonlyArray<{ action: string; meeting: { body: { name: string } } }>
      }
      assert.deepStrictEqual(
        matter.history.map(({ action, meeting }) => [meeting.body.name, action]),
        [
          ["Peña Springs Planning Commission", "Recommended 3-2"],
          ["Peña Springs City Council", "Tabled 3-1"],
          ["Peña Springs City Council", "On the agenda"]
        ]
      )
    })
  )

  it.effect("links only to what exists", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const tried = new Set<string>()
      for (const { path } of pages) {
        const html = (yield* ask(base + path, acceptHtml)).text
        const markdown = (yield* ask(`${base}/md${path}`)).text
        const links = [...readHtml(html, base + path).links, ...readMarkdown(markdown, record + path).links]
        const loaded = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset]) => asset ?? "")
        for (const link of [...links, ...loaded]) {
          if (tried.has(link)) continue
          tried.add(link)
          assert.strictEqual(
            (yield* ask(base + link, { ...acceptHtml, redirect: "manual" })).status,
            [...forReaders, "/signin"].includes(link.split("?")[0] ?? "") ? 303 : 200,
            `${path} → ${link}`
          )
        }
      }
      assert.isAbove(tried.size, 100)
    })
  )
})
