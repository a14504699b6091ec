import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { Mailer } from "../../layers/mailer.ts"
import { EmailPrefs } from "../../src/services/accounts/email-prefs.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { Digests } from "../../src/services/mail/digests.ts"
import { segmentsFrom } from "../../src/services/meetings/packed-segments.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { ableModel, greenwayAgenda, greenwaySpoken } from "../support/able-model.ts"
import { reader } from "../support/actors.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { makeMeeting, makingWith, putAgenda, putSource, spokenEvenly } from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"
import { readOutbox } from "../support/outbox.ts"
import { TestSigner } from "../support/service.ts"
import { startSpeechServer } from "../support/speech-server.ts"

const id = meetingId("one")

const words = greenwaySpoken.flatMap((line, at) => spokenEvenly(line, 0.4, at * 8))

const directory = [place("springfield"), agency("council", ["springfield"])]

const seeded = Effect.gen(function* () {
  yield* putOnRecord(...directory, meeting("one", "council", { status: "upcoming" }))
  yield* putSource(id, 66)
  yield* putAgenda(id, greenwayAgenda)
})

const Post = Digests.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Mailer.layer, EmailPrefs.layer, Sessions.layer)),
  Layer.provide([SearchIndex.none, TestSigner])
)

/** An account that wants a recap of each meeting of the council. */
const follower = Effect.gen(function* () {
  const db = yield* Db
  const { accountId } = yield* reader("follower@example.org")
  yield* EmailPrefs.use(({ update }) => update(accountId, { recaps: "each" }))
  yield* db`insert into followed_body (account_id, body_id) select ${accountId}, id from body`
})

