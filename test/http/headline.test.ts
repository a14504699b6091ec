import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { EditedNewsletter } from "../../schema/briefing.ts"
import type { BrowsePage } from "../../schema/browse.ts"
import type { MeetingTeaser } from "../../schema/meeting.ts"
import { reader } from "../support/actors.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { TestService } from "../support/service.ts"

const id = meetingId("long")
const path = `/in/springfield/council/2026-03-10-${id.slice(0, 8)}`
const shown = "Council funds the greenway after a debate"
const gated = "Quillfeather"
const long = `${shown} ${"about its cost and its course ".repeat(5)}and ${gated} objects`
const topic = `Greenway ${"and its many other sections ".repeat(6)}and ${gated}`

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  meeting("long", "council"),
  meeting("short", "council", { date: "2026-03-03" }),
  {
    type: "briefing",
    meeting_id: id,
    headline: long,
    worth_watching: [],
    topics: [{ title: topic, sentences: [{ text: "It is funded.", citations: [] }], figures: [] }],
    published_at: "2026-03-12T08:00:00Z"
  }
)

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "a headline longer than the teaser's",
  (it) => {
    it.effect("is shortened wherever anyone may read it", () =>
      Effect.gen(function* () {
        for (const target of [
          `/api/meetings/${id}`,
          "/api/meetings/browse",
          "/api/meetings/browse?group_by=agency",
          `/api/meetings/browse?q=${gated}`,
          path,
          `/md${path}`,
          "/",
          "/browse",
          "/browse.atom",
          "/in/springfield/council",
          "/in/springfield/council.atom",
          "/in/springfield/council.ics"
        ]) {
          const answer = yield* call("GET", target, undefined, undefined, {
            accept: target.startsWith("/api") ? "application/json" : "text/html"
          })
          assert.strictEqual(answer.status, 200, target)
          assert.notInclude(answer.text.replaceAll(`q=${gated}`, ""), `and ${gated}`, target)
        }
        const teaser = (yield* call("GET", `/api/meetings/${id}`)).json() as unknown as MeetingTeaser
        const { headline = "" } = teaser
        assert.strictEqual(headline, teaser.newsletter_teaser?.headline)
        assert.isTrue(headline.startsWith(shown) && headline.endsWith("…") && headline.length <= 140, headline)
        const found = (yield* call("GET", `/api/meetings/browse?q=${gated}`)).json() as unknown as BrowsePage
        assert.deepStrictEqual(found.meetings[0]?.matches, [{ field: "briefing", path }])
      })
    )

    it.effect("is whole in the briefing", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const newsletter = yield* call("GET", `/api/meetings/${id}/newsletter`, credentials)
        const { headline, topics } = newsletter.json() as unknown as EditedNewsletter
        assert.deepStrictEqual([headline, topics[0]?.title], [long, topic])
      })
    )
  }
)
