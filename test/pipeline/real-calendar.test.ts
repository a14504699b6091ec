import * as fs from "node:fs"
import * as path from "node:path"
import { gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { place, putOnRecord } from "../support/builders.ts"
import { type Answer, cityServer } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { scratch } from "../support/rendering.ts"

const data = path.resolve("../shared/data", "nyc-legistar-events.ndjson.gz")
const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Crawling.pipe(Layer.provideMerge(Layer.mergeAll(TestDb, TestStore)))

interface Event {
  readonly ID: number
  readonly Date: string
  readonly BodyName: string
}

/** Twelve years of real events as Legistar's Web API returns them, shifted so that the newest is in ten days. */
const eventsOf = (): ReadonlyArray<Event & { readonly day: string }> => {
  const events: ReadonlyArray<Event> = gunzipSync(fs.readFileSync(data))
    .toString()
    .trim()
    .split("\n")
    // Agenda items are nine tenths of the file, and the Web API has them at another address.
    .map((line) => JSON.parse(line.replace(/,"Items":\[.*\](?=[,}])/, "")))
  const days = events.map((event) => Date.parse(event.Date.slice(0, 10)) / 86_400_000)
  const today = Math.floor(DateTime.toEpochMillis(DateTime.nowUnsafe()) / 86_400_000)
  const forward = today + 10 - Math.max(...days)
  return events.map((event, at) => ({
    ...event,
    day: new Date(((days[at] ?? 0) + forward) * 86_400_000).toISOString().slice(0, 10)
  }))
}

/** The Web API: a range of days, in pages. */
const webApi =
  (events: ReadonlyArray<Event & { readonly day: string }>, mostOfPage: number): Answer =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://city")
    const [, from = "", to = ""] =
      /^EventDate ge datetime'([^']+)' and EventDate le datetime'([^'T]+)T/.exec(searchParams.get("$filter") ?? "") ??
      []
    const skip = Number(searchParams.get("$skip"))
    const page = events
      .filter(({ day }) => day >= from && day <= to)
      .toSorted((a, b) => a.ID - b.ID)
      .slice(skip, skip + Math.min(mostOfPage, Number(searchParams.get("$top"))))
      .map(({ day, ...event }) => ({ ...event, Date: `${day}T00:00:00`, Time: "1:00 PM", Items: [] }))
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" })
    response.end(JSON.stringify(page))
  }

layer(Deployment, { excludeTestServices: true })("the calendar of New York", (it) => {
  it.effect(
    "is put on record for a month each way, every body under its name, and crawling it again changes nothing",
    ({ skip }) =>
      Effect.gen(function* () {
        if (!fs.existsSync(data)) return skip(`${data} is not there`)
        const db = yield* Db
        yield* putOnRecord(place("new-york", { name: "New York", state: "NY" }))
        const events = eventsOf()
        const city = yield* cityServer()
        city.answers.set("/v1/nyc/events", webApi(events, 1000))
        const sources = yield* Sources
        const url = `${city.url}/v1/nyc/events`
        const id = yield* sources.add({ kind: "legistar", url, place: "new-york", everySeconds: 3600 })
        yield* crawlingWorker
        assert.deepStrictEqual(yield* crawled(id), { outcome: "ok", failure: null })
        const year = DateTime.formatIsoDate(DateTime.subtract(DateTime.nowUnsafe(), { days: 365 }))
        const listed = events.filter(({ day }) => day >= year)
        const [found] = yield* db`
          select count(*)::int as listed, (count(*) filter (where imported_at is not null))::int as imported,
            (count(*) filter (where imported_at is null and date between current_date - 30 and current_date + 30))::int as left_out
          from discovered`
        assert.strictEqual(found?.listed, listed.length)
        assert.strictEqual(found?.left_out, 0)
        assert.isAbove(Number(found?.imported), 0)
        const [bodies] =
          yield* db`select count(distinct body_id)::int as bodies, count(*)::int as names from source_body`
        assert.strictEqual(bodies?.names, new Set(listed.map(({ BodyName }) => BodyName.trim())).size)
        assert.isAbove(Number(bodies?.bodies), 20)
        assert.deepStrictEqual(yield* db`select from source_body where body_id is null`, [])
        // Upcoming and just-held meetings depend on the clock, so the second comparison covers everything else.
        const state = db`select id, title, date, location, body_id, content_hash from meeting order by id`
        const before = yield* state
        yield* crawled(id)
        assert.deepStrictEqual(yield* state, before)
        assert.deepStrictEqual(yield* db`select from discovered where withdrawn_at is not null`, [])
      }),
    300_000
  )
})
