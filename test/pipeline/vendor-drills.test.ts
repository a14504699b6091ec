import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { SpeechModel } from "../../layers/speech-model/speech-model.ts"
import { handlers, StageServices } from "../../src/pipeline/pipeline.ts"
import { findSources } from "../../src/pipeline/sources/find-source.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { RemovedMedia } from "../../src/services/clips/removed-media.ts"
import { PipelineModelsLive } from "../../src/services/making/model-accounts.ts"
import { ModelBudget } from "../../src/services/making/model-budget.ts"
import { PipelineLog } from "../../src/services/queue/pipeline-log.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { greenwayAgenda, greenwaySpoken } from "../support/able-model.ts"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { place, putOnRecord } from "../support/builders.ts"
import { type CityServer, cityServer, file, says } from "../support/city-server.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"
import { isAtRest, reached } from "../support/on-the-way.ts"
import { pdfOf } from "../support/pdf.ts"
import { scratch, TestRenderer } from "../support/rendering.ts"
import { serviceAddress, serviceOf, TestSetup } from "../support/service.ts"
import { smallRecording } from "../support/small-recording.ts"
import { agendaCenterSite } from "../support/vendors/agendacenter.ts"
import { civicClerkSite } from "../support/vendors/civicclerk.ts"
import { escribeSite } from "../support/vendors/escribe.ts"
import { granicusSite } from "../support/vendors/granicus.ts"
import { iqm2Site } from "../support/vendors/iqm2.ts"
import { municodeSite } from "../support/vendors/municode.ts"
import { namedWeb } from "../support/vendors/named-web.ts"
import { primeGovSite } from "../support/vendors/primegov.ts"
import { swagitSite } from "../support/vendors/swagit.ts"

const html = "text/html; charset=utf-8"
const timing = (seconds: number, end = ".000") => `00:00:${String(seconds).padStart(2, "0")}${end}`
const cues = greenwaySpoken.map((text, at) => `${timing(at * 3)} --> ${timing(at * 3 + 2, ".900")}\n${text}`)
const vtt = says(["WEBVTT", ...cues].join("\n\n"), "text/vtt")
const srt = says(
  cues.map((cue, at) => `${at + 1}\n${cue.replace(/(\d{2})\.(\d{3})/g, "$1,$2")}`).join("\n\n"),
  "application/x-subrip"
)

const words = greenwaySpoken.flatMap((line, at) =>
  line.split(" ").map((word, nth) => `<a data-ts="${at * 3 + nth / 8}">${word.toUpperCase()}</a>`)
)
const film = "https://archive-video.granicus.com/film.mp4"
const swagitPlayer = `<script>jwplayer("player").setup({playlist: [{"file":"${film}"}]})</script>
  <div id="transcript-fragments">${words.join(" ")}</div>`

/** What a vendor's city has: what a clerk types, the names of its servers, and the papers at its own. */
interface City {
  readonly typed: string
  readonly names: ReadonlyArray<string>
  readonly agenda: string
  /** A body that waits for an operator, because only titles name it. */
  readonly waiting?: string
  /** The items of its agenda, as readers see them. */
  readonly items: ReadonlyArray<string>
  /** How many votes by name it publishes. */
  readonly votes?: number
  readonly site: (city: CityServer) => unknown
}

