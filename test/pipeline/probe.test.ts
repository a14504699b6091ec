import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { probeStage } from "../../src/pipeline/stages/probe/probe.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { AgencyMerge } from "../../src/services/directory/agency-merge.ts"
import { Issues } from "../../src/services/operators/issues.ts"
import { Completion } from "../../src/services/operators/runs/completion.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { Candidates } from "../../src/services/sources/candidates.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { place, putOnRecord } from "../support/builders.ts"
import { type Answer, type CityServer, cityServer, says, status } from "../support/city-server.ts"
import { Crawling } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { eventually, scratch } from "../support/rendering.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Layer.mergeAll(
  Layer.provide(Completion.layer, AgencyMerge.layer),
  Issues.layer,
  Candidates.layer
).pipe(Layer.provideMerge(Crawling), Layer.provideMerge(Layer.mergeAll(TestDb, TestStore)))

/** A day from today on. */
const day = (days: number) => DateTime.formatIsoDate(DateTime.add(DateTime.nowUnsafe(), { days }))

const ical = (...events: ReadonlyArray<readonly [summary: string, days: number]>) =>
  [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//city//EN"],
    ...events.flatMap(([summary, days], at) => [
      ...["BEGIN:VEVENT", `UID:${at}`, `SUMMARY:${summary}`],
      ...[`DTSTART;VALUE=DATE:${day(days).replaceAll("-", "")}`, "END:VEVENT"]
    ]),
    "END:VCALENDAR"
  ].join("\r\n")

const schedule = (...meetings: ReadonlyArray<object>) =>
  JSON.stringify({ meetings: meetings.map((meeting, at) => ({ id: String(at), ...meeting })) })

const legistar = (...bodies: ReadonlyArray<string>) =>
  JSON.stringify(
    bodies.map((body, at) => ({
      EventId: at,
      EventGuid: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
      EventBodyId: at,
      EventBodyName: body,
      EventDate: `${day(3)}T00:00:00`,
      EventTime: "6:30 PM",
      EventAgendaStatusName: "Final",
      EventMinutesStatusName: "Draft"
    }))
  )

