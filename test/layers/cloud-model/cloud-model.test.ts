import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { CloudModel, ModelUsage } from "../../../layers/cloud-model/cloud-model.ts"
import { Environment, readEnvironment } from "../../../layers/config/config.ts"
import { ask, at, driven, failureOf, good, said, until } from "../../support/asking-model.ts"
import { behaviours, modelKey, startModelServer } from "../../support/model-server.ts"

describe("CloudModel, given good responses", () => {
  it.live("requests one object, strictly, and returns it with its cost", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(
        behaviours.answers({ start: 1.5, end: 9, title: null }, { prompt_tokens: 1000, completion_tokens: 50 })
      )
      const { exit, calls, spans, lines } = yield* at(
        server.endpoint,
        { prices: { inputPrice: 2, outputPrice: 10 } },
        ask
      )
      const usage = { inputTokens: 1000, outputTokens: 50 }
      assert.deepStrictEqual(exit, Exit.succeed({ value: { start: 1.5, end: 9 }, usage, model: "a-model" }))

      const [request, ...more] = server.requests
      assert.isEmpty(more)
      assert.strictEqual(request?.path, "/v1/chat/completions")
      assert.strictEqual(request?.headers.authorization, `Bearer ${modelKey}`)
      assert.notProperty(request?.headers, "traceparent")
      assert.notProperty(request?.headers, "b3")
      assert.deepInclude(request?.body, {
        model: "a-model",
        max_completion_tokens: 300,
        messages: [
          { role: "system", content: "Find the discussion." },
          { role: "user", content: said }
        ]
      })
      const { json_schema, type } = request?.body.response_format ?? {}
      assert.strictEqual(type, "json_schema")
      assert.deepInclude(json_schema, { name: "span", strict: true })
      assert.deepInclude(json_schema?.schema, {
        type: "object",
        additionalProperties: false,
        required: ["start", "end", "title"]
      })

      const [call] = calls
      assert.strictEqual(calls.length, 1)
      assert.deepInclude(call, { model: "a-model", purpose: "auto_clip", ...usage, outcome: "ok", cost: 0.0025 })
      assert.deepStrictEqual(spans, [
        { name: "CloudModel.generateObject", model: "a-model", purpose: "auto_clip", ...usage, outcome: "ok" }
      ])
      assert.isEmpty(lines)
    })
  )

  it.live("sends no Authorization if there is no key", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.answers({ start: 1, end: 2, title: "A" }))
      const { exit } = yield* at({ ...server.endpoint, key: Redacted.make("") }, {}, ask)
      assert.isTrue(Exit.isSuccess(exit))
      assert.notProperty(server.requests[0]?.headers, "authorization")
    })
  )

  it.live("reads an answer of up to 256 KB", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.padded(good, 256 * 1024))
      assert.isTrue(Exit.isSuccess((yield* at(server.endpoint, {}, ask)).exit))
    })
  )

  it.live("counts no tokens if the server reports them badly", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.answers({ start: 1, end: 2, title: null }, { prompt_tokens: -3, completion_tokens: "7" }))
      const { exit, calls } = yield* at(server.endpoint, {}, ask)
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepInclude(calls[0], { inputTokens: 0, outputTokens: 0 })
      assert.notProperty(calls[0], "cost")
    })
  )

  it.live("retries after a transient failure", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.status(500), behaviours.cutsOff, behaviours.answers(good))
      const { exit, calls } = yield* at(server.endpoint, {}, ask)
      assert.isTrue(Exit.isSuccess(exit))
      assert.strictEqual(server.requests.length, 3)
      assert.strictEqual(calls.length, 1)
    })
  )
})