describe("the making of a meeting", () => {
  it.live(
    "goes from a recording and an agenda to a published meeting with every part, and a mailed recap",
    () =>
      Effect.gen(function* () {
        const [speech, model] = [yield* startSpeechServer(words), yield* startModelServer]
        model.plan(behaviours.byName(ableModel))
        yield* Effect.gen(function* () {
          const db = yield* Db
          yield* seeded
          yield* follower
          yield* Settings.use((settings) => settings.set("pipeline.ClaimCheck", false))
          assert.deepStrictEqual(new Set(Object.values(yield* makeMeeting(id))), new Set(["done"]))

          assert.deepStrictEqual(yield* db`select status from meeting`, [{ status: "held" }])
          const chapters = yield* db`
            select title, start::int as start, "end"::int as "end" from chapter order by position`
          assert.deepStrictEqual(chapters, [
            { title: "Call to order", start: 0, end: 8 },
            { title: "Ordinance 2026-14: creek greenway", start: 8, end: 56 },
            { title: "Adjournment", start: 56, end: 66 }
          ])
          const [refined] = yield* db<{ segments: Uint8Array }>`
            select segments from transcript where version = 'refined'`
          const segments = yield* segmentsFrom(refined?.segments ?? new Uint8Array())
          const first = segments[1]
          assert.strictEqual(first?.text, "Item two is the ordinance about the creek greenway.")
          // The chair is an office; nobody ever said the other name.
          assert.deepStrictEqual(new Set(segments.map(({ speaker }) => speaker)), new Set(["Chair", undefined]))
          assert.deepStrictEqual(
            segments.flatMap((segment) => segment.words?.map(({ start }) => start)),
            words.map(({ start }) => Math.round(start * 1000) / 1000)
          )
          const [briefing] = yield* db<{
            written: {
              topics: ReadonlyArray<{
                figures: ReadonlyArray<string>
                sentences: ReadonlyArray<{ citations: ReadonlyArray<{ start: number; end: number }> }>
              }>
            }
          }>`select written from briefing`
          const topic = briefing?.written.topics[0]
          // "two hundred forty thousand dollars in the first year" begins at the fourth word of the third line.
          assert.deepStrictEqual(topic?.sentences[0]?.citations, [{ start: 17.2, end: 20.72 }])
          const figures = yield* db<{ id: string; alt: string; key: string; width: number }>`
            select f.id, f.alt, d.key, d.width from figure f join media d on d.subject = f.id`
          assert.deepStrictEqual(
            topic?.figures,
            figures.map((figure) => figure.id)
          )
          assert.strictEqual(
            figures[0]?.alt,
            "Bar chart of dollars by year. First year, 240,000; Second year, 300,000."
          )
          assert.strictEqual(figures[0]?.width, 1200)
          const clips = yield* db`select title, start::float8 as start, "end"::float8 as "end", state from clip`
          assert.deepStrictEqual(clips, [
            { title: "Council votes on the greenway", start: 16, end: 52.72, state: "proposal" }
          ])
          assert.lengthOf(yield* db`select from flow where kind = 'clip' and clip_id is not null`, 1)
          const [recap] = yield* db<{ decisions: ReadonlyArray<{ vote?: string }> }>`select decisions from recap`
          assert.deepStrictEqual(
            recap?.decisions.map(({ vote }) => vote),
            ["7-0"]
          )

          const made = yield* db<{
            part: string
            generator: string
          }>`select part, generator from made_part order by part`
          assert.deepStrictEqual(
            made.map(({ part }) => part),
            [
              "agenda",
              "agenda_summary",
              "briefing",
              "chapters",
              "clips",
              "figures",
              "raw_transcript",
              "recap",
              "transcript"
            ]
          )
          assert.include(
            made.map(({ generator }) => generator),
            "civic-record briefing-1 (a-model)"
          )
          const unaccounted = yield* db`select from model_usage where task_id is null or meeting_id is null`
          assert.lengthOf(unaccounted, 0)
          assert.lengthOf(yield* db`select from model_usage`, model.requests.length + speech.requests.length)
          assert.lengthOf(yield* db`select from stage_piece`, 0)

          // Spoken words reach the model only between tags that it cannot guess or close.
          for (const { body } of model.requests) {
            const [system = "", prompt = ""] = body.messages.map(({ content }) => content)
            assert.notInclude(system, "mayor")
            assert.notInclude(prompt, "</transcript>")
            if (!prompt.toLowerCase().includes("ignore your instructions")) continue
            const [tag = "none"] = /(?:transcript|evidence)-[0-9a-f]{32}/.exec(prompt) ?? []
            assert.include(system, `<${tag}>`)
            assert.match(prompt, new RegExp(`ignore your instructions[^<]*</${tag}>`, "is"))
          }

          const sent = yield* Digests.use(({ plan, deliver }) => Effect.andThen(plan, deliver))
          assert.strictEqual(sent, 1)
          const { dataDir } = yield* Environment
          const [mail] = yield* Effect.promise(() => readOutbox(path.join(dataDir, "outbox")))
          assert.include(mail?.text ?? "", "Council approves a greenway for 240,000 dollars")

          // Repeated from the middle, it gives the same results, which replace the earlier ones.
          assert.deepStrictEqual(
            new Set(Object.values(yield* makeMeeting(id, "chapters"))),
            new Set(["done", "skipped: there is nothing to mail: no recap that is published, or it was mailed before"])
          )
          assert.lengthOf(yield* db`select from clip`, 1)
          assert.lengthOf(yield* db`select from figure`, 1)
        }).pipe(
          Effect.provide(
            Layer.provideMerge(
              Post,
              makingWith({
                ...{ SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-speech-model" },
                ...twoModelsAt(model.url)
              })
            )
          )
        )
      }),
    300_000
  )

  it.live(
    "completes without any model: the agenda's items and the published captions are on record, and each stage says what it lacks",
    () =>
      Effect.gen(function* () {
        const db = yield* Db
        yield* seeded
        yield* putOnRecord(
          transcript(
            "one",
            said(["Item 2 is the creek greenway.", "I live at 1420 Maple Street.", "We are adjourned."]),
            { version: "raw" }
          )
        )
        const noModel = "skipped: no language model is configured (CLOUD_MODEL_URL)"
        assert.deepStrictEqual(yield* makeMeeting(id), {
          ...{ fetch: "done", render: "done", verify: "done", publish: "done" },
          transcribe: "skipped: the meeting has a transcript, such as published captions",
          ...{ refine: noModel, agenda: noModel, chapters: noModel, briefing: noModel },
          clips: "skipped: nothing that is said about an item of the agenda is worth a clip",
          figures: "skipped: the meeting has no briefing that was made here",
          recap: "skipped: no sentence of a briefing is supported, and no decision is known",
          mail: "skipped: there is nothing to mail: no recap that is published, or it was mailed before"
        })
        assert.deepStrictEqual(yield* db`select status from meeting`, [{ status: "held" }])
        const items = yield* db`select number, title, start::int as start from agenda_item order by position`
        assert.deepStrictEqual(items, [
          { number: "1", title: "Call to order", start: null },
          { number: "2", title: "Ordinance 2026-14: creek greenway", start: 0 },
          { number: "3", title: "Adjournment", start: null }
        ])
        // The version that may be published is the refined one, without anybody's home.
        const versions = yield* db<{ version: string; withheld: boolean; segments: Uint8Array }>`
          select version, withheld, segments from transcript order by version`
        assert.deepStrictEqual(
          yield* Effect.forEach(versions, ({ version, withheld, segments }) =>
            Effect.map(segmentsFrom(segments), (said) => ({ version, withheld, text: said[1]?.text }))
          ),
          [
            { version: "raw", withheld: true, text: "I live at 1420 Maple Street." },
            { version: "refined", withheld: false, text: "I live at [address removed]." }
          ]
        )
        const [found] = yield* db`select from meeting_search where document @@ to_tsquery('public.civic', 'adjourned')`
        assert.isDefined(found)
      }).pipe(Effect.provide(makingWith({}))),
    300_000
  )
})
