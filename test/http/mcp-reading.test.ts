import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References, Schema, Tracer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { AccountExportDocument } from "../../schema/account-export.ts"
import { ReaderTokens } from "../../src/services/accounts/reader-tokens.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { bearer, grantTo, reader, session } from "../support/actors.ts"
import { agendaItemId, meeting, meetingId, putOnRecord, transcript } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { calling } from "../support/mcp-client.ts"
import { recordedSpans } from "../support/recorded-spans.ts"
import { serviceOf, TestSetup } from "../support/service.ts"

const { spans, tracer } = recordedSpans()
const lines: Array<unknown> = []
const observed = Layer.mergeAll(
  Layer.succeed(Tracer.Tracer, tracer),
  Layer.succeed(References.MinimumLogLevel, "Trace"),
  Logger.layer([
    Logger.make(({ cause, fiber, message }) => {
      lines.push([message, fiber.getRef(References.CurrentLogAnnotations), String(cause)])
    })
  ])
)

const id = meetingId("voted")

/** Two turns, the second with the time of each word; then one line every ten seconds. */
const timed = (start: number, text: string) =>
  text.split(" ").map((word, at) => ({ start: start + at, end: start + at + 0.5, text: word }))
const marsh = "I move the culvert bond as it stands in the packet"
const vale = "Nobody told the neighbors about the culvert"
const segments = [
  { start: 100, end: 112, speaker: "Ada Marsh", text: marsh, words: timed(100, marsh) },
  { start: 112, end: 120, speaker: "Robin Vale", text: vale, words: timed(112, vale) },
  ...Array.from({ length: 200 }, (_, at) => ({
    ...{ start: 200 + at * 10, end: 210 + at * 10 },
    text: `Line number ${at} of a long reading. ${"and so on ".repeat(40)}`.trim()
  }))
]

const world = Effect.gen(function* () {
  yield* fullRecord
  yield* putOnRecord(
    meeting("voted", "springfield-council", {
      title: "The culvert",
      agenda_items: [{ id: agendaItemId("bond"), title: "Culvert bond", description: "x".repeat(2000) }]
    }),
    transcript("voted", segments),
    {
      ...{ type: "recap", meeting_id: id, headline: "Bond passed", summary: "It passed." },
      decisions: [{ agenda_item: agendaItemId("bond"), outcome: "Passed", vote: "4-1, Marsh against", start: 115 }]
    }
  )
})

const header = "x-civic-record-token"
const made = Effect.fnUntraced(function* (email = "programs@example.org") {
  const { accountId, token: sessionToken } = yield* reader(email)
  const name = `Assistant ${crypto.randomUUID().slice(0, 8)}`
  return { accountId, sessionToken, name, token: yield* ReaderTokens.use((all) => all.make(accountId, name)) }
})

