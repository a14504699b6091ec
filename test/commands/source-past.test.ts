import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { Sources } from "../../src/services/sources/sources.ts"
import { deployment } from "../record/importing.ts"
import { place, putOnRecord } from "../support/builders.ts"
import { cityServer } from "../support/city-server.ts"
import { apiEvent, eventsAnswer } from "../support/legistar-city.ts"
import { ranHere } from "../support/program.ts"

const ago = (days: number) => DateTime.formatIsoDate(DateTime.subtract(DateTime.nowUnsafe(), { days }))

describe("source crawl --from", () => {
  it.live("says what the past takes before it begins, and goes on where it stopped", () =>
    Effect.gen(function* () {
      const { on, env: plain } = yield* deployment
      const env = { ...plain, ALLOW_PRIVATE_SOURCES: "1" }
      const run = (...args: ReadonlyArray<string>) => ranHere(env, "source", ...args)
      const city = yield* cityServer()
      const council = [1, "City Council"] as const
      const filmed = { EventVideoPath: `${city.url}/film.mp4` }
      const events = [apiEvent(1, council, -20, filmed), apiEvent(2, council, -40), apiEvent(3, council, -60, filmed)]
      city.answers.set(
        "/v1/springfield/events",
        eventsAnswer(() => events)
      )
      const adding = { place: "springfield", everySeconds: 3600 }
      const address = `${city.url}/v1/springfield/events`
      const [id, feed] = yield* on(
        Effect.gen(function* () {
          yield* putOnRecord(place("springfield"))
          const { add } = yield* Sources
          return [
            yield* add({ ...adding, kind: "legistar", url: address }),
            yield* add({ ...adding, kind: "rss", url: `${city.url}/feed` })
          ] as const
        }).pipe(Effect.provide(Sources.layer))
      )
      const days = ["--from", ago(100), "--to", ago(1)]

      const estimated = yield* run("crawl", id, ...days)
      assert.strictEqual(estimated.code, 0, estimated.err)
      assert.include(estimated.out, "3 meetings, 2 with a recording, taken to last two hours each: 4 hours of talk")
      assert.include(estimated.out, "no price is set (prices.SpeechMicros)")
      assert.include(estimated.out, "Nothing was begun. Give --yes to begin")
      assert.notInclude((yield* run("show", id)).out, "The past:")

      yield* ranHere(env, "settings", "set", "prices.SpeechMicros", "6000")
      assert.include((yield* run("crawl", id, ...days)).out, "Speech: about $1.44 for 2 recordings without captions")
      assert.include((yield* run("crawl", id, ...days, "--yes")).out, "come on record, the newest first")
      assert.include((yield* run("show", id)).out, `${ago(100)} to ${ago(1)}, still to be listed up to ${ago(1)}`)
      // What was begun goes on without another yes.
      assert.include((yield* run("crawl", id, ...days)).out, "come on record, the newest first")

      for (const [args, why] of [
        [[feed, ...days], "lists only what is new: it has no past to be read."],
        [[id, "--to", ago(1)], "Give --from too"],
        [[id, "--from", ago(1), "--to", ago(2)], "The day of --from must not be after that of --to."],
        [[id, "--from", "2019-02-30"], "must be a day that exists"]
      ] as const) {
        const refused = yield* run("crawl", ...args)
        assert.strictEqual(refused.code, 1, why)
        assert.include(refused.err + refused.out, why)
      }
    }).pipe(Effect.scoped)
  )
})
