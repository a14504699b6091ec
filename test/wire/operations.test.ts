import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiSchema, OpenApi } from "effect/http-api"
import { ErrorBody } from "../../schema/errors.ts"
import { Api } from "../../src/api/api.ts"
import { agendaKey, posterKey } from "../../src/services/media-tier.ts"
import { ask, begin } from "../http/asked.ts"
import { type Credentials, grantTo, nobody, reader } from "../support/actors.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const id = meetingId("full")

/** How an operation is called; a GET by nobody where it says nothing. */
interface Call {
  readonly path: string
  readonly who?: Credentials
  readonly method?: string
  readonly body?: unknown
  /** Only the beginning of the answer is read: it has no end. */
  readonly streams?: boolean
}

interface Calls {
  readonly good: Call
  /** What a good call is answered with, 200 where it says nothing. */
  readonly status?: number
  /** A call that is refused: every operation has one, be it only by its method. */
  readonly bad: Call & { readonly answer: readonly [status: number, error: string] }
}

const open = (good: string, bad: string, status: number, error: string): Calls => ({
  good: { path: good },
  bad: { path: bad, answer: [status, error] }
})

const onlyGet = (path: string): Calls => ({
  good: { path },
  bad: { path, method: "DELETE", answer: [405, "method_not_allowed"] }
})

const gated = (part: string, who: Credentials): Calls => ({
  good: { path: `/api/meetings/${id}/${part}`, who },
  bad: { path: `/api/meetings/${id}/${part}`, answer: [401, "sign_in_required"] }
})

const ofMeeting = (part: string): Calls =>
  open(`/api/meetings/${id}/${part}`, `/api/meetings/${meetingId("none")}/${part}`, 404, "not_found")

const callsOf = (who: Credentials, grant: string): Readonly<Record<string, Calls>> => ({
  getHealth: onlyGet("/health"),
  getReadiness: onlyGet("/health/ready"),
  getVersion: onlyGet("/version"),
  getApiVersion: onlyGet("/api/version"),
  getIndex: onlyGet("/api"),
  getMeeting: open(`/api/meetings/${id}`, "/api/meetings/nothing-like-it", 404, "not_found"),
  browseMeetings: open(
    "/api/meetings/browse?q=greenway&state=IL&county=Sangamon+County&city=Springfield&type=city_council&agency=old-council&year=2026&agency_slug=springfield-council&place_slug=springfield&follow_agency=springfield-council&follow_place=springfield&page=1&page_size=5&group_by=agency&per_group=2",
    "/api/meetings/browse?page=0",
    400,
    "invalid_request"
  ),
  listAgencies: onlyGet("/api/agencies"),
  getAgency: open("/api/agencies/old-council", "/api/agencies/none", 404, "not_found"),
  listUpcomingOfAgency: open(
    "/api/agencies/springfield-council/upcoming",
    "/api/agencies/none/upcoming",
    404,
    "not_found"
  ),
  getAgencyAt: open("/api/in/springfield/council", "/api/in/springfield/parks-board", 409, "ambiguous_body"),
  listPlaces: onlyGet("/api/places"),
  getPlace: open("/api/places/springfield", "/api/places/atlantis", 404, "not_found"),
  searchLocations: open(
    "/api/search/locations?q=sprngfield",
    `/api/search/locations?q=${"x".repeat(201)}`,
    400,
    "invalid_request"
  ),
  matchGeo: open("/api/geo?city=Springfield&region=Illinois", "/api/geo?city=Springfield", 400, "invalid_request"),
  suggestGeo: open("/api/search/geo?q=spring&session=a", "/api/search/geo", 400, "invalid_request"),
  resolveGeo: open(
    "/api/search/geo/resolve?place_id=zip:62701",
    "/api/search/geo/resolve?place_id=zip:00000",
    404,
    "not_found"
  ),
  listUpcoming: open("/api/upcoming?place_slug=springfield", "/api/upcoming?within_days=31", 400, "invalid_request"),
  getTranscript: gated("transcript", who),
  getNewsletter: gated("newsletter", who),
  getClaims: gated("claims", who),
  getRecap: gated("recap", who),
  getGraphics: gated("graphics", who),
  getVideo: gated("video", who),
  getAgendaCopy: gated("agenda", who),
  getAgendaSummary: ofMeeting("agenda-summary"),
  getClips: ofMeeting("clips"),
  getCommunityClips: ofMeeting("community-clips"),
  getMedia: open(`/api/media/${posterKey(id)}`, `/api/media/${agendaKey(id)}`, 403, "signature_required"),
  mintShareGrant: gated("share", who),
  recordShare: {
    good: { path: "/api/share/record", who, method: "POST", body: { meeting_id: id, channel: "sms" } },
    status: 204,
    bad: {
      path: "/api/share/record",
      who,
      method: "POST",
      body: { meeting_id: id, channel: "pigeon" },
      answer: [400, "invalid_request"]
    }
  },
  redeemShare: {
    good: { path: "/api/share/redeem", method: "POST", body: { token: grant } },
    bad: {
      path: "/api/share/redeem",
      method: "POST",
      body: { token: `${grant}x` },
      answer: [401, "share_grant_invalid"]
    }
  },
  streamMeetings: {
    good: { path: "/api/meetings/stream", streams: true },
    bad: { path: "/api/meetings/stream?since=yesterday", answer: [400, "invalid_request"] }
  },
  streamMeetingEvents: {
    good: { path: `/api/events?meeting_id=${id}`, who, streams: true },
    bad: { path: "/api/events", who, answer: [400, "invalid_request"] }
  }
})