layer(Layer.provideMerge(Layer.effectDiscard(world), serviceOf(TestSetup, fakeIdentity, observed)), {
  excludeTestServices: true
})("read_meeting", (it) => {
  it.effect("tells an anonymous caller the teaser, and what the rest needs", () =>
    Effect.gen(function* () {
      const { told, text } = yield* calling("read_meeting", { id })
      assert.isTrue(told.gated)
      assert.notProperty(told, "recap")
      assert.notProperty(told, "links")
      assert.notProperty(told.agenda_items[0], "description")
      assert.match(text, /^The culvert, .* This is the teaser/)
      for (const asked of [{ from: 100 }, { q: "culvert" }]) {
        const refused = yield* calling("read_meeting", { id, ...asked })
        assert.isTrue(refused.isError)
        assert.strictEqual(refused.told.error, "sign_in_required")
        assert.match(refused.told.hint, /share_token.*\/account\/tokens.*X-Civic-Record-Token/)
      }
    })
  )

  it.effect("tells a reader's program decisions and votes, words by range, and quotes with second and speaker", () =>
    Effect.gen(function* () {
      const { token } = yield* made()
      const asked = (args: object) => calling("read_meeting", { id, ...args }, { [header]: token })
      const whole = yield* asked({})
      assert.isFalse(whole.told.gated)
      assert.deepStrictEqual(whole.told.recap.decisions, [
        { agenda_item: agendaItemId("bond"), outcome: "Passed", vote: "4-1, Marsh against", start: 115 }
      ])
      assert.lengthOf(whole.told.agenda_items[0].description, 601)
      assert.match(whole.text, /1 decision\.$/)

      const words = yield* asked({ from: 111, to: 205 })
      assert.deepStrictEqual(
        words.told.segments.map(({ start }: { start: number }) => start),
        [100, 112, 200]
      )
      assert.deepStrictEqual(words.told.segments[1], { start: 112, end: 120, speaker: "Robin Vale", text: vale })
      assert.match(words.told.url, /^http:\/\/record\.example\.gov\/in\//)
      assert.notInclude(words.text, "neighbors")

      const long = yield* asked({ from: 200, to: 1100 })
      assert.isBelow(JSON.stringify(long.told).length, 40_000)
      assert.match(long.text, new RegExp(`Go on with from = ${long.told.next_from}\\.$`))
      const rest = yield* asked({ from: long.told.next_from, to: 1100 })
      assert.strictEqual(rest.told.segments[0].start, long.told.next_from)

      const quotes = yield* asked({ q: "culvert" })
      assert.deepStrictEqual(
        quotes.told.quotes.map(({ start, speaker, text }: Record<string, unknown>) => ({ start, speaker, text })),
        [{ start: 103, speaker: "Ada Marsh", text: marsh }]
      )
      assert.match(quotes.told.quotes[0].url, /\?t=103$/)
      const phrase = yield* asked({ q: '"told the neighbors"' })
      assert.deepStrictEqual(
        phrase.told.quotes.map(({ start, speaker, text }: Record<string, unknown>) => ({ start, speaker, text })),
        [{ start: 113, speaker: "Robin Vale", text: vale }]
      )
      const none = yield* asked({ q: "zeppelin" })
      assert.deepStrictEqual(none.told.quotes, [])
      assert.match(none.text, /Nobody says these words/)
    })
  )

  it.effect("opens the meeting of a share token and no other, and does not redeem it", () =>
    Effect.gen(function* () {
      const grant = yield* grantTo(id)
      for (const share_token of [grant, `http://record.example.gov/in/springfield?st=${grant}`, ` ${grant}`]) {
        const { told } = yield* calling("read_meeting", { id, share_token, from: 100 })
        assert.strictEqual(told.segments[0].text, marsh)
      }
      const other = yield* calling("read_meeting", { id: meetingId("full"), share_token: grant })
      assert.strictEqual(other.told.error, "share_grant_other_meeting")
      const forged = yield* calling("read_meeting", { id, share_token: `${grant}x` })
      assert.strictEqual(forged.told.error, "share_grant_invalid")
      assert.notInclude(forged.text, grant)
      assert.strictEqual((yield* call("POST", "/api/share/redeem", undefined, { token: grant })).status, 200)
    })
  )

  it.effect("refuses a revoked, forged or foreign token, and notes the use of a good one", () =>
    Effect.gen(function* () {
      const { accountId, name, token, sessionToken } = yield* made("revoker@example.org")
      const one = Effect.map(
        ReaderTokens.use((all) => all.list(accountId)),
        (list) => list.find((each) => each.name === name)
      )
      assert.notProperty(yield* one, "last_used_at")
      assert.isFalse((yield* calling("read_meeting", { id }, { [header]: token })).told.gated)
      const used = yield* one
      assert.property(used, "last_used_at")
      yield* ReaderTokens.use((all) => all.revoke(accountId, used?.id ?? ""))
      const forged = `${token.slice(0, -1)}${token.endsWith("A") ? "E" : "A"}`
      for (const bad of [
        token,
        forged,
        sessionToken,
        "cr_agent_x",
        "'; drop table reader_token; --",
        "x".repeat(8000)
      ]) {
        const refused = yield* calling("read_meeting", { id }, { [header]: bad })
        assert.isTrue(refused.isError)
        assert.strictEqual(refused.told.error, "sign_in_required")
        assert.match(refused.told.message, /unknown or was revoked/)
        assert.notInclude(refused.text, bad)
      }
    })
  )

  it.effect("is the only door a reader's token opens, and no bearer token opens it", () =>
    Effect.gen(function* () {
      const { token } = yield* made("doors@example.org")
      for (const headers of [
        bearer(token).headers,
        { [header]: token },
        session(token).headers,
        { cookie: `cr_share=${token}` }
      ]) {
        const gated = yield* call("GET", `/api/meetings/${id}/transcript`, { headers, query: {} })
        assert.strictEqual(gated.status, 401, JSON.stringify(headers))
        assert.isNull(gated.headers.get("www-authenticate"))
        assert.strictEqual((yield* call("GET", "/api/me/account", { headers, query: {} })).status, 401)
        assert.strictEqual((yield* call("GET", "/api/agent/live", { headers, query: {} })).status, 401)
      }
      const { credentials } = yield* reader("doors@example.org")
      for (const headers of [bearer(token).headers, credentials.headers]) {
        assert.isTrue((yield* calling("read_meeting", { id }, headers)).told.gated)
      }
      const asked = { "access-control-request-method": "POST", "access-control-request-headers": header }
      const preflight = yield* call("OPTIONS", "/mcp", {
        headers: { origin: "https://a.example", ...asked },
        query: {}
      })
      assert.notInclude(preflight.headers.get("access-control-allow-headers")?.toLowerCase() ?? header, header)
      for (const probe of ["oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server"]) {
        assert.strictEqual((yield* call("GET", `/.well-known/${probe}`)).status, 404)
      }
    })
  )

  it.effect("refuses arguments that do not fit, by name and with the next step", () =>
    Effect.gen(function* () {
      const { token } = yield* made("arguments@example.org")
      for (const [args, message] of [
        [{ from: -1 }, /^from /],
        [{ from: "<script>" }, /^from /],
        [{ to: 10 }, /^to needs from/],
        [{ from: 10, to: 10 }, /^to must be after from/],
        [{ from: 0, to: 901 }, /^to must be after from, by at most 900/],
        [{ from: 0, q: "culvert" }, /^q does not go with from/],
        [{ q: "-culvert" }, /^q may hold only/],
        [{ q: 'speaker:"Ada Marsh" culvert' }, /^q may hold only/],
        [{ q: '"" -' }, /^q may hold only/],
        [{ q: "x".repeat(201) }, /^q /],
        [{ share_token: "x".repeat(2001) }, /^share_token /],
        [{ share_token: "a\u0000" }, /^share_token must not hold/],
        [{ token }, /^token is not a known field/]
      ] as const) {
        const { isError, told } = yield* calling("read_meeting", { id, ...args }, { [header]: token })
        assert.isTrue(isError, JSON.stringify(args))
        assert.strictEqual(told.error, "invalid_request", JSON.stringify(args))
        assert.match(told.message, message)
        assert.isAbove(told.hint.length, 10)
      }
      const missing = yield* calling("read_meeting", { id: meetingId("bare"), from: 0 }, { [header]: token })
      assert.strictEqual(missing.told.error, "not_found")
    })
  )

  it.effect("reads 300 times a minute for an account, with all its tokens together", () =>
    Effect.gen(function* () {
      const { accountId, token } = yield* made("busy@example.org")
      const second = yield* ReaderTokens.use((all) => all.make(accountId, "Second"))
      yield* Effect.replicateEffect(
        ReaderTokens.use((all) => all.ownerOf(token)),
        300,
        { discard: true }
      )
      const refused = yield* calling("read_meeting", { id }, { [header]: second })
      assert.strictEqual(refused.told.error, "rate_limited")
      assert.match(refused.told.hint, /Wait/)
    })
  )

  it.effect("leaves no token in a log or a trace, and no row once the account is deleted", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { accountId, sessionToken, token } = yield* made("leaving@example.org")
      const grant = yield* grantTo(id)
      yield* calling("read_meeting", { id, q: "culvert" }, { [header]: token })
      yield* calling("read_meeting", { id, share_token: grant })
      yield* calling("read_meeting", { id, share_token: `${grant}x` })
      yield* call("GET", `/api/meetings/${id}`, bearer(token))
      const exported = (yield* call("GET", "/api/me/export", session(sessionToken))).json()
      const [one, more] = Schema.decodeUnknownSync(AccountExportDocument)(exported).reader_tokens
      assert.hasAllKeys(one, ["name", "created_at", "last_used_at"])
      assert.isUndefined(more)
      assert.isTrue(spans.some(({ name }) => name === "POST /mcp"))
      assert.isTrue(spans.some(({ name }) => name === "ReaderTokens.ownerOf"))
      assert.isAbove(lines.length, 3)
      const told = JSON.stringify([lines, spans.map(({ name, attributes }) => [name, [...attributes]])])
      for (const secret of [token.slice("cr_reader_".length), grant]) assert.notInclude(told, secret)
      const [stored] = yield* db<{ rows: string }>`
        select json_agg(t)::text as rows from reader_token t where account_id = ${accountId}`
      assert.notInclude(stored?.rows ?? token, token.slice("cr_reader_".length))
      yield* call("DELETE", "/api/me/account", session(sessionToken))
      assert.deepStrictEqual(yield* db`select id from reader_token where account_id = ${accountId}`, [])
      const after = yield* calling("read_meeting", { id }, { [header]: token })
      assert.strictEqual(after.told.error, "sign_in_required")
    })
  )
})
