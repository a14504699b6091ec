import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Directory } from "../../../src/services/directory/directory.ts"
import { Upcoming } from "../../../src/services/directory/upcoming.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

/** In Chicago it is still the evening of March 9. */
const now = "2026-03-10T03:00:00Z"

const comes = (name: string, date: string, starts_at?: string) =>
  meeting(name, "east-peoria-council", {
    date,
    status: "upcoming",
    ...(starts_at === undefined ? {} : { starts_at })
  })

const days = Array.from({ length: 12 }, (_, at) => `2026-03-${at + 11}`)

const record = putOnRecord(
  place("east-peoria"),
  agency("east-peoria-council", ["east-peoria"], { retired_slugs: ["old-council"] }),
  comes("yesterday", "2026-03-08"),
  comes("over", "2026-03-09", "2026-03-09T20:59:00Z"),
  comes("under way", "2026-03-09", "2026-03-09T21:00:00Z"),
  comes("today", "2026-03-09"),
  ...days.map((day) => comes(day, day)),
  comes("last day", "2026-04-08"),
  comes("past the window", "2026-04-09"),
  meeting("cancelled", "east-peoria-council", { date: "2026-03-20", status: "cancelled" }),
  meeting("held", "east-peoria-council", { date: "2026-03-09" })
)

const TestLayer = Layer.effectDiscard(record).pipe(
  Layer.provideMerge(Upcoming.layer),
  Layer.provideMerge(Directory.layer),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

/** Runs an effect as if it were then. */
const then = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.andThen(TestClock.setTime(Date.parse(now)), effect).pipe(Effect.provide(TestClock.layer()))

layer(TestLayer, { excludeTestServices: true })("the upcoming meetings of a body", (it) => {
  it.effect(
    "are those of the next 30 days in its own time zone; its profile counts the cancelled ones separately",
    () =>
      Effect.gen(function* () {
        const { meetings } = yield* Upcoming.use((upcoming) => upcoming.ofAgency("old-council"))
        assert.deepStrictEqual(
          meetings.map(({ id }) => id),
          ["under way", "today", ...days.slice(0, 9), "cancelled", ...days.slice(9), "last day"].map(meetingId)
        )
        const profile = yield* Directory.use((directory) => directory.agency("old-council"))
        assert.deepStrictEqual([profile.upcoming, profile.cancelled], [meetings.length - 1, 1])
      }).pipe(then)
  )

  it.effect("begin the list of all bodies, with the requested number for each", () =>
    Effect.gen(function* () {
      const listed = (query: Parameters<Upcoming["Service"]["list"]>[0]) =>
        Effect.map(
          Upcoming.use((upcoming) => upcoming.list(query)),
          ({ list }) => list.bodies.map(({ meetings }) => meetings.map(({ id }) => id))
        )
      assert.deepStrictEqual(yield* listed({}), [["under way", "today", "2026-03-11"].map(meetingId)])
      assert.deepStrictEqual(yield* listed({ within_days: 1, per_body: 9 }), [["under way", "today"].map(meetingId)])
    }).pipe(then)
  )

  it.effect("are all in the calendar, page by page, with their number", () =>
    Effect.gen(function* () {
      const shown = (query: Parameters<Upcoming["Service"]["calendar"]>[0], offset: number, limit: number) =>
        Effect.map(
          Upcoming.use((upcoming) => upcoming.calendar(query, { offset, limit })),
          ({ meetings, ...counts }) => ({ ...counts, ids: meetings.map(({ id }) => id) })
        )
      const whole = yield* Upcoming.use((upcoming) => upcoming.ofAgency("old-council"))
      const ids = whole.meetings.map(({ id }) => id)
      const counts = { total: ids.length, cancelled: 1, withinDays: 30 }
      assert.deepStrictEqual(yield* shown({}, 0, 100), { ...counts, ids })
      assert.deepStrictEqual(yield* shown({}, 3, 4), { ...counts, ids: ids.slice(3, 7) })
      assert.deepStrictEqual(yield* shown({}, 100, 4), { ...counts, ids: [] })
      const none = { total: 0, cancelled: 0, withinDays: 2, ids: [] }
      assert.deepStrictEqual(yield* shown({ place_slug: "nowhere", within_days: 2 }, 0, 9), none)
    }).pipe(then)
  )
})
