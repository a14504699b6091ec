import { Effect, Result } from "effect"
import type { BundleMeeting } from "../../../../schema/bundle.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { cleanTitle } from "../../../services/clips/auto-span.ts"
import type { MeetingAbout } from "../../../services/making/meeting-materials.ts"
import { isUnnamed } from "../../../services/meetings/transcript-speakers.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { given } from "../../../services/wire.ts"
import { type Excerpt, excerptsOf } from "../../../text/language/excerpts.ts"
import { keyOf, wordsOfText } from "../../../text/language/spoken-words.ts"
import { agendaAddresses, redact, removed } from "../../../text/redact/redact.ts"
import { Asking, generatorOf } from "../../asking.ts"
import { making, meetingOf } from "../../making.ts"
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

/** The lines of an excerpt as the model corrected them; refused if too many of them drop or invent too much. */
const corrected = (
  segments: ReadonlyArray<Segment>,
  { from, to }: Excerpt,
  lines: ReadonlyArray<Line>,
  known: ReadonlySet<string>
): Result.Result<ReadonlyArray<Segment>, string> => {
  const byNumber = new Map(lines.map((line) => [line.line, line]))
  const refused: Array<number> = []
  const refined = segments.slice(from, to).map((segment, offset): Segment => {
    const line = byNumber.get(from + offset)
    const better = line === undefined ? undefined : refinedSegment(segment, line.text)
    if (better === undefined) refused.push(from + offset)
    const name = cleanTitle(line?.speaker ?? "")
    const isKnown = name !== undefined && wordsOfText(name).every((word) => known.has(keyOf(word)))
    return { ...(better ?? segment), ...(isUnnamed(segment.speaker) && isKnown ? { speaker: name } : {}) }
  })
  return refused.length > Math.max(1, (to - from) * mostRefused)
    ? Result.fail(`these lines drop or invent words: ${refused.slice(0, 20).join(", ")}`)
    : Result.succeed(refined)
}

/**
 * The words that a speaker's name may consist of: those of the roster, the agenda, the transcript, and titles of
 * office.
 */
const knownNames = (about: MeetingAbout, agenda: string, segments: ReadonlyArray<Segment>): ReadonlySet<string> =>
  new Set([
    ...roles,
    ...[...about.roster, agenda, ...segments.map(({ text }) => text)].flatMap((text) => wordsOfText(text).map(keyOf))
  ])

/** The line to publish: the original if the model's wording hides an address found in it. */
const withoutAddress = (segment: Segment, heard: Segment | undefined): Segment =>
  heard?.text.includes(removed) && !segment.text.includes(removed)
    ? { ...heard, ...(segment.speaker === undefined ? {} : { speaker: segment.speaker }) }
    : segment

/**
 * Turns the raw transcript into the refined one, a bounded piece at a time: adds punctuation, names and speakers, and
 * removes spoken home addresses. If there are any, readers no longer see the raw transcript. Words keep their times,
 * and a line that the model changed too much stays as recognized. Without a model, only addresses are removed.
 */
export const refineStage = Effect.gen(function* () {
  const asking = yield* Asking
  const { materials, skipped, write, made } = yield* making

  const work = Effect.fn("RefineStage.work")(function* (
    task: ClaimedTask,
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
    const known = knownNames(about, agendaText(agenda), raw.segments)
    const excerpts = asking.isConfigured ? excerptsOf(raw.segments, longestExcerpt) : []
    const pieces = yield* Effect.forEach(excerpts, (excerpt, at) =>
      asking
        .ask(task, refinePrompt, { names, agenda: agendaText(agenda), transcript: excerpt.text }, ({ lines }) =>
          corrected(raw.segments, excerpt, lines, known)
        )
        .pipe(Effect.tap(() => onProgress((at + 1) / excerpts.length)))
    )
    // Addresses are removed after the model has answered and before anything is recorded.
    const onAgenda = agendaAddresses(agenda.map(({ title, description = "" }) => `${title} ${description}`))
    const heard = redact(raw.segments, onAgenda)
    const written = redact(asking.isConfigured ? pieces.flat() : raw.segments, onAgenda)
    const segments = written.segments.map((segment, at) => withoutAddress(segment, heard.segments[at]))
    const addresses = heard.addresses + written.addresses
    const generator = generatorOf(refinePrompt, asking.isConfigured ? asking.model : "rules")
    const { language, duration } = raw
    return Effect.gen(function* () {
      if ((yield* materials.transcript(meeting, "raw"))?.hash !== raw.hash) {
        return yield* new StageFailed({ message: "The transcript was replaced meanwhile.", final: false })
      }
      yield* write([
        {
          ...{ type: "transcript", meeting_id: meeting, version: "refined", language, generator, duration, segments },
          ...given("speakers", raw.speakers)
        }
      ])
      yield* materials.withhold(meeting, addresses > 0)
      yield* made(task, generator, ["transcript"])
      if (!asking.isConfigured) yield* skipped(task, "no language model is configured (CLOUD_MODEL_URL)")
    })
  })

  return { work } satisfies StageHandler
})
