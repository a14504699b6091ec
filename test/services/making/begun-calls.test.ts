import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { CloudModel } from "../../../layers/cloud-model/cloud-model.ts"
import { Db } from "../../../layers/db/db.ts"
import { spentToday } from "../../../src/services/making/costs.ts"
import { ModelAccounts } from "../../../src/services/making/model-accounts.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import { ask, good } from "../../support/asking-model.ts"
import { TestDb } from "../../support/database.ts"
import { behaviours, startModelServer } from "../../support/model-server.ts"
import { eventually } from "../../support/rendering.ts"

it.live("a call is on the accounts from its beginning, so that a killed process has paid for it", () =>
  Effect.gen(function* () {
    const db = yield* Db
    const settings = yield* Settings
    yield* settings.set("prices.InputMicros", 1_000_000)
    yield* settings.set("prices.OutputMicros", 1_000_000)
    const server = yield* startModelServer
    const model = Effect.provide(ask, Layer.provide(CloudModel.layerEndpoint(server.endpoint), ModelAccounts))
    const rows = db<{ outcome: string; input_tokens: number; output_tokens: number; cost: number }>`
      select outcome, input_tokens, output_tokens, cost::float8 as cost from model_usage order by id`
    server.plan(behaviours.silent)
    const call = yield* Effect.forkChild(model)
    const [begun] = yield* eventually(Effect.map(rows, (found) => (found.length > 0 ? found : undefined)))
    assert.strictEqual(begun?.outcome, "begun")
    assert.isAbove(begun?.cost ?? 0, 0)
    // Under way, it does not count; that long ago, its process was killed.
    assert.strictEqual(yield* spentToday(db), 0)
    yield* db`update model_usage set at = at - interval '21 minutes'`
    const isToday =
      (yield* db`select from model_usage where at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'`)
        .length > 0
    if (isToday) assert.isAbove(yield* spentToday(db), 0)
    yield* Fiber.interrupt(call)
    assert.deepInclude((yield* rows)[0], { outcome: "stopped", output_tokens: 0 })

    server.plan(behaviours.answers(good))
    yield* model
    const [, done] = yield* rows
    assert.deepInclude(done, { outcome: "ok", input_tokens: 40, output_tokens: 7 })
  }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(Settings.layer, TestDb)))
)
