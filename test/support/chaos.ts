import { randomInt } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Clock, Effect, Layer, Redacted, Ref } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { Mailer } from "../../layers/mailer.ts"
import { EmailPrefs } from "../../src/services/accounts/email-prefs.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { Digests } from "../../src/services/mail/digests.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { ableModel, greenwayAgenda, greenwaySpoken } from "./able-model.ts"
import { reader } from "./actors.ts"
import { place, putOnRecord } from "./builders.ts"
import { cityServer, file } from "./city-server.ts"
import { databaseAt, freshDatabase } from "./database.ts"
import { apiEvent, eventsAnswer } from "./legistar-city.ts"
import { spokenEvenly } from "./making.ts"
import { behaviours, startModelServer, twoModelsAt } from "./model-server.ts"
import { readOutbox } from "./outbox.ts"
import { pdfOf } from "./pdf.ts"
import { running } from "./program.ts"
import { scratch } from "./rendering.ts"
import { TestSigner } from "./service.ts"
import { smallRecording } from "./small-recording.ts"
import { startSpeechServer } from "./speech-server.ts"
import { seeLanes } from "./tiny-pipeline.ts"

/** The cost of calls here, in millionths of a US dollar: a million tokens each way, and a minute of sound. */
const prices = {
  "prices.InputMicros": 1_000_000,
  "prices.OutputMicros": 2_000_000,
  "prices.SpeechMicros": 6000
} as const

/** Servers with the recordings: each is called once a second. */
const fileServers = 4

interface ChaosOptions {
  readonly meetings: number
  /** Seconds between two kills. */
  readonly killEvery: number
  readonly mostKills: number
}

/**
 * Has many small meetings of a calendar made by three real worker processes, one of which is killed at random every few
 * seconds, with models that answer over HTTP. Returns the observations.
 */
