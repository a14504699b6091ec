import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { Mailer } from "../../layers/mailer.ts"
import { drillBody, drillPlace, drillRoom, drillTitle } from "../../src/drills/script.ts"
import { Digests } from "../../src/services/mail/digests.ts"
import { ModelPatience } from "../../src/services/queue/model-patience.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { deployment } from "../record/importing.ts"
import { putOnRecord } from "./builders.ts"
import { cityServer, file, says } from "./city-server.ts"
import { databaseAt } from "./database.ts"
import { drillTruth } from "./drilling.ts"
import { freePort } from "./free-port.ts"
import { noPatience } from "./making.ts"
import { followerOf, isAtRest, reached } from "./on-the-way.ts"
import { type ProgramEnv, ranHere } from "./program.ts"
import { readersView } from "./reader-view.ts"
import { TestSigner } from "./service.ts"
import { smtpServer } from "./smtp.ts"

/** How a stage ended that had to do without something, and why. */
interface Without {
  readonly stage: string
  readonly why: string
}

const time = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(11, 23)}`

/**
 * Has a whole service, with these settings, carry the meeting of a drill from a city's calendar to a mail: with
 * captions that the city publishes or, with a speech model, without. The recording is silent unless `film` is another.
 * A model that fails gets one try. Returns what a reader is served, what was mailed, and what each stage says that it
 * had to do without.
 */
export const carried = Effect.fnUntraced(function* (models: ProgramEnv, film?: Buffer) {
  const truth = yield* drillTruth
  const { url, folder, on } = yield* deployment
  const [city, post, port] = [yield* cityServer(), yield* smtpServer(), yield* freePort]
  city.answers.set("/film.mp4", file(film ?? fs.readFileSync(truth.recording), "video/mp4"))
  city.answers.set("/agenda.pdf", file(fs.readFileSync(truth.agenda), "application/pdf"))
  const cues = truth.spoken.segments.map(({ start, end, text }) => `${time(start)} --> ${time(end)}\n${text}`)
  city.answers.set("/captions.vtt", says(["WEBVTT", ...cues].join("\n\n"), "text/vtt"))
  const meeting = {
    ...{ id: "1", body: drillBody, title: drillTitle, date: truth.date, starts_at: truth.starts_at },
    ...{ location: drillRoom, video_url: `${city.url}/film.mp4`, agenda_url: `${city.url}/agenda.pdf` },
    ...("SPEECH_MODEL_URL" in models ? {} : { captions_url: `${city.url}/captions.vtt` })
  }
  city.answers.set("/calendar", says(JSON.stringify({ timezone: "America/Chicago", meetings: [meeting] })))
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") },
    ...{ PORT: String(port), OPERATOR_PORT: "0", LOCAL_IDENTITY_PORT: "0", ALLOW_PRIVATE_SOURCES: "1" },
    ...{ SMTP_URL: `smtp://127.0.0.1:${post.port}`, ...models }
  }
  const session = yield* on(Effect.andThen(putOnRecord(drillPlace), followerOf(drillPlace.slug)))
  const service = yield* Effect.forkScoped(Effect.provideService(ranHere(env, "serve"), ModelPatience, noPatience))
  const crawl = ["source", "add", "--kind", "json", "--url", `${city.url}/calendar`, "--place", drillPlace.slug]
  const added = yield* ranHere(env, ...crawl)
  if (added.code !== 0) return yield* Effect.die(new Error(added.err))
  const id = yield* reached(
    "the meeting is held",
    on(
      Effect.flatMap(Db, (db) =>
        Effect.map(db<{ id: string }>`select id from meeting where status = 'held'`, ([row]) => row?.id)
      )
    )
  )
  yield* reached("everything is done", on(isAtRest))
  // The service does so too, once a minute.
  yield* Digests.use(({ plan, deliver }) => Effect.andThen(plan, deliver)).pipe(
    Effect.provide(
      Digests.layer.pipe(
        Layer.provide([Mailer.layer, SearchIndex.none]),
        Layer.provide(TestSigner),
        Layer.provide(Layer.effect(Environment, readEnvironment(env))),
        Layer.provide(databaseAt(url))
      )
    )
  )
  const view = yield* readersView(`http://127.0.0.1:${port}`, id, session)
  const without = yield* on(
    Effect.flatMap(
      Db,
      (db) => db<Without>`
      select t.stage, e.detail as why from task t join task_event e on e.task_id = t.id
      where e.kind in ('skipped', 'without_model') order by t.stage, e.id`
    )
  )
  yield* Fiber.interrupt(service)
  return { view, without, mails: post.received.map(({ to, email }) => ({ to, text: email.text ?? "" })) }
}, Effect.scoped)
