import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { anonymous } from "../../schema/viewer.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { reader } from "../support/actors.ts"
import { measured } from "../support/measured.ts"
import { opened } from "../support/opened-page.ts"
import { putRecording } from "../support/put-recording.ts"
import { putRealRecord, realRecordIsThere } from "../support/real-record.ts"
import { TestRenderer } from "../support/rendering.ts"
import { serviceAddress, TestService } from "../support/service.ts"

/** The id of the one meeting of that title and day. */
const idOf = Effect.fnUntraced(function* (title: string, date: string) {
  const db = yield* Db
  const [row] = yield* db<{ id: string }>`
    select id from meeting where title like ${`${title}%`} and date = ${date} order by title limit 1`
  return MeetingId.make(row?.id ?? "")
})

/** The sessions of Seattle that were unpacked: one with a recording here, the other without. */
const recorded = ["Session of 9:30 AM", "2020-08-10"] as const
const long = ["Session of 2:00 PM", "2020-08-10"] as const

const record = Effect.gen(function* () {
  yield* putRealRecord
  yield* putRecording(yield* idOf(...recorded), 60)
})

const Service = Layer.effectDiscard(realRecordIsThere ? record : Effect.void).pipe(
  Layer.provideMerge(TestRenderer),
  Layer.provideMerge(TestService)
)

const patience = 300_000

layer(Service, { excludeTestServices: true, timeout: patience })("real records in Chromium", (it) => {
  it.effect(
    "figures",
    (test) =>
      Effect.gen(function* () {
        if (!realRecordIsThere) return test.skip("The real records are not here")
        const base = yield* serviceAddress
        const pathOf = Effect.fnUntraced(function* (title: string, date: string) {
          return (yield* Meetings.use((all) => Effect.flatMap(idOf(title, date), (id) => all.open(id, anonymous)))).path
        })
        const { token } = yield* reader()
        const open = {
          home: "/",
          browse: "/browse",
          search: "/browse?q=budget",
          place: "/in/knoxville",
          body: "/in/knoxville/city-council",
          york: "/in/new-york",
          places: "/places",
          upcoming: "/upcoming",
          about: "/about",
          developers: "/developers",
          reference: "/developers/reference",
          signin: "/signin",
          teaser: yield* pathOf(...recorded),
          teaserlong: yield* pathOf("City Council R 265 130521", "2013-05-21"),
          teaseryork: yield* pathOf("New York City Council", "2021-12-15")
        }
        const mine = {
          "with recording": open.teaser,
          without: yield* pathOf(...long),
          far: `${yield* pathOf("City Council R 265 130521", "2013-05-21")}?t=20000`,
          "far words": `${yield* pathOf("City Council R 265 130521", "2013-05-21")}?t=20000&q=budget`,
          "far seattle": `${yield* pathOf(...long)}?t=5000`,
          york: yield* pathOf("New York City Council", "2021-12-15"),
          account: "/account",
          email: "/account/email",
          follows: "/account/follows"
        }
        const { page } = yield* opened(test, `${base}/about`, { viewport: { width: 390, height: 844 } })
        yield* Effect.promise(async () => {
          const show = (name: string, m: Awaited<ReturnType<typeof measured>>) =>
            console.log(
              `${name.padEnd(16)} shift ${m.shift.toFixed(3)} requests ${m.requests.length} bytes ${m.bytes}\n${m.moved.map((x) => `    ${x.slice(0, 300)}`).join("\n")}`
            )
          for (const [name, at] of Object.entries(open)) show(name, await measured(page.context(), base + at))
          await page.context().addCookies([{ name: "cr_session", value: token, url: base }])
          for (const [name, at] of Object.entries(mine)) {
            const m = await measured(page.context(), base + at)
            show(name, m)
            if (name === "with recording") console.log(m.requests.join("\n"))
          }
        })
        assert.isTrue(true)
      }),
    patience
  )
})