const send = Effect.fnUntraced(function* (call: Call) {
  const { path, who = nobody, method = "GET", body, streams } = call
  const url = new URL(path, yield* serviceAddress)
  for (const [name, value] of Object.entries(who.query)) url.searchParams.set(name, value)
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { "content-type": "application/json" }
  const init = { method, headers: { ...who.headers, ...type }, ...json }
  return yield* streams ? begin(url.href, init) : ask(url.href, init)
})

const answers = new Map<string, Schema.Top>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, successes }) => {
    const [declared] = successes.get(200) ?? []
    if (declared === undefined) return
    const id = Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => "")
    answers.set(id, HttpApiSchema.isWithHeaders(declared) ? declared.schema : declared)
  }
})

const decodes = (schema: Schema.Top, value: unknown) =>
  Schema.decodeUnknownEffect(schema as Schema.Codec<unknown, unknown>, { onExcessProperty: "error" })(value)

const hasNull = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).some(hasNull))

const run = promisify(execFile)
const bin = (name: string) => path.join(import.meta.dirname, "../../node_modules/.bin", name)

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "every operation of the served document",
  (it) => {
    it.effect("answers a good call by its own schema, and a bad one in the error shape", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const calls = callsOf((yield* reader()).credentials, yield* grantTo(id))
        const document = (yield* ask(`${base}/openapi.json`)).json() as unknown as OpenApi.OpenAPISpec
        const ids = Object.values(document.paths).flatMap(({ get, put, post, patch, delete: remove }) =>
          [get, put, post, patch, remove].flatMap((operation) => operation?.operationId ?? [])
        )
        assert.deepStrictEqual(Object.keys(calls).sort(), ids.sort())
        for (const [id, { good, status: expected = 200, bad }] of Object.entries(calls)) {
          const answer = yield* send(good)
          assert.strictEqual(answer.status, expected, `${id}: ${answer.text}`)
          const schema = answers.get(id)
          if (schema !== undefined && !good.streams) {
            yield* decodes(schema, answer.json())
            assert.isFalse(hasNull(answer.json()), id)
          } else if (good.streams) {
            assert.strictEqual(answer.headers.get("content-type"), "text/event-stream", id)
            assert.strictEqual(answer.text, "retry: 3000\n\n", id)
          } else {
            assert.include(["getMedia", "recordShare"], id)
          }
          const refusal = yield* send(bad)
          const [status, error] = bad.answer
          assert.strictEqual(refusal.status, status, `${id}: ${refusal.text}`)
          const body = yield* Schema.decodeUnknownEffect(ErrorBody, { onExcessProperty: "error" })(refusal.json())
          assert.strictEqual(body.error, error, id)
          assert.strictEqual(refusal.headers.get("cache-control"), "no-store", id)
        }
      })
    )

    it.effect("says what the record holds", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const teaser = (yield* ask(`${base}/api/meetings/${id}`)).json()
        assert.include(teaser, { gated: true, title: "Regular Meeting", state: "IL" })
        assert.notInclude(JSON.stringify(teaser), "Bonds")
        const slug = String(teaser.slug)
        for (const ref of [slug, slug.slice(0, 8), slug.slice(0, -3), slug.toUpperCase()]) {
          assert.strictEqual((yield* ask(`${base}/api/meetings/${ref}`)).json().id, teaser.id, ref)
        }
        assert.strictEqual((yield* ask(`${base}/api/meetings/${slug.slice(0, 7)}`)).status, 404)
        const found = yield* ask(`${base}/api/meetings/browse?q=sentence`)
        assert.notInclude(found.text, "Sentence number")
        const upcoming = (yield* ask(`${base}/api/upcoming`)).json() as {
          bodies: ReadonlyArray<{ meetings: ReadonlyArray<unknown> }>
        }
        assert.strictEqual(upcoming.bodies[0]?.meetings.length, 1)
      })
    )

    it.effect("pass the recommended rules of redocly and spectral", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { text } = yield* ask(`${base}/openapi.json`)
        yield* Effect.acquireUseRelease(
          Effect.sync(() => mkdtempSync(path.join(tmpdir(), "civic-record-openapi-"))),
          (folder) =>
            Effect.promise(async () => {
              const file = path.join(folder, "openapi.json")
              const ruleset = path.join(folder, "ruleset.json")
              writeFileSync(file, text)
              writeFileSync(ruleset, JSON.stringify({ extends: ["spectral:oas"] }))
              const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
              await run(bin("redocly"), ["lint", "--extends=recommended", file], { env, cwd: folder })
              await run(bin("spectral"), ["lint", "--ruleset", ruleset, file], { env, cwd: folder })
            }),
          (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
        )
      })
    )
  }
)
