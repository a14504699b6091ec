import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { Db } from "../../layers/db.ts"
import { EmailPrefs } from "../../src/services/accounts/email-prefs.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { deployment } from "../record/importing.ts"
import { ableModel, greenwayAgenda, greenwaySpoken } from "../support/able-model.ts"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { place, putOnRecord } from "../support/builders.ts"
import { cityServer, file, says, status } from "../support/city-server.ts"
import { type ApiEvent, apiEvent, day, eventsAnswer, inTurn, slowly } from "../support/legistar-city.ts"
import { spokenEvenly } from "../support/making.ts"
import { behaviours, startModelServer } from "../support/model-server.ts"
import { pdfOf } from "../support/pdf.ts"
import { freePort, ran, running } from "../support/program.ts"
import { TestSigner } from "../support/service.ts"
import { smallRecording } from "../support/small-recording.ts"
import { smtpServer } from "../support/smtp.ts"
import { startSpeechServer } from "../support/speech-server.ts"

const council = [1, "City Council"] as const
const parks = [2, "Parks Board"] as const
const library = [3, "Library Board"] as const
const zoning = [4, "Zoning Board of Appeals"] as const

/** Waits until something is so; a test that waits in vain ends by its own limit, and says what it waited for. */
const reached = <A, E, R>(what: string, look: Effect.Effect<A | undefined, E, R>, within = "120 seconds" as const) =>
  look.pipe(
    Effect.repeat({ while: (found) => found === undefined, schedule: Schedule.spaced("250 millis") }),
    Effect.timeoutOrElse({ duration: within, orElse: () => Effect.die(new Error(`In vain: ${what}`)) }),
    Effect.flatMap((found) => (found === undefined ? Effect.never : Effect.succeed(found)))
  )

describe("a city's calendar", () => {
  it.live(
    "becomes published meetings with every part and a recap in the mail, however badly the city's servers behave",
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
        model.plan(behaviours.byName(ableModel))
        const film = yield* smallRecording(66)
        const silent = yield* smallRecording(4, { hasSound: false })
        const paper = yield* Effect.promise(() => pdfOf(greenwayAgenda))

        files.answers.set("/council.pdf", file(paper, "application/pdf"))
        // Away, then moved, then slow.
        files.answers.set("/council.mp4", inTurn(status(503), status(302, { location: "/moved/council.mp4" })))
        files.answers.set("/moved/council.mp4", slowly(film, "video/mp4", 200))
        files.answers.set("/broken.pdf", says(Buffer.from("%PDF-1.7\nthis is no document"), "application/pdf"))
        files.answers.set("/busy.mp4", inTurn(status(429, { "retry-after": "5" }), file(film, "video/mp4")))
        files.answers.set("/page.mp4", says("<!doctype html><title>Player</title>", "text/html; charset=utf-8"))
        files.answers.set("/silent.mp4", file(silent, "video/mp4"))
        const at = (name: string) => `${files.url}/${name}`

        const first: ReadonlyArray<ApiEvent> = [
          apiEvent(1, council, -3, { EventVideoPath: at("council.mp4"), EventAgendaFile: at("council.pdf") }),
          // The same event once more, as the API gives it when it is changed while pages are read.
          apiEvent(1, council, -3, { EventVideoPath: at("council.mp4"), EventAgendaFile: at("council.pdf") }),
          apiEvent(2, council, -10, { EventVideoPath: at("busy.mp4"), EventAgendaFile: at("broken.pdf") }),
          apiEvent(3, parks, -4, { EventVideoPath: at("missing.mp4"), EventAgendaFile: at("council.pdf") }),
          apiEvent(4, library, -5, { EventVideoPath: at("page.mp4"), EventAgendaFile: at("council.pdf") }),
          apiEvent(5, zoning, -6, { EventVideoPath: at("silent.mp4"), EventAgendaFile: at("council.pdf") }),
          apiEvent(6, council, 5),
          apiEvent(7, parks, 6),
          apiEvent(8, zoning, 3, { EventAgendaStatusName: "Deferred", EventMinutesStatusName: "Deferred" }),
          apiEvent(9, library, 4, { EventAgendaStatusName: "Cancelled" }),
          apiEvent(10, parks, 8, { EventComment: "POSTPONED DUE TO SNOW" }),
          apiEvent(11, zoning, -12, { EventAgendaStatusName: "Final", EventMinutesStatusName: "Recessed" })
        ]
        const renamed = [2, "Parks and Recreation Board"] as const
        const events = first
        const calendar = "/v1/springfield/events"
        api.answers.set(
          calendar,
          inTurn(status(429, { "retry-after": "5" }), status(307, { location: `${api.url}/v2/springfield/events` }))
        )
        // A redirect names the query or loses it; this one has lost it, and answers whatever it is asked.
        api.answers.set("/v2/springfield/events", (request, response) =>
          says(JSON.stringify(events))(request, response)
        )

        const port = yield* freePort
        const origin = `http://127.0.0.1:${port}`
        const env = {
          ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") },
          ...{ PORT: String(port), OPERATOR_PORT: "0", LOCAL_IDENTITY_PORT: "0", ALLOW_PRIVATE_SOURCES: "1" },
          ...{ SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-speech-model" },
          ...{ CLOUD_MODEL_URL: model.url, CLOUD_MODEL_NAME: "a-model" },
          SMTP_URL: `smtp://127.0.0.1:${post.port}`
        }
        const session = yield* on(
          Effect.gen(function* () {
            const db = yield* Db
            yield* putOnRecord(place("springfield"))
            const { accountId, credentials } = yield* reader("follower@example.org")
            yield* EmailPrefs.use(({ update }) => update(accountId, { recaps: "each" }))
            yield* db`insert into followed_place (account_id, place_id) select ${accountId}, id from place`
            return credentials.headers
          }).pipe(Effect.provide(Layer.mergeAll(EmailPrefs.layer, Sessions.layer).pipe(Layer.provide(TestSigner))))
        )
        const service = yield* running(env, ["serve"])
        const added = yield* ran(
          env,
          ...["source", "add", "--kind", "legistar", "--url", api.url + calendar, "--place", "springfield"]
        )
        assert.deepStrictEqual([added.code, added.err], [0, ""])
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
        const rows = on(
          Effect.flatMap(
            Db,
            (db) => db<Record<string, unknown>>`
          select b.name as body, m.date::text as date, t.stage, t.state, t.failure, t.attempts from task t join flow f on f.id = t.flow_id
          join meeting m on m.id = f.meeting_id join body b on b.id = m.body_id where f.kind = 'meeting' and t.state <> 'done' order by t.id`
          )
        )
        yield* reached(
          "the recap is mailed",
          Effect.sync(() => (post.received.length > 1 ? true : undefined))
        ).pipe(
          Effect.catchDefect((defect) =>
            Effect.gen(function* () {
              console.log(yield* rows, service.said.join("").slice(-6000), yield* issues)
              return yield* Effect.die(defect)
            })
          )
        )
        console.log(
          yield* rows,
          yield* issues,
          post.received.map(({ email }) => email.text)
        )
      }).pipe(Effect.scoped),
    240_000
  )
})