const cities: Readonly<Record<string, City>> = {
  civicclerk: {
    typed: "https://emporiaks.portal.civicclerk.com/event/585/overview",
    names: ["emporiaks.api.civicclerk.com"],
    agenda: "/v1/Meetings/GetMeetingFileStream(fileId=1620,plainText=false)",
    items: [
      "1 CALL MEETING TO ORDER",
      "4 CONSENT AGENDA",
      "4.a Minutes",
      "5.a Resolution 3795 Adopting a Large Volume Water Service Policy",
      "5.b Resolution 3796 Adopting a Large Volume Wastewater Service Policy"
    ],
    votes: 3,
    site: civicClerkSite
  },
  agendacenter: {
    typed: "https://www.marlow.gov/",
    names: ["www.marlow.gov"],
    agenda: "",
    items: ["9.A Consent A", "9.B Award of bid 12-7", "10 Adjourn"],
    site: (city) => {
      const { key } = agendaCenterSite(city)
      city.answers.set("/", says(`<a href="/AgendaCenter/Council-7">Agendas and minutes</a>`, html))
      return `/AgendaCenter/ViewFile/Agenda/${key}`
    }
  },
  granicus: {
    typed: "https://bhamal.granicus.com/MediaPlayer.php?view_id=2&clip_id=1980",
    names: ["bhamal.granicus.com"],
    agenda: "/AgendaViewer.php?view_id=2&clip_id=1980",
    waiting: "City Council",
    items: ["1 Call to Order", "7.A Quarry Road bridge contract"],
    site: (city) => {
      // Nothing is at rest in the hour before a meeting, so the next one is not today.
      granicusSite(city, { next: 2 })
      city.answers.set("/videos/1980/captions.vtt", vtt)
      city.answers.set("/MediaPlayer.php?view_id=2&clip_id=1980", says(`<video src="${film}"></video>`, html))
    }
  },
  primegov: {
    typed: "https://lacity.primegov.com/Portal/Meeting?meetingTemplateId=136037",
    names: ["lacity.primegov.com"],
    agenda: "/Public/CompiledDocument?meetingTemplateId=136038&compileOutputType=1",
    items: ["1 Commendatory resolutions", "2 Street vending"],
    site: (city) => primeGovSite(city, "https://lacity.new.swagit.com/videos/7")
  },
  escribe: {
    typed: "https://pub-bakersfield.escribemeetings.com/MeetingsContent.aspx",
    names: ["pub-bakersfield.escribemeetings.com"],
    agenda: "/FileStream.ashx?DocumentId=1",
    items: ["7.1 Agenda item statements", "8 APPOINTMENTS"],
    site: escribeSite
  },
  swagit: {
    typed: "https://sanbenitotx.new.swagit.com/views/322/commission-meetings",
    names: ["sanbenitotx.new.swagit.com"],
    agenda: "/videos/401170/agenda",
    waiting: "City Commission",
    items: ["1 CALL TO ORDER", "7.A Quarry Road bridge & culvert", "9 ADJOURN"],
    site: (city) => swagitSite(city, swagitPlayer)
  },
  iqm2: {
    typed: "https://marlowil.iqm2.com/Citizens/Detail_Meeting.aspx?ID=21831",
    names: ["marlowil.iqm2.com"],
    agenda: "/Citizens/FileOpen.aspx?Type=14&ID=21795&Inline=True",
    items: [
      "1 Call to Order",
      "2.A COF 2026 #141 : A communication about the bridge",
      "2.B Contract for road repair",
      "3.A Adopt the fees",
      "4 Adjournment"
    ],
    votes: 1,
    site: (city) => {
      iqm2Site(city)
      const media = "https://archive-video.granicus.com/76801_480.mp4"
      city.answers.set("/Citizens/SplitView.aspx", says(`<html><!-- MEDIA URL: ${media}--></html>`, html))
      city.answers.set("/Services/TranscriptGet.aspx?MediaID=76801&format=vtt", vtt)
    }
  },
  municode: {
    typed: "https://marlow-il.municodemeetings.com/bc-tc/page/town-council-meeting-8",
    // Its papers are on a server of their own.
    names: ["marlow-il.municodemeetings.com", "mccmeetings.blob.core.usgovcloudapi.net"],
    agenda: "",
    items: ["1 CALL TO ORDER", "7.a Minutes of May 3", "7.b Award of bid 12-7", "8 ADJOURNMENT"],
    site: (city) => {
      const { key } = municodeSite(city, "https://lacity.new.swagit.com/videos/7")
      return `/marlowil-pubu/MEET-Agenda-${key(8)}.pdf`
    }
  }
}

/** The servers that vendors keep recordings on, as one. */
const archive = Effect.fnUntraced(function* (names: Map<string, string>) {
  const files = yield* cityServer()
  const recording = file(yield* smallRecording(24), "video/mp4")
  for (const [host, path] of [
    ["cpmedia.azureedge.net", "/emporiaks/ab8f5fbb5f.mp4"],
    ["archive-video.granicus.com", "/film.mp4"],
    ["archive-video.granicus.com", "/76801_480.mp4"],
    ["video.isilive.ca", "/bakersfield/Encoder%20760_CCM330.mp4"]
  ] as const) {
    names.set(host, files.url)
    files.answers.set(path, recording)
  }
  files.answers.set("/emporiaks/ClosedCaption/07222026172024531-585.srt", srt)
  files.answers.set("/bakersfield/Encoder%20760_CCM330.mp4.vtt", vtt)
  for (const host of ["city.granicus.com", "lacity.new.swagit.com"]) names.set(host, files.url)
  files.answers.set("/player/clip/7", says(`<video src="${film}"></video>`, html))
  files.answers.set("/videos/7/captions.vtt", vtt)
  files.answers.set("/videos/7", says(swagitPlayer, html))
})

