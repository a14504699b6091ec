import { Effect, Result } from "effect"
import type { Segment } from "../../../../schema/transcript.ts"
import { writeAgenda, writeChapters } from "../../../record/write/meeting.ts"
import { meetingsChanged } from "../../../services/feed/changed.ts"
import { excerptsOf } from "../../../text/language/excerpts.ts"
import { spanOfQuote, spokenWords } from "../../../text/language/spoken-words.ts"
import { Asking, generatorOf } from "../../asking.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import type { StageHandler } from "../../stage.ts"
import { type Candidate, candidatesOf, placedItems } from "./placed-items.ts"
import { chaptersPrompt } from "./prompt.ts"

const longestExcerpt = 30_000

/** The weight of a model's answer; a spoken number weighs 2, and so does a whole title. */
const modelScore = 1.5

/**
 * Finds when each agenda item begins and makes it a chapter that lasts until the next one. Code finds items whose
 * number or title was said; the model, if one is configured, locates the rest and must quote the place.
 */
export const chaptersStage = Effect.gen(function* () {
  const asking = yield* Asking
  const rely = yield* relying
  const { db, materials, skipped, made } = yield* making

  /** Where a model places the items that code did not find; accepted only with a correct quote of the place. */
  const believed = Effect.fnUntraced(function* (
    task: RelyingTask,
    agenda: string,
    segments: ReadonlyArray<Segment>,
    items: ReadonlySet<number>
  ) {
    const words = spokenWords(segments)
    const found = yield* Effect.forEach(excerptsOf(segments, longestExcerpt), ({ text, from, to }) =>
      asking.ask(task, chaptersPrompt, { agenda, transcript: text }, ({ beginnings }, isLast) => {
        const sound = beginnings.filter(
          ({ item, line, quote }) =>
            items.has(item) && line >= from && line < to && spanOfQuote(words, quote, line, line + 1) !== undefined
        )
        return sound.length === beginnings.length || isLast
          ? Result.succeed(sound.map(({ item, line }): Candidate => ({ item, segment: line, score: modelScore })))
          : Result.fail("an item is not in the list, or a quote does not stand in its line word for word.")
      })
    )
    return found.flatMap((beginnings = []) => beginnings)
  })

  const work = Effect.fn("ChaptersStage.work")(function* (task: RelyingTask) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "chapters")) === "imported") {
      return skipped(task, "the meeting has chapters, which were imported")
    }
    const agenda = yield* materials.agenda(meeting)
    if (agenda.length === 0) return skipped(task, "the meeting has no agenda items")
    const transcript =
      (yield* materials.transcript(meeting, "refined")) ?? (yield* materials.transcript(meeting, "raw"))
    if (transcript === undefined) return skipped(task, "the meeting has no transcript")
    const { segments, duration } = transcript
    const said = candidatesOf(agenda, segments)
    const lost = new Set([...agenda.keys()].filter((item) => !placedItems(said).has(item)))
    const list = [...lost]
      .map((item) => `${item} ${agenda[item]?.number ?? ""} ${agenda[item]?.title ?? ""}`)
      .join("\n")
    const told = lost.size > 0 ? yield* believed(task, list, segments, lost) : []
    const placed = placedItems([...said, ...told])
    const items = agenda.map((item, at) => {
      const segment = segments[placed.get(at) ?? -1]
      return segment === undefined ? item : { ...item, start: segment.start }
    })
    const begun = items.filter((_, at) => placed.has(at))
    if (begun.length === 0) return skipped(task, "no item of the agenda is announced in the transcript")
    const chapters = begun.map(({ title, start = 0 }, at) => ({
      title,
      start,
      end: begun[at + 1]?.start ?? Math.max(duration, start)
    }))
    const generator = told.length > 0 ? asking.generator(task, chaptersPrompt) : generatorOf(chaptersPrompt, "rules")
    return Effect.gen(function* () {
      yield* writeAgenda(db, { id: meeting, agenda_items: items })
      yield* writeChapters(db, { id: meeting, chapters })
      yield* meetingsChanged(db, [meeting])
      yield* made(task, generator, ["chapters"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