describe("CloudModel, given bad responses", () => {
  it.live.each([
    ["a status 500 for ever", behaviours.status(500), "network", 3],
    ["a connection that breaks off", behaviours.cutsOff, "network", 3],
    ["a status 429 for ever", behaviours.status(429), "rate_limited", 3],
    ["a wait longer than we have", behaviours.status(429, { "retry-after": "86400" }), "rate_limited", 1],
    ["a server that is closed until later", behaviours.status(503, { "retry-after": "86400" }), "rate_limited", 1],
    ["a status 400", behaviours.status(400), "declined", 1],
    ["a wrong key", behaviours.status(401), "refused", 1],
    ["a status 404", behaviours.status(404), "refused", 1],
    ["a model that declines", behaviours.declines("I will not."), "declined", 1],
    ["a content filter", behaviours.says(null, "content_filter"), "declined", 1],
    ["an answer cut short", behaviours.says('{"start":1', "length"), "bad_answer", 1],
    ["no words", behaviours.says(null), "bad_answer", 1],
    ["words instead of JSON", behaviours.says("It starts at noon, zoning."), "bad_answer", 1],
    ["JSON that is no object", behaviours.answers([1, 2]), "bad_answer", 1],
    ["JSON outside the schema", behaviours.answers({ start: "zoning", end: 2, title: null }), "bad_answer", 1],
    ["a number out of range", behaviours.answers({ start: 1, end: 2_000_000, title: null }), "bad_answer", 1],
    ["a number without end", behaviours.says('{"start":0,"end":1e999,"title":null}'), "bad_answer", 1],
    ["a body that is not JSON", behaviours.raw("<html>502</html>"), "bad_answer", 1],
    ["a body of another shape", behaviours.raw('{"choices":[]}'), "bad_answer", 1],
    ["no body", behaviours.raw(""), "bad_answer", 1],
    ["a good answer in too long a body", behaviours.padded(good, 256 * 1024 + 1), "bad_answer", 1],
    ["a body without end", behaviours.endless(200), "bad_answer", 1]
  ] as const)("fails with the reason after %s", ([, behaviour, reason, requests]) =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviour)
      const { exit, calls, spans, lines } = yield* at(server.endpoint, {}, ask)
      assert.strictEqual(failureOf(exit)?.reason, reason)
      assert.isNotEmpty(failureOf(exit)?.message)
      assert.strictEqual(server.requests.length, requests)
      assert.deepStrictEqual([calls.length, calls[0]?.outcome], [1, reason])
      assert.deepStrictEqual([spans.length, spans[0]?.name], [1, "CloudModel.generateObject"])
      assert.deepInclude(spans[0], { outcome: reason })
      assert.strictEqual(lines.length, 1)
      assert.include(JSON.parse(lines[0] ?? "{}"), { level: "WARN", purpose: "auto_clip", reason })
    })
  )

  it.live("counts the tokens of an unusable response", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(
        behaviours.status(500),
        behaviours.answers({ start: -1 }, { prompt_tokens: 12, completion_tokens: 3 })
      )
      const { calls } = yield* at(server.endpoint, {}, ask)
      assert.deepInclude(calls[0], { outcome: "bad_answer", inputTokens: 12, outputTokens: 3 })
    })
  )

  it.live("does not wait for a server that is silent, or stalls, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.silent, behaviours.stalls)
      const { exit, calls } = yield* at(server.endpoint, { tryTimeout: "100 millis" }, ask)
      assert.strictEqual(failureOf(exit)?.reason, "timeout")
      assert.strictEqual(calls[0]?.outcome, "timeout")
      assert.strictEqual(server.requests.length, 3)
      yield* until(() => server.abandoned() === 3)
    })
  )

  it.live("gives up when all tries together take too long", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      const { exit } = yield* at(server.endpoint, { callTimeout: "100 millis" }, ask)
      assert.strictEqual(failureOf(exit)?.reason, "timeout")
      assert.strictEqual(server.requests.length, 1)
    })
  )

  it.live("closes bodies without end, those of errors too", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      for (const [status, reason] of [
        [400, "declined"],
        [200, "bad_answer"]
      ] as const) {
        server.plan(behaviours.endless(status))
        const { exit } = yield* at(server.endpoint, {}, ask)
        assert.strictEqual(failureOf(exit)?.reason, reason)
      }
      yield* until(() => server.abandoned() === 2)
    })
  )

  it.live("reports a server that does not listen", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* Effect.scoped(startModelServer)
      const { exit } = yield* at(endpoint, {}, ask)
      assert.strictEqual(failureOf(exit)?.reason, "network")
    })
  )

  it.live("reports a key that cannot be sent at all", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      const { exit } = yield* at({ ...server.endpoint, key: Redacted.make(`${modelKey}\nx`) }, {}, ask)
      assert.strictEqual(failureOf(exit)?.reason, "network")
      assert.isEmpty(server.requests)
    })
  )

  it.live("does not follow a redirect, which would take the key and the words elsewhere", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      const elsewhere = yield* startModelServer
      elsewhere.plan(behaviours.answers(good))
      for (const status of [301, 302, 307, 308]) {
        server.plan(behaviours.status(status, { location: `${elsewhere.url}/chat/completions` }))
        const { exit } = yield* at(server.endpoint, {}, ask)
        assert.strictEqual(failureOf(exit)?.reason, "refused")
      }
      assert.strictEqual(server.requests.length, 4)
      assert.isEmpty(elsewhere.requests)
    })
  )

  it.live("stops when its caller goes away, and records that in the accounts", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      const { calls } = yield* at(
        server.endpoint,
        {},
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(ask)
          yield* until(() => server.requests.length === 1)
          yield* Fiber.interrupt(fiber)
        })
      )
      assert.deepStrictEqual(
        calls.map(({ outcome }) => outcome),
        ["stopped"]
      )
      yield* until(() => server.abandoned() === 1)
    })
  )

  it.live("returns the response even if recording it fails", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.answers(good))
      const { value } = yield* ask.pipe(
        Effect.provide(CloudModel.layerEndpoint(server.endpoint)),
        Effect.provideService(ModelUsage, { begin: () => Effect.die("the database is away") }),
        Effect.provide(Logger.layer([]))
      )
      assert.deepStrictEqual(value, { start: 1, end: 2 })
    })
  )
})

