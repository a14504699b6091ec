import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import ICAL from "ical.js"
import type { Upcoming } from "../../schema/browse.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { TestService } from "../support/service.ts"

/** A day there, which is not always the day in UTC: `YYYY-MM-DD`, as Canada writes it. */
const there = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Chicago" })
const inDays = (days: number) => there.format(Date.now() + days * 86_400_000)

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  agency("schools", ["springfield"], { kind: "school_board" }),
  agency("parks", ["springfield"], { kind: "committee" }),
  meeting("off", "council", { date: inDays(2), status: "cancelled" }),
  meeting("on", "council", { date: inDays(3), status: "upcoming" }),
  meeting("schools", "schools", { date: inDays(4), status: "upcoming" }),
  meeting("parks", "parks", { date: inDays(5), status: "upcoming" })
)

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "upcoming meetings over HTTP",
  (it) => {
    const list = Effect.fnUntraced(function* (query = "") {
      const answer = yield* call("GET", `/api/upcoming?${query}`)
      assert.strictEqual(answer.status, 200, answer.text)
      const { bodies } = answer.json() as unknown as Upcoming
      return { bodies, slugs: bodies.map(({ body }) => body.slug), link: answer.headers.get("link") ?? "" }
    })

    it.effect("include cancelled ones, which say so, and their body's profile does not count them", () =>
      Effect.gen(function* () {
        const { bodies } = yield* list("follow_agency=council")
        assert.deepStrictEqual(
          bodies[0]?.meetings.map(({ id, status }) => [id, status]),
          [
            [meetingId("off"), "cancelled"],
            [meetingId("on"), "upcoming"]
          ]
        )
        const own = yield* call("GET", "/api/agencies/council/upcoming")
        assert.deepStrictEqual(own.json().meetings, bodies[0]?.meetings)
        assert.strictEqual((yield* call("GET", "/api/agencies/council")).json().upcoming, 1)
      })
    )

    it.effect("are a calendar too, by the same filters and without the bounds of a page", () =>
      Effect.gen(function* () {
        const uids = Effect.fnUntraced(function* (query: string) {
          const { status, text } = yield* call("GET", `/upcoming.ics?${query}`)
          assert.strictEqual(status, 200, text)
          const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent")
          return events.map((event) => String(event.getFirstPropertyValue("uid")).replace("urn:uuid:", ""))
        })
        const ids = (...names: ReadonlyArray<string>) => names.map((name) => meetingId(name))
        assert.deepStrictEqual(yield* uids("per_body=1&page=9"), ids("off", "on", "schools", "parks"))
        assert.deepStrictEqual(yield* uids("type=school_board&type[]=committee"), ids("schools", "parks"))
        assert.deepStrictEqual(yield* uids("within_days=3"), ids("off", "on"))
        assert.deepStrictEqual(yield* uids("follow_agency=schools"), ids("schools"))
        assert.deepStrictEqual(yield* uids("place_slug=springfield&type=committee"), ids("parks"))
        assert.deepStrictEqual(yield* uids("place_slug=atlantis"), [])
        const wrong = yield* call("GET", "/upcoming.ics?within_days=31")
        assert.deepStrictEqual([wrong.status, wrong.json().error], [400, "invalid_request"])
      })
    )

    it.effect("are filtered by kind of body, and paged by body", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* list()).slugs, ["council", "schools", "parks"])
        assert.deepStrictEqual((yield* list("type[]=school_board&type[]=committee")).slugs, ["schools", "parks"])
        const first = yield* list("page_size=2")
        assert.deepStrictEqual(first.slugs, ["council", "schools"])
        assert.include(first.link, 'page_size=2&page=2>; rel="next"')
        const last = yield* list("page_size=2&page=2")
        assert.deepStrictEqual(last.slugs, ["parks"])
        assert.notInclude(last.link, 'rel="next"')
        const past = yield* list("page_size=2&page=3")
        assert.deepStrictEqual(past.slugs, [])
        assert.include(past.link, 'page=2>; rel="prev"')
        assert.strictEqual((yield* call("GET", "/api/upcoming?page_size=501")).status, 400)
      })
    )
  }
)