const rss = (...titles: ReadonlyArray<string>) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Videos</title>${titles
    .map((title) => `<item><guid>${title}</guid><title>${title}</title><pubDate>${day(-3)}T00:00:00Z</pubDate></item>`)
    .join("")}</channel></rss>`

/** A worker that only probes, until the scope closes. */
const probingWorker = Effect.flatMap(probeStage, (probe) =>
  runWorker({ probe }, { jobs: 1, lanes: new Map(laneNames.map((lane) => [lane, 1])) }).pipe(
    Effect.provide(Logger.layer([])),
    Effect.forkScoped
  )
)

/** A run in a place of its own, for which candidates at paths of a city's server are filed. */
const begun = Effect.fnUntraced(function* (slug: string, city: CityServer) {
  yield* putOnRecord(place(slug))
  const completion = yield* Completion
  const { id: run } = yield* completion.start(slug)
  const doing = { agent: { tokenId: undefined, machine: "build-box", runId: run }, run }
  const { place_id } = yield* completion.show(run)
  const filed = (answers: Readonly<Record<string, Answer>>) => {
    for (const [path, answer] of Object.entries(answers)) city.answers.set(path, answer)
    const candidates = Object.keys(answers).map((path) => ({
      ...{ name: `Candidate ${path}`, kind: "other" as const, url: `${city.url}${path}` }
    }))
    return completion.fileCandidates(doing, place_id, { candidates })
  }
  /** The candidates by path, once no probe is pending. */
  const probed = Effect.gen(function* () {
    const db = yield* Db
    yield* eventually(
      Effect.map(db`select from flow where run_id = ${run} and state = 'open'`, (rows) =>
        rows.length === 0 ? true : undefined
      )
    )
    const { candidates } = yield* completion.show(run)
    return Object.fromEntries(candidates.map((one) => [one.url.slice(city.url.length), one]))
  })
  return { run, filed, probed }
})

layer(Deployment, { excludeTestServices: true })("filed candidates", (it) => {
  it.effect("are probed: each is a calendar with bodies and meetings, or says why it is not", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { run, filed, probed } = yield* begun("springfield", city)
      const { task } = yield* filed({
        "/calendar.ics": says(
          ical(["City Council - Regular Meeting", 3], ["Planning Commission", 5], ["City Council", 10], ["Picnic", 4]),
          "text/calendar"
        ),
        "/schedule.json": says(schedule({ title: "Regular", date: day(2), body: "Library Board" })),
        "/v1/springfield/events": says(legistar("Zoning Board", "Park Board")),
        "/feed": says(rss("City Council, March 10", "A walk in the park"), "application/rss+xml"),
        "/page": says("<!doctype html><html><body>Meetings</body></html>", "text/html"),
        "/film": says(Buffer.from([0, 1, 2, 3]), "video/mp4"),
        "/empty.ics": says(ical(["Picnic", 4]), "text/calendar"),
        "/broken.json": says(JSON.stringify({ events: [] })),
        "/gone": status(404),
        "/closed": status(403)
      })
      assert.deepInclude(task, { stage: "probe", state: "waiting" })
      yield* probingWorker
      const found = yield* probed
      const calendars = Object.entries(found).flatMap(([path, { calendar, failure, probed_at }]) => {
        assert.isString(probed_at, path)
        assert.strictEqual(calendar === undefined, failure !== undefined, path)
        return calendar === undefined ? [] : [[path, calendar]]
      })
      assert.deepStrictEqual(Object.fromEntries(calendars), {
        "/calendar.ics": { kind: "ical", bodies: ["City Council", "Planning Commission"], meetings: 3 },
        "/schedule.json": { kind: "json", bodies: ["Library Board"], meetings: 1 },
        "/v1/springfield/events": { kind: "legistar", bodies: ["Park Board", "Zoning Board"], meetings: 2 },
        "/feed": { kind: "rss", bodies: ["City Council"], meetings: 1 }
      })
      const none = "It is neither Legistar, iCalendar, RSS nor Atom, nor JSON of docs/calendar.md."
      assert.deepStrictEqual(
        Object.fromEntries(Object.entries(found).flatMap(([path, { failure }]) => (failure ? [[path, failure]] : []))),
        {
          "/page": "Its address leads to a web page, not to a calendar.",
          "/film": none,
          "/empty.ics": "It is a calendar (ical) without a meeting from a year ago to a year from now.",
          "/broken.json": "The calendar is not one: meetings is missing.",
          "/gone": "Nothing was found at its address (HTTP 404).",
          "/closed": "The server answered with HTTP 403."
        }
      )
      const issues = (yield* (yield* Issues).issues).issues.filter(({ kind }) => kind === "candidate_found")
      assert.lengthOf(issues, 4)
      assert.deepInclude(
        issues.find(({ message }) => message.includes("/calendar.ics")),
        {
          severity: "notice",
          subject: { type: "completion_run", id: run, name: "Springfield" },
          message:
            "Candidate /calendar.ics may be a source: its address is a calendar (ical) with 3 meetings of City Council, Planning Commission.",
          next_step: `If it is right, run: civic-record source add --kind ical --place springfield --url ${city.url}/calendar.ics`
        }
      )
      // Once an operator has approved it, it is a source, and nobody has to decide again.
      const url = `${city.url}/calendar.ics`
      const source = yield* (yield* Sources).add({ kind: "ical", url, place: "springfield", everySeconds: 3600 })
      assert.strictEqual((yield* probed)["/calendar.ics"]?.source_id, source)
      const left = (yield* (yield* Issues).issues).issues.filter(({ kind }) => kind === "candidate_found")
      assert.lengthOf(left, 3)
    })
  )

  it.effect("are retried if their server does not answer, and unreadable ones when filed again", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const city = yield* cityServer()
      const { filed, probed } = yield* begun("shelbyville", city)
      const isCouncil = says(ical(["City Council", 3]), "text/calendar")
      let asked = 0
      yield* filed({
        "/once.ics": (request, response) =>
          asked++ === 0 ? status(502)(request, response) : isCouncil(request, response),
        "/down.ics": status(502),
        "/wrong.ics": says("<html></html>", "text/html")
      })
      yield* probingWorker
      // The delays between its attempts.
      yield* db`update task set due_at = clock_timestamp() where state = 'waiting' and stage = 'probe'`.pipe(
        Effect.andThen(db`notify task`),
        Effect.andThen(Effect.sleep("20 millis")),
        Effect.forever,
        Effect.forkScoped
      )
      const found = yield* probed
      assert.strictEqual(found["/once.ics"]?.calendar?.meetings, 1)
      assert.strictEqual(found["/down.ics"]?.failure, "The server answered with HTTP 502.")
      assert.lengthOf(
        city.asked.filter(({ path }) => path === "/down.ics"),
        3
      )
      assert.lengthOf(
        city.asked.filter(({ path }) => path === "/wrong.ics"),
        1
      )
      const { changed } = yield* filed({ "/wrong.ics": isCouncil })
      assert.isTrue(changed)
      const again = yield* probed
      assert.deepInclude(again["/wrong.ics"], {
        calendar: { kind: "ical", bodies: ["City Council"], meetings: 1 }
      })
      assert.notProperty(again["/wrong.ics"], "failure")
      assert.strictEqual(again["/once.ics"]?.probed_at, found["/once.ics"]?.probed_at)
    })
  )

  it.effect("are unreadable if probing them ended the worker each time", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { filed, probed } = yield* begun("ogle", yield* cityServer())
      const { task } = yield* filed({ "/deadly.ics": status(500) })
      const { failed } = yield* probeStage
      const ids = { id: task.id, claim: task.id, worker: task.id, flow: task.flow_id }
      const subject = { meetingId: null, userClipId: null, clipId: null, sourceId: null }
      yield* db.withTransaction(
        failed(
          {
            ...ids,
            ...subject,
            stage: "probe",
            attempts: 41,
            traceparent: null,
            ...{ modelAway: 0, modelUnusable: 0, modelWaited: 0 }
          },
          undefined
        )
      )
      yield* db`update flow set state = 'failed', ended_at = now() where id = ${task.flow_id}`
      assert.strictEqual((yield* probed)["/deadly.ics"]?.failure, "Probing it ended its worker each time.")
    })
  )

  it.effect("are probed by the running task, if filed in the meantime", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { filed, probed } = yield* begun("capital", city)
      const held: Array<() => void> = []
      const isCouncil = says(ical(["City Council", 3]), "text/calendar")
      const { task } = yield* filed({
        "/slow.ics": (request, response) => void held.push(() => isCouncil(request, response))
      })
      yield* probingWorker
      yield* eventually(Effect.sync(() => (held.length > 0 ? true : undefined)))
      const later = yield* filed({ "/later.ics": isCouncil })
      assert.strictEqual(later.task.id, task.id)
      for (const answer of held) answer()
      assert.strictEqual((yield* probed)["/later.ics"]?.calendar?.meetings, 1)
    })
  )
})
