import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import type { SourceKind } from "../../schema/agent/directory.ts"
import { crawlStage } from "../../src/pipeline/stages/crawl/crawl.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { agency, place, putOnRecord } from "../support/builders.ts"
import { type CityServer, cityServer } from "../support/city-server.ts"
import { Crawling, crawled } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { day } from "../support/legistar-city.ts"
import { scratch } from "../support/rendering.ts"
import { boardDocsSite } from "../support/vendors/boarddocs.ts"
import { iqm2Site } from "../support/vendors/iqm2.ts"
import { municodeSite } from "../support/vendors/municode.ts"
import { novusAgendaSite } from "../support/vendors/novusagenda.ts"
import { swagitSite } from "../support/vendors/swagit.ts"

const Deployment = Crawling.pipe(
  Layer.provideMerge(Layer.mergeAll(TestDb, Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))))
)

/** A day in each way that these vendors write it. */
const written = (days: number): ReadonlyArray<string> => {
  const date = new Date(`${day(days)}T12:00:00Z`)
  const [year = "", month = "", of = ""] = day(days).split("-")
  const said = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleDateString("en-US", { ...options, timeZone: "UTC" })
  return [
    ...[day(days), `${year}${month}${of}`, `${month}/${of}/${year}`, `${month}/${of}/${year.slice(2)}`],
    ...[said({ dateStyle: "medium" }), said({ year: "numeric", month: "short", day: "2-digit" })],
    said({ dateStyle: "full" }).toUpperCase()
  ]
}

/** Has a city's site say another day wherever it said this one. */
const move = (city: CityServer, from: number, to: number) => {
  const [before, after] = [written(from), written(to)]
  const moved = (text: string) => before.reduce((said, one, at) => said.replaceAll(one, after[at] ?? ""), text)
  for (const [path, answer] of city.answers) {
    city.answers.set(path, (request, response) => {
      const end = response.end.bind(response)
      Object.assign(response, { end: (body?: unknown) => end(typeof body === "string" ? moved(body) : body) })
      answer(request, response)
    })
  }
}

/** A meeting of each vendor's site: its body, and its day. */
const meetings: ReadonlyArray<readonly [kind: SourceKind, body: string, days: number, (city: CityServer) => string]> = [
  ["swagit", "City Commission", -10, (city) => swagitSite(city).source],
  ["iqm2", "City Council", -9, (city) => iqm2Site(city).source],
  ["municode", "Town Council", -6, (city) => municodeSite(city).source],
  ["boarddocs", "Board of Education", -7, (city) => boardDocsSite(city).source],
  ["novusagenda", "City Council", -9, (city) => novusAgendaSite(city).source]
]

layer(Deployment, { excludeTestServices: true })("a meeting that its vendor moves to another day", (it) => {
  it.effect.each(meetings)("stays one meeting: %s", ([kind, name, days, site]) =>
    Effect.gen(function* () {
      const db = yield* Db
      const city = yield* cityServer()
      yield* putOnRecord(place(kind), agency(`${kind}-body`, [kind], { name }))
      const source = yield* Sources.use(({ add }) => add({ kind, url: site(city), place: kind, everySeconds: 3600 }))
      yield* runWorker(
        { crawl: yield* crawlStage },
        { jobs: 1, lanes: new Map(laneNames.map((lane) => [lane, 1])) }
      ).pipe(Effect.provide(Logger.layer([])), Effect.forkScoped)
      const listed = db<{ id: string; date: string }>`
        select m.id, m.date::text as date from meeting m join body b on b.id = m.body_id
        where b.slug = ${`${kind}-body`} order by m.date`
      assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
      const before = yield* listed
      const one = before.filter(({ date }) => date === day(days))
      assert.lengthOf(one, 1)
      move(city, days, days + 1)
      assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
      const after = yield* listed
      assert.deepStrictEqual(
        after,
        before.map((meeting) => (meeting.id === one[0]?.id ? { ...meeting, date: day(days + 1) } : meeting))
      )
    }).pipe(Effect.scoped)
  )
})
