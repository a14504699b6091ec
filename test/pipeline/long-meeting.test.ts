import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { renditionKey } from "../../src/services/meetings/media-tier.ts"
import { ableModel, lineOf, linesOf } from "../support/able-model.ts"
import {
  agency,
  agendaItemId,
  meeting,
  meetingId,
  place,
  putMedia,
  putOnRecord,
  transcript
} from "../support/builders.ts"
import { makeMeeting, makingWith } from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"

const id = meetingId("long")

/** Four hours about one item, with a decision and two numbers in each, and much talk between. */
const talk = "and so we went on to speak about the many things that nobody will want to hear about again "
const hours = [1, 2, 3, 4].flatMap((hour) => [
  `in the part ${hour} I move to approve the contract ${hour}. All in favor? The motion carries.`,
  `the part ${hour} costs ${hour}20 thousand dollars in May`,
  `the part ${hour} costs ${hour}40 thousand dollars in June`,
  // The words of decision keep this talk from being left out of the excerpts about decisions.
  ...Array.from({ length: 80 }, (_, at) => `${at + 20} people spoke of the motion ${talk.repeat(3)}`)
])
const segments = hours.map((text, at) => ({ start: at * 40, end: at * 40 + 40, text }))

/** The hour in an excerpt, by its decision; undefined if it has none. */
const hourOf = (prompt: string) => /in the part (\d) I move/.exec(prompt)?.[1]

describe("a long meeting", () => {
  it.live(
    "is read to its end for its decisions, its figures and its clips",
    () =>
      Effect.gen(function* () {
        const model = yield* startModelServer
        model.plan(
          behaviours.byName({
            notes: (prompt) => {
              const [first] = linesOf(prompt)
              const quote = first?.text.split(" ").slice(0, 6).join(" ") ?? ""
              return {
                notes: [{ topic: "Contracts", text: "They spoke.", citations: [{ line: first?.line ?? 0, quote }] }]
              }
            },
            briefing: () => ({
              headline: "A long meeting",
              worth_watching: [],
              topics: [{ title: "Contracts", notes: [0] }]
            }),
            verdict: ableModel.verdict,
            recap: (prompt) => ({
              decisions: [...prompt.matchAll(/in the part (\d) I move/g)].map(([, hour]) => ({
                ...{ outcome: `Contract ${hour} was approved`, line: lineOf(prompt, `in the part ${hour}`) },
                quote: `I move to approve the contract ${hour} all in favor the motion carries`
              }))
            }),
            figures: (prompt) => ({
              figures: [...prompt.matchAll(/in the part (\d) I move/g)].map(([, hour]) => ({
                ...{ title: `Costs of part ${hour}`, form: "bar", axis: "Month", unit: "Dollars" },
                points: [
                  ["May", "20"],
                  ["June", "40"]
                ].map(([label = "", rest]) => ({
                  ...{ label, value: Number(`${hour}${rest}`) * 1000, line: lineOf(prompt, `${hour}${rest} thousand`) },
                  quote: `${hour}${rest} thousand dollars in ${label}`
                }))
              }))
            }),
            clips: (prompt) => {
              const from = lineOf(prompt, `in the part ${hourOf(prompt)} i move`)
              return { worth_it: from >= 0, title: "A vote", from: Math.max(0, from), to: Math.max(0, from) }
            }
          })
        )
        const env = twoModelsAt(model.url)
        yield* Effect.gen(function* () {
          const db = yield* Db
          const item = { id: agendaItemId("contracts"), title: "Contracts", start: 0 }
          yield* putOnRecord(
            place("springfield"),
            agency("council", ["springfield"]),
            meeting("long", "council", {
              agenda_items: [item],
              chapters: [{ title: "Contracts", start: 0, end: 13_000 }]
            }),
            transcript("long", segments)
          )
          yield* putMedia({ key: renditionKey(id), role: "rendition", duration: 13_280, width: 1280, height: 720 })
          yield* makeMeeting(id, "briefing")
          yield* makeMeeting(id, "clips")
          const [recap] = yield* db<{ decisions: ReadonlyArray<{ outcome: string }> }>`select decisions from recap`
          assert.deepStrictEqual(
            recap?.decisions.map(({ outcome }) => outcome),
            [1, 2, 3, 4].map((hour) => `Contract ${hour} was approved`)
          )
          const figures = yield* db<{ title: string }>`select title from figure order by title`
          assert.deepStrictEqual(
            figures.map(({ title }) => title),
            [1, 2, 3, 4].map((hour) => `Costs of part ${hour}`)
          )
          const clips = yield* db<{ start: number }>`select start::float8 as start from clip order by start`
          assert.deepStrictEqual(
            clips.map(({ start }) => start),
            [0, 1, 2, 3].map((hour) => hour * 83 * 40)
          )
        }).pipe(Effect.provide(makingWith(env)))
      }),
    300_000
  )
})
