import { Effect, Result } from "effect"
import type { BundleEntity, BundleMeeting } from "../../../../schema/bundle.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { meetingsChanged } from "../../../services/feed/changed.ts"
import { forgetVotes, mattersAt, membersAt } from "../../../services/people/spoken-votes.ts"
import { around, excerptsOf } from "../../../text/language/excerpts.ts"
import { spokenWords } from "../../../text/language/spoken-words.ts"
import {
  decisionInWords,
  decisionsOf,
  type Known,
  plainHeadline,
  plainSummary
} from "../../../text/plain-words/decisions.ts"
import { isTiedOutcome } from "../../../text/plain-words/plain-words.ts"
import { agendaAddresses, redact } from "../../../text/redact/redact.ts"
import { spokenVotes } from "../../../text/roll-calls/roll-calls.ts"
import type { ServedBriefing } from "../../../text/served-briefing.ts"
import { Asking } from "../../asking.ts"
import { citedSpan, segmentsAround } from "../../citation.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import type { StageHandler } from "../../stage.ts"
import { recapPrompt } from "./prompt.ts"
import { votesOnRecord } from "./spoken-votes.ts"

const longestExcerpt = 40_000

/** Words that accompany a decision. */
const decides =
  /\b(motion|moved?|second(?:ed)?|vot(?:e|es|ed|ing)|ayes?|nays?|opposed|carri(?:es|ed)|pass(?:es|ed)|approved?|adopt(?:s|ed)?|den(?:y|ied)|tabled?|unanimous(?:ly)?)\b/i

type Answer = (typeof recapPrompt)["schema"]["Type"]

/** The most seconds between the announcement of a vote and a citation of it. */
const reach = 30

/** The decision that a line tells of. */
const decidedAt = (segments: ReadonlyArray<Segment>, known: ReadonlyArray<Known>, line: number): Known | undefined => {
  const { start = 0, end = 0 } = segments[line] ?? {}
  const distance = ({ vote }: Known) =>
    vote === undefined ? Number.POSITIVE_INFINITY : Math.max(0, start - vote.end, vote.start - end)
  return known.filter((one) => distance(one) <= reach).toSorted((a, b) => distance(a) - distance(b))[0]
}

/** A model's words for a decision that code knows, and the line in which it is cited. */
interface Worded {
  readonly known: Known
  readonly outcome: string
  readonly line: number
}

/** Words for known decisions. One for a decision that was not heard is refused, or dropped on the last attempt. */
export const soundWords = (
  segments: ReadonlyArray<Segment>,
  agenda: BundleMeeting["agenda_items"],
  known: ReadonlyArray<Known>,
  { decisions }: Answer,
  isLast: boolean
): Result.Result<ReadonlyArray<Worded>, string> => {
  const words = spokenWords(segments)
  const flaws: Array<string> = []
  const worded = decisions.flatMap(({ outcome, line, quote }): ReadonlyArray<Worded> => {
    const isSaid = citedSpan(words, { line, quote }) !== undefined
    const decision = isSaid ? decidedAt(segments, known, line) : undefined
    if (decision !== undefined) {
      return isTiedOutcome(outcome, decision, agenda, segments) ? [{ known: decision, outcome, line }] : []
    }
    const where = `"${quote.slice(0, 100)}" in line ${line}.`
    flaws.push(isSaid ? `no vote is heard at ${where}` : `nobody says ${where}`)
    return []
  })
  return flaws.length > 0 && !isLast ? Result.fail(flaws[0] ?? "") : Result.succeed(worded)
}

const textsOf = (agenda: BundleMeeting["agenda_items"]): ReadonlyArray<string> =>
  agenda.map(({ title, description = "" }) => `${title} ${description}`)

/** The number of sentences in the summary. */
const summarySentences = 3

/** A summary of the briefing in its own sentences: the first of each topic, then the remaining ones. */
const summaryOf = ({ topics }: Pick<ServedBriefing, "topics">): string => {
  const first = topics.flatMap(({ sentences }) => sentences.slice(0, 1))
  const next = topics.flatMap(({ sentences }) => sentences.slice(1))
  return [...first, ...next]
    .slice(0, summarySentences)
    .map(({ text }) => text)
    .join(" ")
}

