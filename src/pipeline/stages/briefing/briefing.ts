import { DateTime, Effect, Result } from "effect"
import type { Sentence } from "../../../../schema/briefing.ts"
import type { BundleBriefing } from "../../../../schema/bundle.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { claimed } from "../../../services/making/claim-checks.ts"
import { excerptsOf } from "../../../text/language/excerpts.ts"
import { numbersAreIn } from "../../../text/language/numbers.ts"
import { type SpokenWord, spokenWords } from "../../../text/language/spoken-words.ts"
import { plainBriefing } from "../../../text/plain-words/plain-words.ts"
import { isUnheardUnanimity } from "../../../text/plain-words/tied.ts"
import { spokenVotes } from "../../../text/roll-calls/roll-calls.ts"
import { Asking } from "../../asking.ts"
import { citedSpan, flawOfSentence } from "../../citation.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import type { StageHandler } from "../../stage.ts"
import { briefingPrompt, notesPrompt } from "./prompt.ts"

const longestExcerpt = 30_000

/** The most notes that a briefing is made from. */
const mostNotes = 150

interface Note extends Sentence {
  readonly topic: string
}

type Answered<P extends { readonly schema: { readonly Type: unknown } }> = P["schema"]["Type"]

const isBlank = (text: string): boolean => text.trim() === ""

/**
 * The notes with their spans. A note that cites words nobody said is refused, or dropped if this is the last attempt.
 */
const soundNotes = (
  segments: ReadonlyArray<Segment>,
  words: ReadonlyArray<SpokenWord>,
  { notes }: Answered<typeof notesPrompt>,
  isLast: boolean
): Result.Result<ReadonlyArray<Note>, string> => {
  const looked = notes.map((note) => ({
    note,
    flaw:
      isBlank(note.text) || isBlank(note.topic)
        ? "a note is empty."
        : flawOfSentence(segments, words, note.text, note.citations)
  }))
  const flaw = looked.find((one) => one.flaw !== undefined)?.flaw
  const sound = looked.filter((one) => one.flaw === undefined)
  if (flaw !== undefined && (!isLast || sound.length === 0)) return Result.fail(flaw)
  return Result.succeed(
    sound.map(({ note: { topic, text, citations } }) => ({
      topic,
      text,
      citations: citations.flatMap((citation) => citedSpan(words, citation) ?? [])
    }))
  )
}

/** The briefing that a model arranged from notes; refused if it says anything that the notes do not. */
const arranged = (
  notes: ReadonlyArray<Note>,
  { headline, worth_watching, topics }: Answered<typeof briefingPrompt>
): Result.Result<Pick<BundleBriefing, "headline" | "topics" | "worth_watching">, string> => {
  const used = topics.flatMap((topic) => topic.notes)
  if (headline.trim() === "" || used.length === 0) return Result.fail("it has no headline or no topics.")
  if (new Set(used).size < used.length) return Result.fail("it uses a note twice.")
  const unknown = [...used, ...worth_watching.map(({ note }) => note)].find((at) => notes[at] === undefined)
  if (unknown !== undefined) return Result.fail(`there is no note ${unknown}.`)
  const all = notes.map(({ text }) => text).join(" ")
  const written = [headline, ...worth_watching.map(({ text }) => text), ...topics.map(({ title }) => title)]
  if (written.some(isBlank)) return Result.fail("a title or a line is empty.")
  const invented = written.find((text) => !numbersAreIn(text, all))
  if (invented !== undefined) return Result.fail(`a number in "${invented.slice(0, 200)}" is not in the notes.`)
  return Result.succeed({
    headline,
    worth_watching: worth_watching.map(({ text, note }) => {
      const start = notes[note]?.citations[0]?.start
      return { text, ...(start === undefined ? {} : { start }) }
    }),
    topics: topics
      .filter((topic) => topic.notes.length > 0)
      .map((topic) => ({
        title: topic.title,
        sentences: topic.notes.flatMap((at) => notes[at] ?? []).map(({ text, citations }) => ({ text, citations })),
        figures: []
      }))
  })
}

/** The notes as a briefing that no model arranged: as they were taken, each topic where it first comes up. */
const arrangedInOrder = (
  notes: ReadonlyArray<Note>
): Pick<BundleBriefing, "headline" | "topics" | "worth_watching"> => ({
  headline: notes[0]?.text ?? "",
  worth_watching: [],
  topics: [...Map.groupBy(notes, ({ topic }) => topic)].map(([title, own]) => ({
    title,
    sentences: own.map(({ text, citations }) => ({ text, citations })),
    figures: []
  }))
})

/**
 * Writes the briefing: notes on each part of the transcript, each citing words that were really said, and an
 * arrangement that cannot add anything to them: what code cannot tie to the record is put in plain words. The briefing
 * is served once its claims have been checked.
 */
export const briefingStage = Effect.gen(function* () {
  const asking = yield* Asking
  const rely = yield* relying
  const { materials, skipped, write, made } = yield* making

  const work = Effect.fn("BriefingStage.work")(function* (
    task: RelyingTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "briefing")) === "imported") {
      return skipped(task, "the meeting has a briefing, which was imported")
    }
    const transcript = yield* materials.transcript(meeting, "refined")
    if (transcript === undefined) return skipped(task, "the meeting has no refined transcript")
    const { segments } = transcript
    const words = spokenWords(segments)
    const items = yield* materials.agenda(meeting)
    const agenda = items.map(({ title }) => title).join("\n")
    const excerpts = excerptsOf(segments, longestExcerpt)
    const found = yield* Effect.forEach(excerpts, ({ text }, at) =>
      asking
        .ask(task, notesPrompt, { agenda, transcript: text }, (answer, isLast) =>
          soundNotes(segments, words, answer, isLast)
        )
        .pipe(Effect.tap(() => onProgress((at + 1) / (excerpts.length + 1))))
    )
    const votes = spokenVotes(segments, items)
    const notes = found
      .flatMap((sound = []) => sound)
      .filter(({ text, citations }) => !isUnheardUnanimity(text, citations, segments, votes))
      .slice(0, mostNotes)
    if (notes.length === 0) return skipped(task, "nothing that was said is worth a briefing")
    const listed = notes.map(({ topic, text }, at) => `${at} (${topic}) ${text}`).join("\n")
    const answered = yield* asking.ask(task, briefingPrompt, { notes: listed }, (answer) => arranged(notes, answer))
    const briefing = plainBriefing(answered ?? arrangedInOrder(notes), items, segments)
    const generator = asking.generator(task, briefingPrompt)
    return Effect.gen(function* () {
      const published_at = DateTime.formatIso(yield* DateTime.now)
      const { written, claims } = claimed(meeting, briefing)
      yield* write([
        { type: "briefing", meeting_id: meeting, ...written, generator, published_at },
        // Without verdicts, so that the briefing is pending until it is checked.
        {
          ...{ type: "claims", meeting_id: meeting },
          claims: claims.map(({ id, topic, text }) => ({ id, topic, text, evidence: [] }))
        }
      ])
      yield* made(task, generator, ["briefing"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