describe("a city of each vendor", () => {
  it.live(
    "is carried from an address to published meetings, with recording, words, items and papers",
    () =>
      Effect.gen(function* () {
        const names = new Map<string, string>()
        yield* archive(names)
        const paper = yield* Effect.promise(() => pdfOf(greenwayAgenda))
        for (const { names: hosts, agenda, site } of Object.values(cities)) {
          const city = yield* cityServer()
          const own = site(city)
          city.answers.set(agenda || String(own), file(paper, "application/pdf"))
          for (const host of [...hosts, new URL(city.url).host]) names.set(host, city.url)
        }
        const database = databaseAt(yield* freshDatabase)
        const env = Effect.flatMap(scratch, (folder) => readEnvironment({ DATA_DIR: folder, PATH: process.env.PATH }))
        const services = Layer.mergeAll(StageServices, Sources.layer).pipe(
          Layer.provideMerge(
            Layer.mergeAll(Layer.provide(ModelBudget.layer, Settings.layer), PipelineModelsLive, namedWeb(names))
          ),
          Layer.provideMerge(Layer.mergeAll(PipelineLog.layer, RemovedMedia.layer, SpeechModel.layerNone)),
          Layer.provideMerge(
            Layer.mergeAll(
              TestRenderer,
              Layer.unwrap(Effect.map(scratch, (folder) => ObjectStore.layerFolder(folder))),
              Layer.effect(Environment, env)
            )
          ),
          Layer.provideMerge(database),
          Layer.provide(Logger.layer([]))
        )
        const held = yield* Effect.gen(function* () {
          const db = yield* Db
          const web = yield* PoliteWeb
          const sources = yield* Sources
          yield* putOnRecord(...Object.keys(cities).map((kind) => place(kind)))
          for (const [kind, { typed }] of Object.entries(cities)) {
            const { found, unread } = yield* findSources(typed, web)
            assert.deepStrictEqual(
              found.map((one) => one.kind),
              [kind],
              JSON.stringify(unread)
            )
            const url = found[0]?.url ?? ""
            yield* sources.crawl(
              yield* sources.add({ kind: found[0]?.kind ?? "json", url, place: kind, everySeconds: 86_400 })
            )
          }
          const lanes = new Map(laneNames.map((lane) => [lane, 4]))
          yield* Effect.forkScoped(runWorker(yield* handlers, { jobs: 4, lanes }))
          yield* reached("everything that was found is done", isAtRest)
          // Where titles alone name the bodies, an operator says who they are.
          for (const [kind, { waiting }] of Object.entries(cities)) {
            const [source] = yield* db<{ id: string }>`select id from source where kind = ${kind}`
            if (waiting !== undefined) yield* sources.found(source?.id ?? "", waiting)
          }
          const held = db<{ place: string; id: string; minutes_url: string | null }>`
            select distinct on (p.slug) p.slug as place, m.id, m.minutes_url from meeting m
            join body_place bp on bp.body_id = m.body_id join place p on p.id = bp.place_id
            where m.status = 'held' and m.agenda_url is not null and m.video_url is not null
            order by p.slug, m.date desc`
          yield* reached(
            "every city has a meeting",
            Effect.map(held, (rows) => (rows.length === Object.keys(cities).length ? true : undefined))
          )
          yield* reached("everything is done", isAtRest)
          return yield* held
        }).pipe(Effect.scoped, Effect.provide(services))
        const service = Layer.fresh(serviceOf(TestSetup, fakeIdentity, undefined, undefined, database))
        yield* Effect.gen(function* () {
          const base = yield* serviceAddress
          const { credentials } = yield* reader()
          const got = (address: string) => ask(`${base}/api/meetings/${address}`, { headers: credentials.headers })
          for (const { place, id } of held) {
            const meeting = JSON.parse((yield* got(id)).text)
            assert.deepInclude(meeting.has, { video: true, transcript: true, agenda: true }, place)
            assert.strictEqual(meeting.duration, 24, place)
            assert.deepStrictEqual(
              meeting.agenda_items.map(({ number, title }: Record<string, string>) => `${number} ${title}`),
              cities[place]?.items,
              place
            )
            assert.match((yield* got(`${id}/transcript`)).text, /creek greenway/i, place)
            const { votes } = JSON.parse((yield* got(`${id}/votes`)).text)
            const published = votes.filter(({ from }: Record<string, string>) => from === "source")
            assert.lengthOf(published, cities[place]?.votes ?? 0, place)
          }
          // The list of Swagit's city links to no minutes.
          assert.deepStrictEqual(
            held.filter(({ minutes_url }) => minutes_url === null).map(({ place }) => place),
            ["swagit"]
          )
        }).pipe(Effect.provide(service), Effect.scoped)
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "Error")),
    180_000
  )
})
