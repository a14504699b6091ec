import { Layer } from "effect"
import { embeddingModel } from "../../layers/cloud-model/embedding-model.ts"
import { ModelAccounts } from "../../src/services/making/model-accounts.ts"
import { Browse } from "../../src/services/search/browse.ts"
import { ByMeaningLive } from "../../src/services/search/meaning/by-meaning.ts"
import { Embeddings } from "../../src/services/search/meaning/embeddings.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord } from "./builders.ts"
import { setupOf } from "./service.ts"

/** A meeting with these items. */
export const meetingAbout = (name: string, titles: ReadonlyArray<string>, body = "council") =>
  meeting(name, body, {
    agenda_items: titles.map((title, at) => ({ id: agendaItemId(`${name} ${at}`), title, start: 60 * (at + 1) }))
  })

const others = ["paving of Elm Street", "a lease of copiers", "the library roof", "bus shelters", "sale of bonds"]

/** Meetings that say in other words what is asked for; of `works` only what its readers see. */
export const meantRecord = putOnRecord(
  place("marlow"),
  agency("council", ["marlow"]),
  agency("board", ["marlow"], { kind: "school_board" }),
  meetingAbout("dogs", ["A leash rule for canine owners in the meadow", "Roll call"]),
  meetingAbout("rent", ["Protection of tenants against evictions"]),
  meetingAbout("school", ["Puppies visiting the meadow"], "board"),
  meetingAbout("works", ["Approval of the minutes"]),
  ...others.map((title) => meetingAbout(title, [`Discussion about ${title}`])),
  {
    type: "briefing",
    meeting_id: meetingId("works"),
    headline: "Crews replaced valves downtown",
    worth_watching: [],
    topics: [
      {
        title: "The aqueduct",
        sentences: [{ text: "The aqueduct millage passed.", citations: [{ start: 95, end: 99 }] }],
        figures: []
      }
    ],
    published_at: "2026-03-12T08:00:00Z"
  },
  {
    type: "recap",
    meeting_id: meetingId("works"),
    headline: "Valves",
    summary: "Valves were replaced.",
    decisions: [{ outcome: "Hiring of a landlord ombudsman passed", start: 120 }]
  }
)

/** The job that embeds, with its calls recorded, and a search that compares, at these settings. */
export const meaningWith = (env: Readonly<Record<string, string>>) =>
  Layer.mergeAll(
    Embeddings.layer.pipe(
      Layer.provide(embeddingModel({ pause: "1 millis", tryTimeout: "2 seconds" }).pipe(Layer.provide(ModelAccounts)))
    ),
    Browse.layer.pipe(Layer.provide([SearchIndex.none, ByMeaningLive]))
  ).pipe(Layer.provide(setupOf(env)))
