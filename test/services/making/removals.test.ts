import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { Db } from "../../../layers/db/db.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { refineStage } from "../../../src/pipeline/stages/refine/refine.ts"
import { exportEntities } from "../../../src/record/export.ts"
import { MeetingRemoval } from "../../../src/services/feed/meeting-removal.ts"
import { Operator } from "../../../src/services/history.ts"
import { Removals } from "../../../src/services/making/removals.ts"
import { Transcripts } from "../../../src/services/meetings/transcripts.ts"
import { Retention } from "../../../src/services/operators/retention.ts"
import type { ClaimedTask } from "../../../src/services/queue/tasks.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import { wordsOf } from "../../../src/text/redact/taken.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { makingWith } from "../../support/making.ts"

const id = meetingId("council")
const ids = "00000000-0000-4000-8000-00000000000"
const task: ClaimedTask = {
  ...{ id: `${ids}1`, claim: `${ids}2`, worker: `${ids}3`, flow: `${ids}4`, stage: "refine", attempts: 1 },
  ...{ meetingId: id, userClipId: null, clipId: null, sourceId: null, traceparent: null },
  ...{ modelAway: 0, modelUnusable: 0, modelWaited: 0 }
}

const Here = Layer.mergeAll(Removals.layer, Transcripts.layer, MeetingRemoval.layer, Settings.layer).pipe(
  Layer.provideMerge(makingWith({}))
)

/** A line of words of half a second each, from a second on. */
const spoken = (text: string, start: number): Segment => {
  const words = text.split(" ").map((word, at) => ({ start: start + at / 2, end: start + at / 2 + 0.4, text: word }))
  return { start, end: start + words.length / 2, text, words }
}

const address = "Good evening. I live at 2214 Maple Street, near the park."
const phone = "My cell is 217-555-0142, and José Núñez lives by me."

const refined = (...segments: ReadonlyArray<Segment>) =>
  Effect.gen(function* () {
    yield* putOnRecord(transcript("council", segments, { version: "raw" }))
    const db = yield* Db
    const { work } = yield* refineStage
    yield* db.withTransaction(yield* work(task, () => Effect.void))
  }).pipe(Effect.scoped)

const onRecord = Effect.gen(function* () {
  const db = yield* Db
  yield* putOnRecord(place("larkmoor"), agency("council", ["larkmoor"]), meeting("council", "council"))
  yield* db`insert into flow (id, kind, meeting_id) values (${task.flow}, 'meeting', ${id})`
  yield* db`
    insert into task (id, flow_id, stage, lane, state) values (${task.id}, ${task.flow}, 'refine', 'model', 'waiting')`
})

const read = (raw = false) =>
  Transcripts.use(({ read }) => read(id, { raw, words: true, format: "json", coding: "identity" })).pipe(
    Effect.map(({ bytes, etag }) => ({ ...JSON.parse(new TextDecoder().decode(bytes)), etag }))
  )
const linesOf = Effect.map(read(), ({ segments }) => segments.map(({ text }: Segment) => text))
const list = Effect.map(
  Removals.use(({ list }) => list({ meeting: id }, 1)),
  ({ removals }) => removals
)
const states = Effect.map(list, (all) =>
  all.map(({ state, kind, kept }) => [state, kind, kept === null ? null : wordsOf(kept)])
)
const passages = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db<{ text: string }>`select text from passage where meeting_id = ${id} order by position`
  return rows.map(({ text }) => text).join(" ")
})
const restore = (removal: string) => Removals.use(({ restore }) => restore(removal))
const takeOut = (second: number, words: string, kind: "home" | "other" = "home") =>
  Removals.use(({ takeOut }) => takeOut(id, { kind, second, words }))