/**
 * Writes the recap, and the votes. Code reads the decisions, with their votes, from what was said; a model may word one
 * if code can tie every word of it to the record. Headline and summary are checked sentences of the briefing or,
 * without one, the decisions in plain words.
 */
export const recapStage = Effect.gen(function* () {
  const asking = yield* Asking
  const rely = yield* relying
  const { db, materials, skipped, write, made } = yield* making

  /** Words of the model for the decisions that it found and that the record bears out. */
  const worded = Effect.fnUntraced(function* (
    task: RelyingTask,
    agenda: BundleMeeting["agenda_items"],
    segments: ReadonlyArray<Segment>,
    known: ReadonlyArray<Known>
  ) {
    const decisive = around(segments, 2, ({ text }) => decides.test(text))
    const data = { agenda: agenda.map(({ number = "", title }) => `${number} ${title}`).join("\n") }
    // A long meeting is read in parts.
    const found = yield* Effect.forEach(
      excerptsOf(segments, longestExcerpt, (at) => decisive.has(at)),
      ({ text }) =>
        asking.ask(task, recapPrompt, { ...data, transcript: text }, (answer, isLast) =>
          soundWords(segments, agenda, known, answer, isLast)
        )
    )
    const names = [...agenda.map(({ title }) => title), ...segments.map(({ text }) => text)].join("\n")
    return yield* Effect.filter(
      found.flatMap((sound = []) => sound),
      ({ outcome, line }) => asking.borneOut(task, outcome, segmentsAround(segments, [line]), names)
    )
  })

  const work = Effect.fn("RecapStage.work")(function* (task: RelyingTask) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "recap")) === "imported") {
      return skipped(task, "the meeting has a recap, which was imported")
    }
    const refined = yield* materials.transcript(meeting, "refined")
    const transcript = refined ?? (yield* materials.transcript(meeting, "raw"))
    if (transcript === undefined) return skipped(task, "the meeting has no transcript")
    const served = yield* materials.served(meeting)
    const agenda = yield* materials.agenda(meeting)
    // What readers are shown in code's words is without home addresses, refined or not.
    const segments = refined?.segments ?? redact(transcript.segments, agendaAddresses(textsOf(agenda))).segments
    const spoken = spokenVotes(segments, agenda)
    const known = decisionsOf(agenda, spoken)
    const [members, matters] = [yield* membersAt(db, meeting), yield* mattersAt(db, meeting)]
    const votes = votesOnRecord(meeting, agenda, segments, spoken, members, matters)
    const kept = votes.map(({ id }) => id)
    /** Puts the votes on record with what else is made, in place of those that are no longer read. */
    const writing = (made: ReadonlyArray<BundleEntity>) =>
      Effect.gen(function* () {
        if ((yield* forgetVotes(db, meeting, "transcript", kept)) > 0) yield* meetingsChanged(db, [meeting])
        yield* write([...made, ...votes])
      })
    const plain = plainHeadline(agenda, known)
    const headline = served?.headline ?? (plain && decisionInWords(agenda, plain.decision))
    const written = served === undefined ? "" : summaryOf(served)
    const outcomes = known.map(({ decision }) => decision)
    if (headline === undefined || (written === "" && plainSummary(agenda, outcomes) === "")) {
      return Effect.andThen(
        writing([]),
        skipped(task, "no sentence of a briefing is supported, and no decision is known")
      )
    }
    const isAsked = refined !== undefined && known.some(({ vote }) => vote !== undefined)
    const words = isAsked ? yield* worded(task, agenda, segments, known) : []
    const decisions = known.map((one) => {
      const outcome = words.find((word) => word.known === one)?.outcome
      return outcome === undefined ? one.decision : { ...one.decision, outcome }
    })
    const summary = written === "" ? plainSummary(agenda, decisions) : written
    return Effect.gen(function* () {
      yield* writing([{ type: "recap", meeting_id: meeting, headline, summary, decisions }])
      yield* made(task, asking.generator(task, recapPrompt), ["recap"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
