import { Effect, Result } from "effect"
import type { BundleMeeting } from "../../../../schema/bundle.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { cleanTitle } from "../../../services/clips/auto-span.ts"
import type { MeetingAbout } from "../../../services/making/meeting-materials.ts"
import { heldOf, isOut, removalsHeld, replaceRemovals } from "../../../services/making/removal-rows.ts"
import { isUnnamed } from "../../../services/meetings/transcript-speakers.ts"
import { given } from "../../../services/wire.ts"
import { type Excerpt, excerptsOf } from "../../../text/language/excerpts.ts"
import { keyOf, wordsOfText } from "../../../text/language/spoken-words.ts"
import { judged } from "../../../text/redact/judged.ts"
import { agendaAddresses, applied, type Removal, removalsIn } from "../../../text/redact/redact.ts"
import { Asking } from "../../asking.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"
import { refinePrompt } from "./prompt.ts"
import { refinedSegment } from "./refined-line.ts"

/** The characters of transcript per request; the answer is about as long. */
const longestExcerpt = 12_000

/** The share of an excerpt's lines that may be left unrefined. */
const mostRefused = 0.3

const roles = new Set(
  "chair vice mayor clerk president secretary public commenter speaker member council councilmember commissioner trustee supervisor staff attorney manager".split(
    " "
  )
)

/** The agenda as text: an item's number and title per line. */
const agendaText = (agenda: BundleMeeting["agenda_items"]): string =>
  agenda.map(({ number, title }) => [number, title].filter((part) => part !== undefined).join(" ")).join("\n")

interface Line {
  readonly line: number
  readonly text: string
  readonly speaker?: string
}

/** How many lines before a turn somebody is called on. */
const callReach = 3

/** Whether a speaker's name is said where a turn begins: in its first line, or when the chair gave the floor. */
const isNamedAt = (segments: ReadonlyArray<Segment>, at: number, name: string): boolean => {
  const said = segments.slice(Math.max(0, at - callReach), at + 1).flatMap(({ text }) => wordsOfText(text).map(keyOf))
  return wordsOfText(name).every((word) => roles.has(keyOf(word)) || said.includes(keyOf(word)))
}

/**
 * The lines of an excerpt as the model corrected them; refused if too many of them drop or invent too much, or all of
 * them if this is the last attempt.
 */
const corrected = (
  segments: ReadonlyArray<Segment>,
  { from, to }: Excerpt,
  lines: ReadonlyArray<Line>,
  known: ReadonlySet<string>,
  isLast: boolean
): Result.Result<ReadonlyArray<Segment>, string> => {
  const byNumber = new Map(lines.map((line) => [line.line, line]))
  const refused: Array<number> = []
  let turn: string | undefined
  const refined = segments.slice(from, to).map((segment, offset): Segment => {
    const line = byNumber.get(from + offset)
    const better = line === undefined ? undefined : refinedSegment(segment, line.text, known)
    if (better === undefined) refused.push(from + offset)
    const name = cleanTitle(line?.speaker ?? "")
    const isTold = name !== undefined && (name === turn || isNamedAt(segments, from + offset, name))
    turn = isTold ? name : undefined
    return { ...(better ?? segment), ...(isUnnamed(segment.speaker) && isTold ? { speaker: name } : {}) }
  })
  const most = isLast ? to - from - 1 : Math.max(1, (to - from) * mostRefused)
  return refused.length > most
    ? Result.fail(`these lines drop or invent words: ${refused.slice(0, 20).join(", ")}`)
    : Result.succeed(refined)
}

/** The words of names that a recognizer may have misheard: those of the body, the roster and the agenda. */
const knownNames = ({ body, roster }: MeetingAbout, agenda: string): ReadonlySet<string> =>
  new Set([body, ...roster, agenda].flatMap((text) => wordsOfText(text).map(keyOf)))

/**
 * The lines to publish, before anything is taken out of them, and what is: a line is as it was heard if the model's
 * wording hides an address found in it.
 */