describe("what is taken out of a transcript", () => {
  it.effect("is a row with its words, place and time, and readers are told how many there are", () =>
    Effect.gen(function* () {
      yield* onRecord
      yield* refined(spoken(address, 0), spoken(phone, 10))
      const [home, cell] = yield* list
      assert.deepInclude(home, { kind: "home", state: "removed", start: 2.5, end: 3.9, meeting_id: id })
      assert.match(home?.rule ?? "", /^[a-z-]+$/)
      assert.deepStrictEqual(home?.parts, [{ segment: 0, from: 24, to: 41 }])
      assert.strictEqual(home?.kept?.before, "Good evening. I live at ")
      assert.strictEqual(cell?.kind, "phone")
      assert.deepStrictEqual((yield* read()).removals, [
        { kind: "home", count: 1 },
        { kind: "phone", count: 1 }
      ])
    }).pipe(Effect.provide(Here))
  )

  it.effect("is put back with the times of its words, and then stays there when the meeting is refined again", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* onRecord
      yield* refined(spoken(address, 0), spoken(phone, 10))
      const { etag } = yield* read()
      const [home, cell] = yield* list
      assert.isTrue((yield* restore(home?.id ?? "").pipe(Effect.provideService(Operator, "ann@example.gov"))).changed)
      const now = yield* read()
      assert.deepStrictEqual(now.segments[0], spoken(address, 0))
      assert.deepStrictEqual(now.removals, [{ kind: "phone", count: 1 }])
      assert.notStrictEqual(now.etag, etag)
      assert.include(yield* passages, "2214 Maple Street")
      // The other is still out, and the raw transcript has its words.
      assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
      // A second operator is told so.
      assert.isFalse((yield* restore(home?.id ?? "")).changed)
      const history = yield* db<{ text: string }>`
        select operator || ' ' || action || ' ' || detail::text as text from operator_action`
      assert.lengthOf(history, 1)
      assert.match(history[0]?.text ?? "", /^ann@example\.gov removal\.restore /)
      assert.notInclude(history[0]?.text, "Maple")

      // Recognized a little differently, and later.
      yield* refined(spoken("Well.", 0), spoken(address, 4), spoken(phone, 14))
      assert.strictEqual((yield* linesOf)[1], address)
      const [again] = yield* list
      assert.deepInclude(again, { id: home?.id ?? "", state: "restored", decided_by: "ann@example.gov" })

      yield* restore(cell?.id ?? "")
      assert.deepStrictEqual((yield* linesOf).slice(1), [address, phone])
      // Nothing is out any more.
      assert.include((yield* read(true)).segments[1].text, "2214 Maple")
      assert.isUndefined((yield* read()).removals)
    }).pipe(Effect.provide(Here))
  )

  it.effect("grows by what an operator takes out, which stays out when it is recognized again", () =>
    Effect.gen(function* () {
      yield* onRecord
      yield* refined(spoken(address, 0), spoken(phone, 10))
      // Case, accents and punctuation do not matter; the words are found behind a mark.
      assert.isTrue((yield* takeOut(11, "jose nunez", "other")).changed)
      assert.deepStrictEqual(yield* linesOf, [
        "Good evening. I live at [address removed], near the park.",
        "My cell is [phone number removed], and [words removed] lives by me."
      ])
      assert.isFalse((yield* takeOut(12, "José Núñez")).changed)
      assert.deepStrictEqual((yield* read()).segments[1].words.slice(4), [
        { start: 12, end: 12.4, text: "and" },
        { start: 12.5, end: 13.4, text: "[words removed]" },
        ...(spoken("lives by me.", 13.5).words ?? [])
      ])
      assert.notInclude(yield* passages, "Núñez")

      // Words that run on into the next line; each time they are said.
      yield* refined(
        spoken(address, 0),
        spoken("My cell is 217-555-0142, and José", 10),
        spoken("Núñez lives by me.", 14)
      )
      assert.deepStrictEqual((yield* linesOf).slice(1), [
        "My cell is [phone number removed], and [words removed]",
        "[words removed] lives by me."
      ])
      const [, , added] = yield* list
      assert.deepInclude(added, { state: "added", kind: "other", rule: "operator", decided_by: "the command line" })
      yield* restore(added?.id ?? "")
      assert.strictEqual((yield* linesOf)[2], "Núñez lives by me.")
      // After all.
      yield* takeOut(13, "José Núñez", "other")
      assert.deepStrictEqual((yield* states).slice(2), [["added", "other", "José Núñez"]])
      yield* refined(spoken(address, 0))

      // Recognized as other words: what is said at that time goes, since nobody can tell which words they are.
      yield* takeOut(1, "near the park")
      yield* refined(spoken(address.replace("the park", "a dark"), 0))
      assert.deepStrictEqual(yield* linesOf, ["Good evening. I live at [address removed], [address removed]"])
    }).pipe(Effect.provide(Here))
  )

  it.effect("is refused where it cannot be told what is meant", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const unsaid = (second: number, words: string) =>
        Effect.map(Effect.flip(takeOut(second, words)), ({ _tag }) => assert.strictEqual(_tag, "WordsNotSaid", words))
      yield* onRecord
      assert.strictEqual((yield* Effect.flip(takeOut(1, "park")))._tag, "MissingPart")
      yield* refined(spoken(address, 0), spoken("会議は 梅通り三番地 です。", 10))
      for (const words of ["maple grove", "ark", "address removed", "—", "at near"]) yield* unsaid(1, words)
      yield* unsaid(10, "park")
      assert.isTrue((yield* takeOut(10, "三番地")).changed)
      assert.strictEqual((yield* linesOf)[1], "会議は 梅通り[address removed] です。")
      assert.strictEqual((yield* Effect.flip(restore("nothing")))._tag, "NotFound")

      // Another transcript comes in from elsewhere: what was taken out of the one before says nothing about it.
      const [home] = yield* list
      yield* putOnRecord(transcript("council", said(["I live at 12 Elm Road."])))
      assert.lengthOf(yield* db`select from removal`, 0)
      assert.strictEqual((yield* Effect.flip(restore(home?.id ?? "")))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(takeOut(1, "12 Elm Road")))._tag, "TranscriptImported")
      yield* MeetingRemoval.use(({ remove }) => remove(id, undefined))
      assert.strictEqual((yield* Effect.flip(takeOut(1, "12 Elm Road")))._tag, "Removed")
    }).pipe(Effect.provide(Here))
  )

  it.effect("keeps the raw transcript withheld while a mark stands that no row knows", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* onRecord
      yield* refined(spoken(address, 0), spoken(phone, 10))
      const [home] = yield* list
      // As the transcripts are that were refined before there were rows.
      yield* db`delete from removal where kind = 'phone'`
      yield* restore(home?.id ?? "")
      assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
    }).pipe(Effect.provide(Here))
  )

  it.effect("is one decision when two operators make it at once", () =>
    Effect.gen(function* () {
      yield* onRecord
      yield* refined(spoken(address, 0))
      const both = yield* Effect.all([takeOut(1, "the park"), takeOut(1, "the park")], { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ changed }) => changed).toSorted(), [false, true])
      const [home] = yield* list
      const put = yield* Effect.all([restore(home?.id ?? ""), restore(home?.id ?? "")], { concurrency: 2 })
      assert.deepStrictEqual(put.map(({ changed }) => changed).toSorted(), [false, true])
      assert.deepStrictEqual(yield* linesOf, [address.replace("the park", "[address removed]")])
    }).pipe(Effect.provide(Here))
  )

  it.effect("is kept for operators for as long as the setting says, and is in no export", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* onRecord
      yield* refined(spoken(address, 0), spoken(phone, 10))
      yield* takeOut(11, "José Núñez", "other")
      const [, cell] = yield* list
      yield* restore(cell?.id ?? "")
      const exported = JSON.stringify([...(yield* Stream.runCollect(yield* exportEntities))])
      assert.notMatch(exported, /Maple|Núñez/)
      yield* db`update removal set created_at = created_at - interval '10 days'`
      yield* Retention.use(({ prune }) => prune)
      assert.include(JSON.stringify(yield* list), "Maple")
      yield* Settings.use(({ set }) => set("pipeline.KeepRemovedWords", 7))
      yield* Retention.use(({ prune }) => prune)
      assert.notMatch(JSON.stringify(yield* list), /Maple|Núñez/)
      const [home] = yield* list
      assert.strictEqual((yield* Effect.flip(restore(home?.id ?? "")))._tag, "WordsNotKept")
      assert.deepStrictEqual(yield* states, [
        ["removed", "home", null],
        ["restored", "phone", "217-555-0142"],
        ["added", "other", null]
      ])
      // Decisions hold even so: what was taken out at that time is taken out again.
      yield* refined(spoken("Good evening.", 0), spoken(phone, 10))
      assert.deepStrictEqual((yield* linesOf)[1], "My cell is 217-555-0142, and [words removed] lives by me.")
    }).pipe(Effect.provide(Here))
  )
})
