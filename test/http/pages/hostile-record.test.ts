import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { Sources } from "../../../src/services/sources/sources.ts"
import { importPath, scratchFolder, writeLines } from "../../record/importing.ts"
import { ask } from "../../support/asked.ts"
import { agency, meeting, meetingId, place } from "../../support/builders.ts"
import { cityServer, says } from "../../support/city-server.ts"
import { Crawling, crawled, crawlingWorker, settled } from "../../support/crawling.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

/** Texts that begin like an address, and cannot be parsed. */
const badAddresses = [
  "https://[",
  "https://%",
  "https://a.example:99999/",
  "http://1.2.3.999/",
  "https://a b/",
  "ftp://a"
]

/** Names that break contexts in which they are not escaped: HTML, XML, JSON, iCalendar, Markdown, a URL, SQL. */
const hostileNames = [
  "</script><script>alert(1)</script>",
  "]]> & <b> \"quoted\" 'single'",
  "BEGIN:VCALENDAR\r\nEND:VEVENT",
  "[link](javascript:alert(1)) `code` | table |",
  "%E0%A4%A % ?x=1#y / \\ ..",
  "'; drop table meeting; --",
  "\u202Eevil\u0000\u001b[2J \ud800",
  "😀".repeat(200)
]

const soon = (days: number) => DateTime.formatIsoDate(DateTime.add(DateTime.nowUnsafe(), { days }))

const addressFields = ["join_url", "source_url", "agenda_url", "minutes_url", "video_url"]

const everyAddress = (address: string) => Object.fromEntries(addressFields.map((field) => [field, address]))

/** A bundle whose every meeting has a bad address in each field, or a hostile name. */
const hostileBundle = [
  place("springfield", { county: "Sangamon County" }),
  ...badAddresses.map((website, at) => ({ ...agency(`board-${at}`, ["springfield"]), website })),
  ...badAddresses.flatMap((address, at) => [
    {
      ...meeting(`held-${at}`, `board-${at}`, { title: hostileNames[at] ?? "Regular" }),
      ...everyAddress(address),
      attachments: [
        { title: "Bad", url: address },
        { title: "Good", url: "https://a.example/good.pdf" }
      ],
      location: hostileNames.at(-1 - at)
    },
    {
      ...meeting(`next-${at}`, `board-${at}`, { date: soon(3), status: "upcoming" }),
      ...everyAddress(address)
    }
  ])
]

/** A calendar in the project's own format with the same addresses and names. */
const hostileCalendar = {
  meetings: badAddresses.map((address, at) => ({
    id: `event ${at}`,
    body: `Panel ${at}`,
    title: hostileNames[at],
    date: soon(2),
    ...everyAddress(address)
  }))
}

const Deployment = Crawling.pipe(Layer.provideMerge(TestService))

/** Every address that the record hands out, from its sitemaps, lists and feeds. */
const addressesOf = Effect.fnUntraced(function* (base: string) {
  const db = yield* Db
  const rows = yield* db<{ id: string; short: string }>`select id, short_id as short from meeting order by id`
  const cards = (yield* ask(`${base}/api/meetings/browse?page_size=100`)).json() as {
    readonly meetings: ReadonlyArray<{ readonly path: string }>
  }
  const bodies = (yield* ask(`${base}/api/agencies`)).json() as {
    readonly agencies: ReadonlyArray<{ readonly slug: string; readonly path: string }>
  }
  return [
    ...["/", "/about", "/developers", "/browse", "/upcoming", "/places", "/in/springfield", "/sitemap.xml"],
    ...["/browse.atom", "/in/springfield.atom", "/in/springfield.ics"],
    ...["/api/upcoming?per_body=10", "/api/places", "/api/places/springfield", "/api/agencies"],
    ...["/api/meetings/browse?q=meeting", "/api/meetings/browse?group_by=agency", "/api/search/locations"],
    ...cards.meetings.map((card) => card.path),
    ...bodies.agencies.flatMap(({ slug, path }) => [
      ...[path, `${path}.atom`, `${path}.ics`, `/api/agencies/${slug}`, `/api/agencies/${slug}/upcoming`]
    ]),
    ...rows.flatMap(({ id }) => [
      ...[`/api/meetings/${id}`, `/api/meetings/${id}/clips`, `/api/meetings/${id}/agenda-summary`, `/meetings/${id}`]
    ])
  ]
})

const tools = [
  "search_meetings",
  "read_meeting",
  "list_upcoming",
  "find_place_or_body",
  "get_place",
  "get_body"
] as const

const argumentsOf: Readonly<Record<(typeof tools)[number], object>> = {
  search_meetings: { q: "meeting" },
  read_meeting: { id: meetingId("held-0") },
  list_upcoming: {},
  find_place_or_body: { q: "board" },
  get_place: { slug: "springfield" },
  get_body: { slug: "board-0" }
}

layer(Deployment, { excludeTestServices: true })("a hostile record", (it) => {
  it.effect(
    "is imported without its bad addresses, and every page, feed, card and tool answers",
    () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const db = yield* Db
        const { report, notices } = yield* importPath(
          writeLines(path.join(yield* scratchFolder, "record.ndjson"), hostileBundle)
        )
        assert.strictEqual(report.rejected, 0, notices.join("\n"))
        assert.strictEqual(report.entities.meeting?.created, 2 * badAddresses.length)
        for (const field of [...addressFields, "website", "attachments.0.url"]) {
          assert.isTrue(
            notices.some((notice) => notice.includes(` ${field}: must be an `)),
            field
          )
        }
        const [kept] = yield* db<{ urls: number }>`
          select sum(jsonb_array_length(attachments::jsonb))::int as urls from meeting`
        assert.strictEqual(kept?.urls, badAddresses.length)

        const city = yield* cityServer()
        city.answers.set("/calendar.json", says(JSON.stringify(hostileCalendar)))
        const sources = yield* Sources
        const id = yield* sources.add({
          kind: "json",
          url: `${city.url}/calendar.json`,
          place: "springfield",
          everySeconds: 3600
        })
        yield* crawlingWorker
        assert.deepStrictEqual(yield* crawled(id), { outcome: "ok", failure: null })
        yield* settled
        const [crawl] = yield* db<{ meetings: number }>`select count(*)::int as meetings from discovered`
        assert.strictEqual(crawl?.meetings, badAddresses.length)

        // As an earlier build stored them.
        yield* db`update body set website = 'https://%' where slug = 'board-0'`
        yield* db`update meeting set source_url = 'https://[', agenda_url = 'https://[' where id = ${meetingId("held-0")}`

        const failed: Array<string> = []
        const addresses = yield* addressesOf(base)
        assert.isAbove(addresses.length, 100)
        for (const address of addresses) {
          for (const accept of ["text/html", "text/markdown", "application/json"]) {
            const { status } = yield* ask(base + address, { headers: { accept } })
            if (status >= 500) failed.push(`${status} ${address} as ${accept}`)
          }
        }
        for (const name of tools) {
          const answer = yield* ask(`${base}/mcp`, {
            method: "POST",
            headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
            body: JSON.stringify({
              jsonrpc: "2.0",
              id: 1,
              method: "tools/call",
              params: { name, arguments: argumentsOf[name] }
            })
          })
          if (answer.status >= 500 || answer.text.includes('"isError":true')) failed.push(`${name}: ${answer.text}`)
        }
        assert.deepStrictEqual(failed, [])
      }),
    120_000
  )
})
