import { Effect, Result } from "effect"
import { v5 } from "uuid"
import type { BundleClip, BundleMeeting } from "../../../../schema/bundle.ts"
import { ClipId, type MeetingId } from "../../../../schema/primitives.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { cleanTitle } from "../../../services/clips/auto-span.ts"
import { enqueueClip } from "../../../services/clips/clip-renders.ts"
import { Settings } from "../../../services/settings/settings.ts"
import { excerptsOf } from "../../../text/language/excerpts.ts"
import { decisionsOf, type Known } from "../../../text/plain-words/decisions.ts"
import { plainClipTitle } from "../../../text/plain-words/plain-words.ts"
import { spokenVotes } from "../../../text/roll-calls/roll-calls.ts"
import { Asking } from "../../asking.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import type { StageHandler } from "../../stage.ts"
import { clipsPrompt } from "./prompt.ts"

/** Only the items discussed longest, and for at least this many seconds, are considered. */
const mostItems = 8
const shortestDiscussion = 45

/** The length of a clip, in seconds. */
const shortestClip = 8
const longestClip = 180

const longestExcerpt = 16_000

type Item = BundleMeeting["agenda_items"][number]

/** A clip's id depends only on its part of the item's discussion, however often it is chosen. */
const clipId = (meeting: MeetingId, { id }: Item, part: number) =>
  ClipId.make(v5(part === 0 ? `clip ${id}` : `clip ${id} ${part}`, meeting))

/**
 * The span that a model chose, refused if outside this discussion; undefined if nothing is worth a clip. Its title is
 * put in plain words if it is not tied to the item and the clip.
 */
export const chosenClip = (
  segments: ReadonlyArray<Segment>,
  item: Item,
  known: ReadonlyArray<Known>,
  lines: { readonly from: number; readonly to: number },
  { worth_it, title, from, to }: (typeof clipsPrompt)["schema"]["Type"]
): Result.Result<Pick<BundleClip, "end" | "start" | "title"> | undefined, string> => {
  if (!worth_it) return Result.succeed(undefined)
  const [first, last] = [segments[from], segments[to]]
  if (from < lines.from || to >= lines.to || to < from || first === undefined || last === undefined) {
    return Result.fail(`the lines are not from ${lines.from} to ${lines.to - 1}, in order.`)
  }
  const length = last.end - first.start
  if (length < shortestClip || length > longestClip) {
    return Result.fail(
      `the passage lasts ${Math.round(length)} seconds; it must last ${shortestClip} to ${longestClip}.`
    )
  }
  const seen = plainClipTitle(cleanTitle(title), item, segments.slice(from, to + 1), known)
  return Result.succeed({ title: cleanTitle(seen) ?? item.title, start: first.start, end: last.end })
}

/**
 * Proposes and renders a clip for each of the agenda items that were discussed longest; a discussion too long to read
 * in one piece may get several. Operators publish them, unless `pipeline.PublishClips` is set. A clip that an operator
 * has already decided on is left alone.
 */
export const clipsStage = Effect.gen(function* () {
  const asking = yield* Asking
  const rely = yield* relying
  const settings = yield* Settings
  const { db, materials, skipped, write, made } = yield* making

  /** The items discussed longest, each with its end, in the order of the recording. */
  const discussed = (items: ReadonlyArray<Item>, duration: number) => {
    const starts = items.flatMap(({ start }) => start ?? []).toSorted((a, b) => a - b)
    return items
      .flatMap((item) => {
        const { start } = item
        if (start === undefined) return []
        const end = starts.find((other) => other > start) ?? duration
        return end - start < shortestDiscussion ? [] : [{ item, start, end }]
      })
      .toSorted((a, b) => b.end - b.start - (a.end - a.start))
      .slice(0, mostItems)
  }

  const work = Effect.fn("ClipsStage.work")(function* (task: RelyingTask) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "clips")) === "imported") {
      return skipped(task, "the meeting has clips that were imported, or made by hand")
    }
    if ((yield* materials.file(meeting, "rendition")) === undefined)
      return skipped(task, "the meeting has no recording")
    const transcript = yield* materials.transcript(meeting, "refined")
    if (transcript === undefined) return skipped(task, "the meeting has no refined transcript")
    const { segments, duration } = transcript
    const agenda = yield* materials.agenda(meeting)
    const items = discussed(agenda, duration)
    const known = decisionsOf(agenda, spokenVotes(segments, agenda))
    const chosen = yield* Effect.forEach(items, ({ item, start, end }) => {
      const isOf = (at: number) => (segments[at]?.start ?? 0) >= start - 1 && (segments[at]?.start ?? 0) < end
      // A long discussion is read in parts, each of which may have a clip.
      return Effect.forEach(excerptsOf(segments, longestExcerpt, isOf), (excerpt, part) =>
        asking
          .ask(task, clipsPrompt, { item: item.title, transcript: excerpt.text }, (answer) =>
            chosenClip(segments, item, known, excerpt, answer)
          )
          .pipe(Effect.map((clip) => (clip === undefined ? [] : [{ ...clip, item, part }])))
      )
    })
    const generator = asking.generator(task, clipsPrompt)
    return Effect.gen(function* () {
      const state = (yield* settings.get("pipeline.PublishClips")) ? ("published" as const) : ("proposal" as const)
      const decided = yield* materials.decidedClips(meeting)
      const clips = chosen
        .flat(2)
        .map(
          ({ item, part, ...clip }): BundleClip => ({
            ...{ type: "clip", meeting_id: meeting, id: clipId(meeting, item, part) },
            ...{ ...clip, agenda_item: item.id, state }
          })
        )
        .filter(({ id }) => !decided.has(id))
      if (clips.length === 0)
        return yield* skipped(task, "nothing that is said about an item of the agenda is worth a clip")
      yield* write(clips)
      for (const { id } of clips) yield* enqueueClip(db, id)
      yield* made(task, generator, ["clips"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
