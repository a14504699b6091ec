import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CloudModel } from "../../layers/cloud-model/cloud-model.ts"
import { Db } from "../../layers/db/db.ts"
import { ModelAccounts } from "../../src/services/making/model-accounts.ts"
import { renditionKey } from "../../src/services/meetings/media-tier.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { fakeCloudModel } from "../layers/fake-cloud-model.ts"
import { nobody, reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { meeting, meetingId, putMedia, putOnRecord, said, transcript } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { behaviours, modelKey, startModelServer } from "../support/model-server.ts"
import { serviceAddress, testServiceWith } from "../support/service.ts"

const id = meetingId("full")

/** A new account for each request, so that none reaches another's limit. */
let readers = 0
const suggest = Effect.fnUntraced(function* (
  body: object,
  who?: { readonly headers: Readonly<Record<string, string>> }
) {
  const { headers } = who ?? (yield* reader(`asker-${++readers}@example.org`)).credentials
  return yield* ask(`${yield* serviceAddress}/api/user-clips/auto`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ meeting_id: id, ...body })
  })
})

const model = fakeCloudModel({ answer: { start: 97, end: 131, title: "The <b>greenway</b> vote" } })

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), testServiceWith(model.layer)), { excludeTestServices: true })(
  "the automatic span",
  (it) => {
    it.effect("is the model's, within the limits and where somebody begins or ends speaking; no clip is made", () =>
      Effect.gen(function* () {
        const answer = yield* suggest({ start: 102 })
        assert.deepStrictEqual(answer.json(), { meeting_id: id, start: 95, end: 130, title: "The greenway vote" })
        assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
        const [asked] = model.asked
        assert.include(asked, { name: "span", purpose: "auto_clip" })
        assert.match(asked?.prompt ?? "", /<transcript-[0-9a-f]{32}>/)
        assert.include(asked?.prompt, "[100-105] Sentence number 20,")
        const db = yield* Db
        assert.deepStrictEqual(yield* db`select from user_clip`, [])
      })
    )

    it.effect("is refused as the contract says, and the model is called only where it is needed", () =>
      Effect.gen(function* () {
        const silent = meetingId("silent")
        yield* putOnRecord(meeting("silent", "springfield-council"), transcript("silent", said(["Only at the start."])))
        yield* putMedia({ key: renditionKey(silent), role: "rendition", duration: 1000 })
        const before = model.asked.length
        const rows: ReadonlyArray<readonly [body: object, status: number, error: string]> = [
          [{ meeting_id: meetingId("none"), start: 0 }, 404, "not_found"],
          [{ meeting_id: meetingId("bare"), start: 0 }, 409, "transcript_missing"],
          [{ start: 496 }, 409, "recording_too_short"],
          [{ start: 1e9 }, 409, "recording_too_short"],
          [{ meeting_id: silent, start: 500 }, 409, "span_not_found"],
          [{ start: -1 }, 400, "invalid_request"],
          [{}, 400, "invalid_request"]
        ]
        for (const [body, status, error] of rows) {
          const answer = yield* suggest(body)
          assert.deepStrictEqual([answer.status, answer.json().error], [status, error], JSON.stringify(body))
        }
        assert.strictEqual((yield* suggest({ start: 10 }, nobody)).json().error, "sign_in_required")
        const settings = yield* Settings
        yield* settings.set("pipeline.AutoClips", false)
        const disabled = yield* suggest({ start: 102 })
        assert.deepStrictEqual([disabled.status, disabled.json().error], [503, "auto_clips_disabled"])
        yield* settings.set("pipeline.AutoClips", true)
        assert.strictEqual(model.asked.length, before)
        model.answers({ answer: { start: 0, end: 0 } })
        assert.strictEqual((yield* suggest({ start: 102 })).json().error, "span_not_found")
        model.answers({ unavailable: "timeout" })
        const away = yield* suggest({ start: 102 })
        assert.deepStrictEqual([away.status, away.json().error], [503, "cloud_model_unavailable"])
        assert.strictEqual(model.asked.length, before + 2)
        model.answers({ answer: { start: 97, end: 131 } })
      })
    )

    it.effect("can be requested 10 times a minute and account, counted separately", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("often@example.org")
        for (let left = 9; left >= 0; left--) {
          const answer = yield* suggest({ start: 102 }, credentials)
          assert.strictEqual(answer.status, 200)
          assert.strictEqual(answer.headers.get("ratelimit-policy"), '"auto-clip";q=10;w=60')
          assert.match(answer.headers.get("ratelimit") ?? "", new RegExp(`^"auto-clip";r=${left};t=`))
        }
        const refused = yield* suggest({ start: 102 }, credentials)
        assert.deepStrictEqual([refused.status, refused.json().error], [429, "rate_limited"])
        assert.include(String(refused.json().message), "account")
        assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
        const { credentials: another } = yield* reader("seldom@example.org")
        assert.strictEqual((yield* suggest({ start: 102 }, another)).status, 200)
      })
    )
  }
)

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), testServiceWith(CloudModel.layerNone)), {
  excludeTestServices: true
})("without a model", (it) => {
  it.effect("the automatic span is refused", () =>
    Effect.gen(function* () {
      const answer = yield* suggest({ start: 102 })
      assert.deepStrictEqual([answer.status, answer.json().error], [503, "cloud_model_unavailable"])
    })
  )
})

describe("the automatic span from a model over HTTP", () => {
  it.live("is found or refused whatever the model's server does, and every call is recorded", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      const cloudModel = CloudModel.layerEndpoint(server.endpoint, {
        tryTimeout: "4 seconds",
        callTimeout: "5 seconds",
        pause: "5 millis",
        openDuration: "1 millis"
      }).pipe(Layer.provide(ModelAccounts))
      yield* Effect.gen(function* () {
        server.plan(behaviours.answers({ start: 97, end: 131, title: "Greenway" }))
        const found = yield* suggest({ start: 102 })
        assert.deepStrictEqual(found.json(), { meeting_id: id, start: 95, end: 130, title: "Greenway" })
        for (const [name, behaviour] of Object.entries({
          unavailable: behaviours.status(500),
          refusing: behaviours.status(401),
          nonsense: behaviours.raw("<html>"),
          "no JSON": behaviours.says("Sure! It starts at 97."),
          "other fields": behaviours.answers({ from: 97, to: "late" }),
          declining: behaviours.declines("I cannot help with that."),
          silent: behaviours.silent,
          "cut off": behaviours.cutsOff
        })) {
          server.plan(behaviour)
          const refused = yield* suggest({ start: 102 })
          assert.deepStrictEqual([refused.status, refused.json().error], [503, "cloud_model_unavailable"], name)
          for (const secret of [modelKey, server.url, "97"]) assert.notInclude(refused.text, secret, name)
        }
        const db = yield* Db
        const calls = yield* db<{ outcome: string }>`
          select model, purpose, outcome, input_tokens, output_tokens from model_usage order by id`
        const [first] = calls
        assert.deepEqual(first as object, {
          model: "a-model",
          purpose: "auto_clip",
          outcome: "ok",
          input_tokens: 40,
          output_tokens: 7
        })
        assert.strictEqual(calls.length, 9)
        assert.isFalse(calls.slice(1).some(({ outcome }) => outcome === "ok"))
      }).pipe(Effect.provide(Layer.provideMerge(Layer.effectDiscard(fullRecord), testServiceWith(cloudModel))))
    })
  )
})
