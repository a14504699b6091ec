import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References, Tracer } from "effect"
import ICAL from "ical.js"
import { Db } from "../../../layers/db/db.ts"
import { fakeIdentity } from "../../layers/fake-identity.ts"
import { reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { meetingId } from "../../support/builders.ts"
import { fullRecord } from "../../support/full-record.ts"
import { recordedSpans } from "../../support/recorded-spans.ts"
import { serviceAddress, serviceOf, TestSetup } from "../../support/service.ts"

const { spans, tracer } = recordedSpans()
const lines: Array<unknown> = []

const observed = Layer.mergeAll(
  Layer.succeed(Tracer.Tracer, tracer),
  Logger.layer([
    Logger.make(({ cause, fiber, message }) => {
      lines.push([message, fiber.getRef(References.CurrentLogAnnotations), String(cause)])
    })
  ])
)

const record = "http://record.example.gov"
const uidsIn = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((event) => event.getFirstPropertyValue("uid"))

/** A reader, and how they request what is theirs. */
const follower = Effect.gen(function* () {
  const { credentials, accountId } = yield* reader()
  const base = yield* serviceAddress
  const headers = { ...credentials.headers, "content-type": "application/json" }
  return {
    accountId,
    state: ask(`${base}/api/me/calendar`, { headers }),
    reset: Effect.map(ask(`${base}/api/me/calendar`, { method: "POST", headers }), ({ json }) =>
      String(json().url).replace(record, base)
    ),
    remove: ask(`${base}/api/me/calendar`, { method: "DELETE", headers }),
    follow: (agencies: ReadonlyArray<string>, places: ReadonlyArray<string>) =>
      ask(`${base}/api/me/follows`, { method: "PUT", headers, body: JSON.stringify({ agencies, places }) })
  }
})

layer(serviceOf(TestSetup, fakeIdentity, observed), { excludeTestServices: true })(
  "the calendar of an account",
  (it) => {
    it.effect("has the meetings of what it follows now, for anyone with the address, and is never cached", () =>
      Effect.gen(function* () {
        yield* fullRecord
        const own = yield* follower
        assert.deepStrictEqual((yield* own.state).json(), { active: false })
        const url = yield* own.reset
        assert.match(url, /\/calendar\/[\w-]{43}\.ics$/)
        assert.deepStrictEqual(uidsIn((yield* ask(url)).text), [])
        yield* own.follow(["old-council"], [])
        const { status, headers, text } = yield* ask(url)
        assert.strictEqual(status, 200)
        assert.include(uidsIn(text), `urn:uuid:${meetingId("next")}`)
        assert.strictEqual(headers.get("content-type"), "text/calendar; charset=utf-8")
        assert.strictEqual(headers.get("cache-control"), "private, no-store")
        assert.strictEqual(headers.get("x-robots-tag"), "noindex")
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
        assert.isNull(headers.get("etag"))
        assert.isNotNull(headers.get("ratelimit"))
        assert.notInclude(text, url.split("/").at(-1)?.slice(0, 43) ?? url)
        const { active, created_at, url: again } = (yield* own.state).json()
        assert.deepStrictEqual([active, again], [true, undefined])
        assert.isString(created_at)
      })
    )

    it.effect("is gone from an address that was reset or removed, which looks like one that never existed", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const own = yield* follower
        const first = yield* own.reset
        const second = yield* own.reset
        assert.strictEqual((yield* ask(second)).status, 200)
        assert.strictEqual((yield* own.remove).status, 204)
        assert.strictEqual((yield* own.remove).status, 404)
        const refusals = yield* Effect.forEach(
          [first, second, `${base}/calendar/${"A".repeat(43)}.ics`, `${base}/calendar/x.ics`],
          (url) => Effect.map(ask(url, { headers: { accept: "text/html" } }), ({ status, text }) => [status, text])
        )
        assert.strictEqual(refusals[0]?.[0], 404)
        for (const refusal of refusals) assert.deepStrictEqual(refusal, refusals[0])
      })
    )

    it.effect("has an address that is stored only as a hash, and that ends with its account", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const own = yield* follower
        const url = yield* own.reset
        const token = url.split("/").at(-1)?.slice(0, 43) ?? ""
        const rows = yield* db<{ row: string }>`select c::text as row from calendar_address c`
        assert.notInclude(JSON.stringify(rows), token)
        assert.notInclude(JSON.stringify(rows), Buffer.from(token).toString("hex"))
        yield* db`delete from account where id = ${own.accountId}`
        assert.strictEqual((yield* ask(url)).status, 404)
      })
    )

    it.effect("has an address that appears in no log, span or error, however it is spelled", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const url = yield* (yield* follower).reset
        const token = url.split("/").at(-1)?.slice(0, 43) ?? ""
        const spellings = [
          `/calendar/${token}.ics`,
          `/calendar/${token}.ics?x=1`,
          `/calendar/${token}`,
          `/Calendar/${token}.ics`,
          `/%63alendar/${token}.ics`,
          `/md/calendar/${token}.ics`,
          `//calendar/${token}.ics`,
          `/calender/${token}.ics`,
          `/calendar${token}.ics`,
          `/webcal/x/${token}.ics/`,
          `/api/drills/${token}/shedule`,
          `/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`
        ]
        const answers = yield* Effect.forEach(spellings, (path) => ask(base + path))
        answers.push(yield* ask(url, { method: "DELETE" }))
        for (const { text, status } of answers) if (status !== 200) assert.notInclude(text, token)
        assert.isAbove(lines.length, spellings.length)
        assert.isAbove(spans.length, 0)
        const told = JSON.stringify([lines, spans.map(({ name, attributes }) => [name, [...attributes]])])
        assert.notInclude(told, token)
        assert.include(told, "/calendar/…")
      })
    )
  }
)