const toTakeOut = (
  heard: ReadonlyArray<Segment>,
  written: ReadonlyArray<Segment>,
  known: ReadonlySet<string>
): readonly [lines: ReadonlyArray<Segment>, removals: ReadonlyArray<Removal>] => {
  const [inHeard, inWritten] = [removalsIn(heard, known), removalsIn(written, known)]
  const partsOf = (removals: ReadonlyArray<Removal>) =>
    Map.groupBy(
      removals.flatMap(({ parts }) => parts),
      ({ segment }) => segment
    )
  const [before, after] = [partsOf(inHeard), partsOf(inWritten)]
  const isHidden = (at: number) => (before.get(at)?.length ?? 0) > (after.get(at)?.length ?? 0)
  const only = (removals: ReadonlyArray<Removal>, isWanted: (at: number) => boolean) =>
    removals.flatMap((removal) => {
      const parts = removal.parts.filter(({ segment }) => isWanted(segment))
      return parts.length === 0 ? [] : [{ ...removal, parts }]
    })
  return [
    written.map((line, at) => {
      const original = isHidden(at) ? heard[at] : undefined
      return original === undefined ? line : { ...original, ...given("speaker", line.speaker) }
    }),
    [...only(inHeard, isHidden), ...only(inWritten, (at) => !isHidden(at))]
  ]
}

/**
 * Turns the raw transcript into the refined one, a bounded piece at a time: adds punctuation, names and speakers, and
 * removes spoken home addresses. If there are any, readers no longer see the raw transcript. Words keep their times,
 * and a line that the model changed too much stays as recognized. Where there is no model, or none that answers, only
 * addresses are removed. What operators put back or took out of an earlier refinement stays so.
 */
export const refineStage = Effect.gen(function* () {
  const asking = yield* Asking
  const rely = yield* relying
  const { db, materials, skipped, write, made } = yield* making

  const work = Effect.fn("RefineStage.work")(function* (
    task: RelyingTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "transcript")) === "imported") {
      return skipped(task, "the meeting has a refined transcript, which was imported")
    }
    const [raw, about] = [yield* materials.transcript(meeting, "raw"), yield* materials.about(meeting)]
    if (raw === undefined || about === undefined) return skipped(task, "the meeting has no raw transcript")
    const agenda = yield* materials.agenda(meeting)
    const names = [about.body, ...about.roster].join("\n")
    const known = knownNames(about, agendaText(agenda))
    const excerpts = excerptsOf(raw.segments, longestExcerpt)
    const pieces = yield* Effect.forEach(excerpts, (excerpt, at) =>
      asking
        .ask(task, refinePrompt, { names, agenda: agendaText(agenda), transcript: excerpt.text }, ({ lines }, isLast) =>
          corrected(raw.segments, excerpt, lines, known, isLast)
        )
        .pipe(
          Effect.map((refined) => refined ?? raw.segments.slice(excerpt.from, excerpt.to)),
          Effect.tap(() => onProgress((at + 1) / excerpts.length))
        )
    )
    // Addresses are removed after the model has answered and before anything is recorded.
    const onAgenda = agendaAddresses(agenda.map(({ title, description = "" }) => `${title} ${description}`))
    const [lines, found] = toTakeOut(raw.segments, pieces.flat(), onAgenda)
    const generator = asking.generator(task, refinePrompt)
    const { language, duration } = raw
    return Effect.gen(function* () {
      if ((yield* materials.transcript(meeting, "raw"))?.hash !== raw.hash) {
        return yield* new StageFailed({ message: "The transcript was replaced meanwhile.", final: false })
      }
      const held = yield* removalsHeld(db, meeting)
      const removals = judged(lines, found, held.map(heldOf))
      const segments = applied(lines, removals.filter(isOut))
      yield* write([
        {
          ...{ type: "transcript", meeting_id: meeting, version: "refined", language, generator, duration, segments },
          ...given("speakers", raw.speakers)
        }
      ])
      yield* replaceRemovals(db, meeting, removals, held)
      yield* materials.withhold(meeting, removals.some(isOut))
      yield* made(task, generator, ["transcript"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
