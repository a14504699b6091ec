import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, Schema } from "effect"
import { parse } from "yaml"
import { Db } from "../../../layers/db/db.ts"
import { HealthRoutes } from "../../../src/http/operator/health.ts"
import { MetricsRoute } from "../../../src/http/operator/metrics.ts"
import { OperatorServer } from "../../../src/http/operator/server.ts"
import { fakeIdentity } from "../../layers/fake-identity.ts"
import { ask } from "../../support/asked.ts"
import { serviceAddress, serviceOf, setupOf } from "../../support/service.ts"

/** The address on which the operators' listener says that it listens. */
let operators = ""
const listensToLog = Logger.layer([
  Logger.make(({ message }) => {
    operators = /^Operators are answered at (\S+)$/.exec(String(message))?.[1] ?? operators
  })
])

const setup = setupOf({
  BASE_URL: "http://record.example.gov",
  PORT: "0",
  OPERATOR_PORT: "0",
  PUBLIC_READ_LIMIT: "4"
})

const Both = OperatorServer(Layer.mergeAll(HealthRoutes, MetricsRoute)).pipe(
  Layer.provideMerge(serviceOf(setup, fakeIdentity)),
  Layer.provide(listensToLog),
  // A registry of its own: other tests count in this process too.
  Layer.provide(Layer.succeed(Metric.MetricRegistry, new Map()))
)

const docs = path.join(import.meta.dirname, "../../../docs/operations")
const alertsText = readFileSync(path.join(docs, "alerts.yml"), "utf8")
const dashboardText = readFileSync(path.join(docs, "dashboard.json"), "utf8")

const Rules = Schema.Struct({
  groups: Schema.NonEmptyArray(
    Schema.Struct({
      name: Schema.String,
      rules: Schema.NonEmptyArray(
        Schema.Struct({
          alert: Schema.NonEmptyString,
          expr: Schema.NonEmptyString,
          for: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d+[smh]$/))),
          labels: Schema.Struct({ severity: Schema.Literals(["page", "ticket"]) }),
          annotations: Schema.Struct({ summary: Schema.NonEmptyString, action: Schema.NonEmptyString })
        })
      )
    })
  )
})
const Dashboard = Schema.Struct({
  panels: Schema.NonEmptyArray(
    Schema.Struct({
      title: Schema.NonEmptyString,
      targets: Schema.NonEmptyArray(Schema.Struct({ expr: Schema.String }))
    })
  )
})

/**
 * The metrics that an expression names; `up` is Prometheus's own, and only a deployment with a replica has the state of
 * one.
 */
const metricsIn = (expression: string): ReadonlyArray<string> =>
  (expression.match(/\b(civic_record|process|nodejs)_[a-z0-9_]+/g) ?? []).filter(
    (name) => !name.startsWith("civic_record_replica_")
  )

layer(Both)("the operators' listener", (it) => {
  it.effect("shows the public listener's activity and the database's figures, to operators alone", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const db = yield* Db
      yield* db`insert into worker (id, host, pid, build, stages, jobs) values
        ('00000000-0000-4000-8000-000000000001', 'lab', 1, 'test', '{clip}', 1)`
      yield* db`insert into worker (id, host, pid, build, stages, jobs, seen_at) values
        ('00000000-0000-4000-8000-000000000002', 'lab', 2, 'test', '{clip}', 1, now() - interval '1 hour')`
      yield* db`with f as (insert into flow (kind) values ('crawl') returning id)
        insert into task (flow_id, stage, lane, state, due_at)
        select f.id, 'crawl', 'web', 'waiting', now() - interval '2 hours' from f`
      yield* db`with m as (insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms, cost)
        values (now(), 'm1', 'auto_clip', 'ok', 10, 20, 30, 0.5)) select 1`
      for (const target of ["/api/meetings/browse?q=creek", "/api/places", "/api/places/nowhere", "/no/such/page"]) {
        yield* ask(base + target)
      }
      assert.strictEqual((yield* ask(`${base}/api/places`)).status, 200)
      assert.strictEqual((yield* ask(`${base}/api/places`)).status, 429)

      const { status, headers, text } = yield* ask(`${operators}/metrics`)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      const lines = text.split("\n")
      const duration = "civic_record_http_request_duration_seconds"
      assert.include(lines, `${duration}_count{method="GET",route="/api/places",status="200"} 2`)
      assert.include(lines, `${duration}_count{method="GET",route="/api/places",status="429"} 1`)
      assert.include(lines, `${duration}_count{method="any",route="none",status="404"} 1`)
      assert.include(lines, 'civic_record_rate_limit_refusals_total{policy="public-read"} 1')
      assert.include(lines, "civic_record_search_duration_seconds_count 1")
      assert.include(lines, 'civic_record_workers{state="alive"} 1')
      assert.include(lines, 'civic_record_workers{state="silent"} 1')
      assert.include(lines, 'civic_record_tasks{stage="crawl",lane="web",state="waiting"} 1')
      assert.include(lines, "civic_record_tasks_unserved 1")
      assert.include(lines, 'civic_record_model_cost_last_day{model="m1",purpose="auto_clip",outcome="ok"} 0.5')
      assert.match(text, /^civic_record_task_overdue_seconds\{stage="crawl",lane="web"\} 72\d\d\.?\d*$/m)
      for (const [, name] of text.matchAll(/^# TYPE (\S+) /gm))
        assert.match(text, new RegExp(`^# HELP ${name} \\S`, "m"))
      for (const target of ["/metrics", "/api/metrics"]) assert.strictEqual((yield* ask(base + target)).status, 404)
    })
  )

  it.effect("exposes every metric that the dashboard and the alerts name", () =>
    Effect.gen(function* () {
      const { groups } = yield* Schema.decodeUnknownEffect(Rules)(parse(alertsText))
      const { panels } = yield* Schema.decodeUnknownEffect(Dashboard)(JSON.parse(dashboardText))
      const rules = groups.flatMap((group) => group.rules)
      assert.lengthOf(new Set(rules.map(({ alert }) => alert)), rules.length)
      const named = [...rules, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) => metricsIn(expr))
      assert.isAbove(named.length, 40)
      yield* Effect.flatMap(Db, (db) => db`select 1`)
      const { text } = yield* ask(`${operators}/metrics`)
      const exposed = new Set(text.split("\n").map((line) => line.split(/[{ ]/, 1)[0]))
      // Metrics without data in this test are not shown, such as media by role.
      exposed.add("civic_record_media_bytes")
      assert.deepStrictEqual(
        named.filter((name) => !exposed.has(name)),
        []
      )
    })
  )

  it.effect("tells health as the public listener does", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const target of ["/health", "/health/ready"]) {
        const [here, there] = [yield* ask(operators + target), yield* ask(base + target)]
        assert.deepStrictEqual([here.status, here.json()], [200, there.json()])
      }
    })
  )

  it.effect("refuses a page of another site, and a name that is not this machine's", () =>
    Effect.gen(function* () {
      const foreign = yield* ask(`${operators}/metrics`, { headers: { origin: "https://evil.example" } })
      assert.deepStrictEqual([foreign.status, foreign.json().error], [403, "cross_origin"])
      const missing = yield* ask(`${operators}/nothing`)
      assert.deepStrictEqual([missing.status, missing.json().error], [404, "not_found"])
      const wrong = yield* ask(`${operators}/metrics`, { method: "POST", headers: { origin: operators } })
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
    })
  )
})
