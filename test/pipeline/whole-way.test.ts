import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Db } from "../../layers/db/db.ts"
import { deployment } from "../record/importing.ts"
import { ableModel, greenwayAgenda, greenwaySpoken } from "../support/able-model.ts"
import { ask } from "../support/asked.ts"
import { place, putOnRecord } from "../support/builders.ts"
import { cityServer, file, says, status } from "../support/city-server.ts"
import { freePort } from "../support/free-port.ts"
import { type ApiEvent, day, eventsAnswer, inTurn, slowly } from "../support/legistar-city.ts"
import { spokenEvenly } from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"
import { followerOf, isAtRest, reached } from "../support/on-the-way.ts"
import { pdfOf } from "../support/pdf.ts"
import { ran, running } from "../support/program.ts"
import { newYorkEvents, realEventsAreThere } from "../support/real-events.ts"
import { smallRecording } from "../support/small-recording.ts"
import { smtpServer } from "../support/smtp.ts"
import { startSpeechServer } from "../support/speech-server.ts"

const council = [1, "City Council"] as const
const parks = [5106, "Committee on Parks and Recreation"] as const
const library = [5105, "Committee on Cultural Affairs, Libraries and International Intergroup Relations"] as const
const zoning = [34, "Subcommittee on Zoning and Franchises"] as const
const renamedParks = "Committee on Parks and Waterfronts"
const planning = [5070, "Subcommittee on Planning, Dispositions and Concessions"] as const

