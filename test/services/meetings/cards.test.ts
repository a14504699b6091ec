import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { cardsOf } from "../../../src/services/meetings/cards.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

layer(TestDb)("a meeting's card", (it) => {
  it.effect(
    "says where the meeting takes place, how to join it and where its agenda is, and omits unknown fields",
    () =>
      Effect.gen(function* () {
        const details = {
          location: "Council Chambers, 12 Mill Street",
          join_url: "https://zoom.us/j/1",
          agenda_url: "https://springfield.example/agenda.pdf"
        }
        yield* putOnRecord(
          place("springfield"),
          agency("council", ["springfield"]),
          meeting("known", "council", details),
          meeting("unknown", "council")
        )
        const [known, unknown] = yield* cardsOf(
          yield* Db,
          [meetingId("known"), meetingId("unknown")],
          "https://record.example.gov"
        )
        assert.deepInclude(known, details)
        for (const field of Object.keys(details)) assert.notProperty(unknown, field)
      })
  )
})