describe("CloudModel and time", () => {
  it.effect("waits for as long as the server says", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.status(429, { "retry-after": "3600" }), behaviours.answers(good))
      const { exit, calls } = yield* driven(at(server.endpoint, {}, ask), "10 seconds")
      assert.isTrue(Exit.isSuccess(exit))
      assert.strictEqual(server.requests.length, 2)
      assert.isAtLeast(calls[0]?.durationMs ?? 0, 3_600_000)
    })
  )

  it.effect("leaves a server alone after 5 failures in a row, then lets one attempt decide", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.status(500))
      const reason = driven(Effect.flip(ask), "1 millis").pipe(Effect.map((failure) => failure.reason))
      const { exit } = yield* at(
        server.endpoint,
        { openDuration: "30 seconds" },
        Effect.gen(function* () {
          assert.strictEqual(yield* reason, "network")
          assert.strictEqual(server.requests.length, 3)
          assert.strictEqual(yield* reason, "circuit_open")
          assert.strictEqual(server.requests.length, 5)
          for (let call = 0; call < 10; call++) assert.strictEqual(yield* reason, "circuit_open")
          assert.strictEqual(server.requests.length, 5)

          yield* TestClock.adjust("30 seconds")
          assert.strictEqual(yield* reason, "circuit_open")
          assert.strictEqual(server.requests.length, 6)
          assert.strictEqual(yield* reason, "circuit_open")
          assert.strictEqual(server.requests.length, 6)

          yield* TestClock.adjust("30 seconds")
          server.plan(behaviours.answers(good))
          for (let call = 0; call < 3; call++) yield* driven(ask, "1 millis")
          assert.strictEqual(server.requests.length, 9)
        })
      )
      assert.isTrue(Exit.isSuccess(exit), String(exit))
    })
  )

  it.effect("does not count refusals as failures", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.status(401))
      yield* at(server.endpoint, {}, Effect.replicateEffect(Effect.flip(ask), 8))
      assert.strictEqual(server.requests.length, 8)
    })
  )
})

describe("CloudModel by settings", () => {
  const by = Effect.fnUntraced(function* (variables: NodeJS.ProcessEnv) {
    const setup = Layer.succeed(Environment, yield* readEnvironment(variables))
    return CloudModel.layer.pipe(Layer.provide(setup))
  })

  it.live("uses the configured model", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.answers(good))
      const layer = yield* by({ CLOUD_MODEL_URL: `${server.url}/`, CLOUD_MODEL_KEY: modelKey, CLOUD_MODEL_NAME: "m-1" })
      const { model } = yield* Effect.provide(ask, layer)
      assert.strictEqual(model, "m-1")
      assert.strictEqual(server.requests[0]?.body.model, "m-1")
    })
  )

  it.effect("is not configured without one", () =>
    Effect.gen(function* () {
      const { isConfigured } = yield* CloudModel
      assert.isFalse(isConfigured)
      assert.strictEqual((yield* Effect.flip(ask)).reason, "not_configured")
    }).pipe(Effect.provide(Layer.unwrap(by({}))))
  )

  it.live("keeps the query of the address", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.answers(good))
      yield* at({ ...server.endpoint, url: `${server.url}?api-version=1` }, {}, ask)
      assert.strictEqual(server.requests[0]?.path, "/v1/chat/completions?api-version=1")
    })
  )
})