describe(`the calendar of ${realEventsAreThere ? "New York" : "a made-up city (the real events are not there)"}`, () => {
  it.live(
    "becomes published meetings with every part and a mailed recap, however badly the city's servers behave",
    () =>
      Effect.gen(function* () {
        const { url, folder, on } = yield* deployment
        const [api, files, speech, model, post] = [
          yield* cityServer(),
          yield* cityServer(),
          yield* startSpeechServer(greenwaySpoken.flatMap((line, at) => spokenEvenly(line, 0.4, at * 8))),
          yield* startModelServer,
          yield* smtpServer()
        ]
        const city = yield* newYorkEvents
        const ofZoning = city.items(18978)
        const summarized = ofZoning
          .map(({ EventItemMatterName: title }) => ({ title, summary: title }))
          .filter(({ title }) => title !== undefined)
          .slice(0, 3)
        const agenda = (prompt: string) => (prompt.includes("greenway") ? ableModel.agenda() : { items: summarized })
        model.plan(behaviours.byName({ ...ableModel, agenda }))
        const film = yield* smallRecording(66)
        const silent = yield* smallRecording(4, { hasSound: false })
        const paper = yield* Effect.promise(() => pdfOf(greenwayAgenda))

        files.answers.set("/council.pdf", file(paper, "application/pdf"))
        // Unavailable, then moved, then slow.
        files.answers.set("/council.mp4", inTurn(status(503), status(302, { location: "/moved/council.mp4" })))
        files.answers.set("/moved/council.mp4", slowly(film, "video/mp4", 200))
        files.answers.set("/broken.pdf", says(Buffer.from("%PDF-1.7\nthis is no document"), "application/pdf"))
        files.answers.set("/busy.mp4", inTurn(status(429, { "retry-after": "5" }), file(film, "video/mp4")))
        files.answers.set("/page.mp4", says("<!doctype html><title>Player</title>", "text/html; charset=utf-8"))
        files.answers.set("/silent.mp4", file(silent, "video/mp4"))
        const at = (name: string) => `${files.url}/${name}`

        const ordinance = { EventVideoPath: at("council.mp4"), EventAgendaFile: at("council.pdf") }
        const pdf = { EventAgendaFile: at("council.pdf") }
        const first: ReadonlyArray<ApiEvent> = [
          city.event(19017, council, -3, ordinance),
          // The same event once more, as the API returns it when it changes while pages are read.
          city.event(19017, council, -3, ordinance),
          city.event(18998, council, -10, { EventVideoPath: at("busy.mp4"), EventAgendaFile: at("broken.pdf") }),
          city.event(19006, parks, -4, { ...pdf, EventVideoPath: at("missing.mp4") }),
          city.event(18958, library, -5, { ...pdf, EventVideoPath: at("page.mp4") }),
          city.event(18978, zoning, -6, { ...pdf, EventVideoPath: at("silent.mp4") }),
          city.event(18953, council, 5),
          city.event(18963, parks, 6),
          city.event(18653, zoning, 3, { EventAgendaStatusName: "Deferred", EventMinutesStatusName: "Deferred" }),
          city.event(16990, planning, 4, { EventAgendaStatusName: "Cancelled" }),
          city.event(18995, parks, 8, { EventComment: "CANCELLED DUE TO INCLEMENT WEATHER" }),
          city.event(14507, zoning, -12, { EventMinutesStatusName: "Recessed" })
        ]
        let events: ReadonlyArray<ApiEvent> = first
        const calendar = "/v1/springfield/events"
        api.answers.set(
          calendar,
          inTurn(
            status(429, { "retry-after": "5" }),
            // A server that has moved repeats the query.
            (request, response) =>
              status(307, { location: `${api.url}/v2/events?${request.url?.split("?")[1] ?? ""}` })(request, response)
          )
        )
        api.answers.set(
          "/v2/events",
          eventsAnswer(() => events)
        )
        const item = (id: number, sequence: number, title: string, over: object = {}) => ({
          ...{ EventItemId: id, EventItemGuid: `00000000-0000-4000-9000-00000000000${id}`, EventItemEventId: 19017 },
          ...{ EventItemAgendaSequence: sequence, EventItemAgendaNumber: String(sequence), EventItemTitle: title },
          ...over
        })
        const action = { EventItemActionName: "Approved", EventItemPassedFlagName: "Pass", EventItemTally: "7:0" }
        const items = [
          item(3, 3, "Adjournment"),
          item(1, 1, "Call to order"),
          item(2, 2, "Ordinance 2026-14: creek greenway", action)
        ]
        api.answers.set(`${calendar}/19017/eventitems`, says(JSON.stringify(items)))
        if (ofZoning.length > 0) api.answers.set(`${calendar}/18978/eventitems`, says(JSON.stringify(ofZoning)))
        const port = yield* freePort
        const origin = `http://127.0.0.1:${port}`
        const env = {
          ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") },
          ...{ PORT: String(port), OPERATOR_PORT: "0", LOCAL_IDENTITY_PORT: "0", ALLOW_PRIVATE_SOURCES: "1" },
          ...{ SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-speech-model" },
          ...twoModelsAt(model.url),
          SMTP_URL: `smtp://127.0.0.1:${post.port}`
        }
        const session = yield* on(Effect.andThen(putOnRecord(place("springfield")), followerOf("springfield")))
        const service = yield* running(env, ["serve"])
        const added = yield* ran(
          env,
          ...["source", "add", "--kind", "legistar", "--url", api.url + calendar, "--place", "springfield"]
        )
        assert.deepStrictEqual(added.code, 0, added.err)
        const source = added.out.trim()
        const token = (yield* ran(env, "token", "mint", "--machine", "watch")).out.trim()
        const got = (address: string, headers: Readonly<Record<string, string>> = session) =>
          Effect.map(ask(origin + address, { headers }), ({ status, text }) => {
            assert.strictEqual(status, 200, `${address}: ${text}`)
            // biome-ignore lint/suspicious/noExplicitAny: what the service answers is what is tested
            return JSON.parse(text) as any
          })
        const issues = Effect.map(
          got("/api/agent/issues", { authorization: `Bearer ${token}` }),
          ({ issues }) => issues
        )
        yield* reached(
          "the recaps are mailed",
          Effect.sync(() => (post.received.length >= 2 ? true : undefined))
        )
        yield* reached("everything that can be done is done", on(isAtRest))

        // The results for a reader.
        const { meetings } = yield* got("/api/meetings/browse")
        const shown = (list: ReadonlyArray<{ body: { name: string }; date: string; status: string }>) =>
          list.map(({ body, date, status }) => `${date} ${status} ${body.name}`).toSorted()
        assert.deepStrictEqual(shown(meetings), [
          `${day(-12)} held ${zoning[1]}`,
          `${day(-10)} held Springfield City Council`,
          `${day(-6)} held ${zoning[1]}`,
          `${day(-5)} held ${library[1]}`,
          `${day(-4)} held ${parks[1]}`,
          `${day(-3)} held Springfield City Council`
        ])
        const of = (date: string) => meetings.find((meeting: { date: string }) => meeting.date === date)
        const upcoming = Effect.map(got("/api/upcoming"), ({ bodies }) =>
          shown(bodies.flatMap(({ meetings }: { meetings: Parameters<typeof shown>[0] }) => meetings))
        )
        // A deferred, cancelled or postponed meeting is shown as cancelled, whatever the city calls it.
        const calledOff = [
          `${day(3)} cancelled ${zoning[1]}`,
          `${day(4)} cancelled ${planning[1]}`,
          `${day(8)} cancelled ${parks[1]}`
        ]
        assert.deepStrictEqual(
          yield* upcoming,
          [...calledOff, `${day(5)} upcoming Springfield City Council`, `${day(6)} upcoming ${parks[1]}`].toSorted()
        )

        const whole = yield* got(`/api/meetings/${of(day(-3)).id}`)
        assert.deepStrictEqual(
          whole.agenda_items.map(({ number, title, outcome }: Record<string, string>) => [number, title, outcome]),
          [
            ["1", "Call to order", undefined],
            ["2", "Ordinance 2026-14: creek greenway", "Approved: Pass (7:0)"],
            ["3", "Adjournment", undefined]
          ]
        )
        assert.deepInclude(whole.has, { transcript: true, briefing: true, video: true, agenda: true })
        // The agenda of the second is not a readable PDF, and everything else of it is there.
        for (const { id, path } of [of(day(-3)), of(day(-10))]) {
          const part = (name: string) => got(`/api/meetings/${id}/${name}`)
          assert.include(JSON.stringify(yield* part("transcript")), "creek greenway")
          const newsletter = yield* part("newsletter")
          assert.strictEqual(newsletter.headline, "Council approves a greenway for 240,000 dollars")
          const claims = yield* part("claims")
          assert.deepStrictEqual(
            [claims.status, claims.claims.map(({ verdict }: { verdict: string }) => verdict)],
            ["verified", ["supported", "supported", "supported", "supported"]]
          )
          assert.deepStrictEqual(
            (yield* part("recap")).decisions.map(({ vote }: { vote: string }) => vote),
            ["7-0"]
          )
          assert.lengthOf((yield* part("graphics")).figures, 1)
          const video = yield* part("video")
          assert.strictEqual(Math.round(video.duration), 66)
          const film = yield* ask(new URL(video.url, origin).href, { headers: { ...session, range: "bytes=0-99" } })
          assert.strictEqual(film.status, 206)
          const page = yield* ask(`${origin}${path}`, { headers: { ...session, accept: "text/html" } })
          assert.include(page.text, "Council approves a greenway for 240,000 dollars")
        }
        // A meeting whose recording has no sound has its recording and its agenda.
        const silentMeeting = yield* got(`/api/meetings/${of(day(-6)).id}`)
        assert.deepInclude(silentMeeting.has, { transcript: false, briefing: false, video: true, agenda: true })
        // New York lists its agenda items itself; without such a list they come from the PDF.
        assert.lengthOf(silentMeeting.agenda_items, ofZoning.length || 3)
        // That a call to order opens the meeting is not in the agenda, so it is left out.
        assert.deepStrictEqual(
          (yield* got(`/api/meetings/${of(day(-6)).id}/agenda-summary`)).items.map(
            ({ title }: { title: string }) => title
          ),
          summarized.length > 0
            ? summarized.map(({ title }) => title)
            : ["Ordinance 2026-14: creek greenway", "Adjournment"]
        )
        // A meeting whose recording is a web page, or missing, has its agenda.
        for (const date of [day(-5), day(-4)]) {
          const { has } = yield* got(`/api/meetings/${of(date).id}`)
          assert.deepInclude(has, { transcript: false, briefing: false, video: false, agenda: true })
        }
        const found = yield* issues
        assert.deepStrictEqual(
          found.map(({ kind, message, subject }: Record<string, unknown>) => [kind, message, subject]),
          [
            [
              "recording_left_out",
              "The recording is left out. Its address leads to a web page, not a recording.",
              { type: "meeting", id: of(day(-5)).id, name: `${library[1]}: Meeting, ${day(-5)}` }
            ]
          ]
        )
        assert.match(found[0].next_step, /^Correct the address/)
        // Each follower is mailed each recap once.
        assert.deepStrictEqual(
          post.received.map(({ to, email }) => [to, /\/(\d{4}-\d\d-\d\d)-/.exec(email.text ?? "")?.[1]]).toSorted(),
          [
            [["follower@example.org"], day(-10)],
            [["follower@example.org"], day(-3)]
          ]
        )
        // Spoken words are data, whatever they ask for.
        assert.notInclude(JSON.stringify(post.received.map(({ email }) => email.text)), "resigned")

        // The city changes its calendar: one meeting moves, one is withdrawn, a body is renamed.
        events = first
          .filter(({ EventId }) => EventId !== 18963)
          .map((event) => (event.EventBodyId === parks[0] ? { ...event, EventBodyName: renamedParks } : event))
          .map((event) => (event.EventId === 18953 ? { ...event, EventDate: `${day(9)}T00:00:00` } : event))
        assert.strictEqual((yield* ran(env, "source", "crawl", source)).code, 0)
        yield* reached(
          "the meeting has moved",
          Effect.map(upcoming, (list) => (list.some((line) => line.startsWith(day(9))) ? true : undefined))
        )
        const renamed = (line: string) => line.replace(parks[1], renamedParks)
        assert.deepStrictEqual(
          yield* upcoming,
          [
            ...calledOff.map(renamed),
            `${day(9)} upcoming Springfield City Council`,
            `${day(6)} cancelled ${renamedParks}`
          ].toSorted()
        )
        const again = yield* got("/api/meetings/browse")
        assert.include(shown(again.meetings), `${day(-4)} held ${renamedParks}`)
        assert.strictEqual(again.total, 6)
        assert.lengthOf(post.received, 2)
        assert.deepStrictEqual(
          speech.requests.length + model.requests.length,
          (yield* on(Effect.flatMap(Db, (db) => db`select from model_usage`))).length
        )
        service.child.kill("SIGTERM")
        assert.strictEqual(yield* Effect.promise(() => service.ended), 0)
      }),
    400_000
  )
})