export const chaos = Effect.fnUntraced(function* ({ meetings, killEvery, mostKills }: ChaosOptions) {
  const [url, folder] = [yield* freshDatabase, yield* scratch]
  const speech = yield* startSpeechServer(greenwaySpoken.flatMap((line, at) => spokenEvenly(line, 0.4, at * 8)))
  const model = yield* startModelServer
  model.plan(behaviours.byName(ableModel))
  const [film, paper] = [yield* smallRecording(66), yield* Effect.promise(() => pdfOf(greenwayAgenda))]
  const api = yield* cityServer()
  const files = yield* Effect.all(Array.from({ length: fileServers }, () => cityServer()))
  const events = Array.from({ length: meetings }, (_, at) => {
    const { url, answers } = files[at % fileServers] ?? api
    answers.set(`/${at}.mp4`, file(film, "video/mp4", `"${at}"`))
    answers.set(`/${at}.pdf`, file(paper, "application/pdf", `"${at}"`))
    const body = [1 + (at % 10), `Board ${1 + (at % 10)}`] as const
    const days = -1 - (Math.floor(at / 10) % 25)
    return apiEvent(at + 1, body, days, { EventVideoPath: `${url}/${at}.mp4`, EventAgendaFile: `${url}/${at}.pdf` })
  })
  api.answers.set(
    "/v1/springfield/events",
    eventsAnswer(() => events)
  )
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: folder, ALLOW_PRIVATE_SOURCES: "1" },
    ...{ SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-speech-model" },
    ...twoModelsAt(model.url)
  }
  const Post = Digests.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Mailer.layer, EmailPrefs.layer, Sessions.layer)),
    Layer.provide(SearchIndex.none),
    Layer.provideMerge(Layer.mergeAll(Settings.layer, Sources.layer)),
    Layer.provide(TestSigner),
    Layer.provideMerge(Layer.effect(Environment, readEnvironment({ DATA_DIR: folder }))),
    Layer.provideMerge(databaseAt(url))
  )
  return yield* Effect.gen(function* () {
    const db = yield* Db
    const settings = yield* Settings
    yield* putOnRecord(place("springfield"))
    yield* seeLanes
    yield* db`create table pace_seen (host text not null, next_at timestamptz not null)`
    yield* db`
      create function see_pace() returns trigger language plpgsql as $$
      begin
        insert into pace_seen values (new.host, new.next_at);
        return null;
      end $$`
    yield* db`
      create trigger pace_seen after insert or update of next_at on host_pace for each row execute function see_pace()`
    for (const name of Object.keys(prices) as Array<keyof typeof prices>) yield* settings.set(name, prices[name])
    yield* settings.set("pipeline.PublishClips", true)
    const { accountId } = yield* reader("follower@example.org")
    yield* EmailPrefs.use(({ update }) => update(accountId, { recaps: "each" }))
    yield* db`insert into followed_place (account_id, place_id) select ${accountId}, id from place`
    yield* Sources.use(({ add }) =>
      add({
        ...{ kind: "legistar" as const, url: `${api.url}/v1/springfield/events` },
        ...{ place: "springfield", everySeconds: 86_400 }
      })
    )

    const began = yield* Clock.currentTimeMillis
    const start = running(env, ["worker", "--jobs", "4"])
    const workers = [yield* start, yield* start, yield* start]
    const kills = yield* Ref.make(0)
    const exposed = yield* Ref.make(0)
    const isOver = Effect.map(
      db<{ over: boolean }>`
        select count(*) filter (where state <> 'open' and kind = 'meeting') >= ${meetings}
          and count(*) filter (where state = 'open') = 0 as over from flow`,
      ([row]) => row?.over === true
    )
    /** A worker in the middle of a task, with the model calls that it may have in progress: one for a task, or four. */
    const busy = Effect.gen(function* () {
      const found = yield* db<{ pid: number; calls: number }>`
        select w.pid, coalesce(sum(case when t.stage = 'verify' then 4 else 1 end)
          filter (where t.lane in ('model', 'speech')), 0)::int as calls
        from task t join worker w on w.id = t.held_by where w.ended_at is null group by w.pid`
      const at = randomInt(3)
      const row = found.find(({ pid }) => pid === workers[at]?.child.pid)
      return row === undefined ? undefined : { at, calls: row.calls }
    })
    const kill = Effect.gen(function* () {
      yield* Effect.sleep(killEvery * 1000)
      const found = (yield* Ref.get(kills)) < mostKills ? yield* busy : undefined
      const victim = workers[found?.at ?? -1]
      if (found === undefined || victim === undefined) return
      victim.child.kill("SIGKILL")
      yield* Effect.promise(() => victim.ended)
      // A task that it ended and began between the count and the kill is one more for each of its jobs.
      yield* Ref.update(exposed, (calls) => calls + found.calls + 4)
      yield* Ref.update(kills, (count) => count + 1)
      workers[found.at] = yield* start
    })
    yield* Effect.repeat(kill, { until: () => isOver })
    const seconds = ((yield* Clock.currentTimeMillis) - began) / 1000

    // The mail is queued once, however many nodes look at the same time and however often.
    yield* Effect.gen(function* () {
      const { plan, deliver } = yield* Digests
      const node = Effect.andThen(plan, deliver)
      yield* Effect.all([node, node, node], { concurrency: 3 })
      yield* node
    })
    // More than ten recaps that become ready together are one mail, which lists the first of them: so claims are
    // counted.
    const mails = (yield* db<{ mailed: string }>`
      select account_id || ' ' || subject as mailed from mailed where kind = 'recap'`).map(({ mailed }) => mailed)
    const letters = (yield* Effect.promise(() => readOutbox(path.join(folder, "outbox")))).map(({ text = "" }) =>
      (text.match(/\/in\/[^/\s]+\/[^/\s]+\/[\w-]+/g) ?? []).join(" ")
    )
    const counted = (of: "briefing" | "recap" | "figure" | "clip" | "agenda_summary") =>
      Effect.map(
        db<{ meetings: number; distinct: number }>`
          select count(*)::int as meetings, count(distinct meeting_id)::int as distinct from ${db(of)}`,
        ([row]) => row
      )
    const told = (event: string) =>
      Effect.map(
        db<{ meetings: number; distinct: number }>`
          select count(*)::int as meetings, count(distinct meeting_id)::int as distinct from feed_event
          where event = ${event}`,
        ([row]) => row
      )
    const media = (role: string) =>
      Effect.map(
        db<{ meetings: number; distinct: number }>`
          select count(*)::int as meetings, count(distinct meeting_id)::int as distinct from media where role = ${role}`,
        ([row]) => row
      )
    const once = {
      briefing: yield* counted("briefing"),
      recap: yield* counted("recap"),
      figure: yield* counted("figure"),
      clip: yield* counted("clip"),
      agenda_summary: yield* counted("agenda_summary"),
      source: yield* media("source"),
      rendition: yield* media("rendition"),
      poster: yield* media("poster"),
      clipFile: yield* media("clip"),
      published: yield* told("meeting.published"),
      videoReady: yield* told("video.ready")
    }
    // Parts that later stages extend are announced again: equally often for each meeting, whichever worker was killed.
    const uneven = yield* db`
      select event, min(told)::int as least, max(told)::int as most from (
        select event, meeting_id, count(*) as told from feed_event
        where event in ('transcript.ready', 'briefing.verified', 'clip.published', 'figures.ready')
        group by event, meeting_id) each group by event having min(told) <> max(told) or count(*) <> ${meetings}`
    const usage = yield* db<{ rows: number; cost: number; input: number; output: number; spoken: number }>`
      select count(*)::int as rows, coalesce(sum(cost), 0)::float8 as cost, sum(input_tokens)::int as input,
        sum(output_tokens)::int as output,
        count(*) filter (where purpose = 'transcribe' and outcome = 'ok')::int as spoken
      from model_usage where outcome not in ('stopped', 'begun')`
    const [begun] = yield* db<{ calls: number; killed: number }>`
      select count(*)::int as calls, count(*) filter (where outcome = 'begun')::int as killed from model_usage`
    const { rows = 0, cost = 0, input = 0, output = 0, spoken = 0 } = usage[0] ?? {}
    const spokenSeconds = speech.requests[0]?.seconds ?? 0
    const [events2] = yield* db<{ takeovers: number; tries: number }>`
      select count(*) filter (where kind = 'taken_over')::int as takeovers,
        count(*) filter (where kind = 'retried')::int as tries from task_event`
    const answered = speech.requests.length + model.requests.length
    return {
      flows: yield* db`select state, count(*)::int as flows from flow where kind = 'meeting' group by state`,
      failed: yield* db`select stage, failure from task where state in ('failed', 'cancelled')`,
      once,
      uneven,
      mails,
      letters,
      onRecord: (yield* db<{ key: string }>`select key from media order by key`).map(({ key }) => key).toSorted(),
      stored: fs
        .readdirSync(path.join(folder, "media"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(path.join(folder, "media"), path.join(entry.parentPath, entry.name)))
        // The unfinished upload of a killed worker is removed after a day, and is not an object.
        .filter((file) => !file.startsWith(".making/"))
        .toSorted(),
      lanes: yield* db<{ lane: string; running: number; atOnce: number }>`
        select s.lane, max(s.running) as running, l.at_once as "atOnce" from lane_seen s join lane l on l.name = s.lane
        group by s.lane, l.at_once`,
      hosts: yield* Effect.forEach([api, ...files], ({ port, asked }) =>
        Effect.map(
          db<{ turns: number; closest: number }>`
            select count(*)::int as turns, coalesce(min(gap), 1)::float8 as closest from (
              select extract(epoch from next_at - lag(next_at) over (order by next_at)) as gap from pace_seen
              where host = ${`127.0.0.1:${port}`}) turns`,
          ([row]) => ({
            host: `127.0.0.1:${port}`,
            requests: asked.length,
            turns: row?.turns ?? 0,
            closest: row?.closest ?? 0
          })
        )
      ),
      answered,
      accounted: rows,
      begun: begun?.calls ?? 0,
      killed: begun?.killed ?? 0,
      exposed: yield* Ref.get(exposed),
      cost,
      costOfAccounted:
        (input * prices["prices.InputMicros"] + output * prices["prices.OutputMicros"]) / 1e12 +
        (spoken * spokenSeconds * prices["prices.SpeechMicros"]) / 60 / 1e6,
      figures: {
        ...{ meetings, seconds: Math.round(seconds), kills: yield* Ref.get(kills), ...events2 },
        ...{ calls: answered, accounted: rows, cost },
        // Rarely, one does: what it waited for.
        waited: yield* db`
          select t.stage, e.detail from task_event e join task t on t.id = e.task_id
          where e.kind = 'retried' and e.detail ~* '\\mmodel'`
      }
    }
  }).pipe(Effect.provide(Post))
})
