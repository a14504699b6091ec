import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { putSample } from "../../../src/record/sample/sample-record.ts"
import { SitemapSizes } from "../../../src/services/directory/sitemaps.ts"
import { ask } from "../../support/asked.ts"
import { serviceAddress, TestService } from "../../support/service.ts"
import { wrongsIn } from "../../support/valid-xml.ts"

const record = "http://record.example.gov"

const entriesIn = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?/g)].map(([, loc = "", lastmod]) => ({
    path: loc.replace(record, ""),
    lastmod
  }))

/** The addresses in all files that the index names, checked to be valid. */
const wholeSitemap = Effect.gen(function* () {
  const base = yield* serviceAddress
  const index = yield* ask(`${base}/sitemap.xml`)
  const files = entriesIn(index.text)
  const entries = yield* Effect.forEach(files, ({ path }) =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* ask(base + path)
      assert.strictEqual(status, 200, path)
      assert.strictEqual(headers.get("content-type"), "application/xml; charset=utf-8")
      assert.strictEqual(headers.get("cache-control"), "public, max-age=60, stale-while-revalidate=300")
      const again = yield* ask(base + path, { headers: { "if-none-match": headers.get("etag") ?? "" } })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
      const head = yield* ask(base + path, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      return { text, found: entriesIn(text) }
    })
  )
  const documents = [index.text, ...entries.map(({ text }) => text)]
  assert.deepStrictEqual(yield* wrongsIn(documents, "sitemap.xsd"), [])
  const largest = Math.max(...entries.map(({ found }) => found.length))
  return { files, largest, entries: entries.flatMap(({ found }) => found) }
})

layer(TestService, { excludeTestServices: true })("the sitemap", (it) => {
  it.effect(
    "lists every page, place, body, person, matter, meeting and document that was read once, with its last change",
    () =>
      Effect.gen(function* () {
        yield* putSample
        const db = yield* Db
        const base = yield* serviceAddress
        const { entries } = yield* wholeSitemap
        const lastmods = new Map(entries.map(({ path, lastmod }) => [path, lastmod]))
        assert.strictEqual(lastmods.size, entries.length)

        const list = (path: string) => Effect.map(ask(base + path), ({ text }) => JSON.parse(text))
        const { agencies } = yield* list("/api/agencies")
        const { places } = yield* list("/api/places")
        const { meetings } = yield* list("/api/meetings/browse?page_size=100")
        const coming = yield* db<{ short_id: string }>`select short_id from meeting where status <> 'held'`
        const { people } = yield* list("/api/people?page_size=100")
        const { matters } = yield* list("/api/matters?page_size=100")
        assert.isTrue(people.length > 3 && matters.length > 1)
        const documents = yield* db<{
          path: string
        }>`select '/documents/' || id as path from document where version > 0`
        assert.isAbove(documents.length, 3)
        const named = [...agencies, ...places, ...people, ...matters, ...meetings, ...documents].map(
          ({ path }: { readonly path: string }) => path
        )
        assert.isAbove(coming.length, 3)
        const pages = [
          "/",
          "/browse",
          "/upcoming",
          "/places",
          "/about",
          "/developers",
          "/developers/reference",
          "/quote",
          "/trends"
        ]
        for (const path of [...named, ...pages]) assert.isTrue(lastmods.has(path), path)
        for (const { short_id } of coming)
          assert.strictEqual(entries.filter(({ path }) => path.endsWith(`-${short_id}`)).length, 1)
        assert.strictEqual(entries.length, named.length + pages.length + coming.length)

        for (const { path, updated_at } of [...meetings, ...people, ...matters])
          assert.strictEqual(lastmods.get(path), updated_at, path)
        const [newest] = yield* db<{ at: Date }>`select max(updated_at) as at from meeting`
        assert.strictEqual(lastmods.get("/"), newest?.at.toISOString())
        const [council] = yield* db<{ at: Date }>`
        select max(m.updated_at) as at from meeting m join body b on b.id = m.body_id where b.slug = 'larkmoor-city-council'`
        assert.strictEqual(lastmods.get("/in/larkmoor/city-council"), council?.at.toISOString())
        for (const { path } of entries)
          assert.strictEqual((yield* ask(base + path, { redirect: "manual" })).status, 200, path)
      })
  )

  it.effect("has no file under any other name", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const n of ["0", "01", "99", "x", "1e1", "-1"]) {
        const { status, json } = yield* ask(`${base}/sitemaps/${n}.xml`)
        assert.deepStrictEqual([status, json().error], [404, "not_found"], n)
      }
    })
  )
})

/** A hundredth of the real sizes. */
const small = { most: 500, meetings: 400, rows: 10 }
const SmallFiles = TestService.pipe(Layer.provide(Layer.succeed(SitemapSizes, small)))

layer(SmallFiles, { excludeTestServices: true })("the sitemap of a record that does not fit into one file", (it) => {
  it.effect("has more files, none of more than fifty thousand addresses, and still each meeting once", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* SitemapSizes).most, 50_000)
      const db = yield* Db
      yield* db`insert into place (slug, name, kind, state, content_hash) values ('bigton', 'Bigton', 'city', 'IL', '')`
      yield* db`insert into body (slug, segment, name, kind, content_hash) values ('bigton-council', 'council', 'Council', 'city_council', '')`
      yield* db`insert into body_place (body_id, place_id, position) select b.id, p.id, 0 from body b, place p`
      // Some ids rise, as some systems assign them, and others do not.
      const add = (from: number, to: number) => db`
        insert into meeting (id, body_id, title, date, timezone, status, updated_at, content_hash)
        select case when n % 2 = 0 then lpad(to_hex(n), 32, '0')::uuid else gen_random_uuid() end,
          b.id, 'Regular', '2026-03-10', 'UTC', 'held', now(), '' from body b, generate_series(${from}::int, ${to}::int) n`
      const meetingsIn = (entries: ReadonlyArray<{ readonly path: string }>) =>
        new Set(entries.map(({ path }) => path).filter((path) => path.startsWith("/in/bigton/council/"))).size
      yield* add(1, 415)
      const { files, entries, largest } = yield* wholeSitemap
      assert.deepStrictEqual([files.length, largest], [5, small.meetings])
      assert.deepStrictEqual([meetingsIn(entries), entries.length], [415, 415 + 9 + 2])
      // Meetings added before the index is rebuilt are in the existing files, up to the limit.
      yield* add(416, 615)
      const grown = yield* wholeSitemap
      assert.strictEqual(grown.files.length, 5)
      assert.isAtMost(grown.largest, small.most)
    })
  )
})
