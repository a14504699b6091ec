import { Effect, Result } from "effect"
import type { BundleMeeting, BundleRecap } from "../../../../schema/bundle.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { around, excerptsOf } from "../../../text/language/excerpts.ts"
import { numbersAreIn } from "../../../text/language/numbers.ts"
import { spokenWords } from "../../../text/language/spoken-words.ts"
import type { ServedBriefing } from "../../../text/served-briefing.ts"
import { Asking } from "../../asking.ts"
import { citedSpan, saidAround, segmentsAround } from "../../citation.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import type { StageHandler } from "../../stage.ts"
import { recapPrompt } from "./prompt.ts"

const longestExcerpt = 40_000

/** Words that accompany a decision. */
const decides =
  /\b(motion|moved?|second(?:ed)?|vot(?:e|es|ed|ing)|ayes?|nays?|opposed|carri(?:es|ed)|pass(?:es|ed)|approved?|adopt(?:s|ed)?|den(?:y|ied)|tabled?|unanimous(?:ly)?)\b/i

type Answer = (typeof recapPrompt)["schema"]["Type"]

/** Why a decision is not supported by what was said; undefined if it is. */
const flawOfDecision = (
  segments: ReadonlyArray<Segment>,
  agenda: BundleMeeting["agenda_items"],
  { item, outcome, vote = "", line, quote }: Answer["decisions"][number]
): string | undefined => {
  if (outcome.trim() === "") return "a decision is empty."
  if (item !== undefined && agenda[item] === undefined) return `there is no item ${item}.`
  if (citedSpan(spokenWords(segments), { line, quote }) === undefined) {
    return `nobody says "${quote.slice(0, 100)}" in line ${line}.`
  }
  const said = saidAround(segments, [line])
  if (!decides.test(said)) return `nothing is decided where "${quote.slice(0, 100)}" is said.`
  if (/unanim/i.test(vote) && !/unanim|all in favor|none opposed|no opposed|nays? (?:none|zero)/i.test(said)) {
    return `nobody says that the vote on "${outcome.slice(0, 100)}" was unanimous.`
  }
  return numbersAreIn(`${outcome} ${vote.replace(/[-–:]/g, " ")}`, `${said} ${agenda[item ?? -1]?.title ?? ""}`)
    ? undefined
    : `a number of "${outcome.slice(0, 100)}" (${vote.slice(0, 30)}) is not said where it was decided.`
}

/** A decision, and the line in which it is cited. */
interface Cited {
  readonly decision: BundleRecap["decisions"][number]
  readonly line: number
}

/** The decisions in an answer. One that was not made is refused, or dropped if this is the last attempt. */
export const soundDecisions = (
  segments: ReadonlyArray<Segment>,
  agenda: BundleMeeting["agenda_items"],
  { decisions }: Answer,
  isLast: boolean
): Result.Result<ReadonlyArray<Cited>, string> => {
  const looked = decisions.map((decision) => ({ decision, flaw: flawOfDecision(segments, agenda, decision) }))
  const flaw = looked.find((one) => one.flaw !== undefined)?.flaw
  if (flaw !== undefined && !isLast) return Result.fail(flaw)
  return Result.succeed(
    looked
      .filter((one) => one.flaw === undefined)
      .map(({ decision: { item, outcome, vote, line } }) => {
        const agenda_item = agenda[item ?? -1]?.id
        return {
          line,
          decision: {
            ...(agenda_item === undefined ? {} : { agenda_item }),
            outcome,
            ...(vote === undefined || vote.trim() === "" ? {} : { vote })
          }
        }
      })
  )
}

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
 * Writes the recap. Its headline and summary are checked sentences of the briefing. Each decision, with its vote, must
 * be supported by what was said when it was made, or it is left out; without a model there are none.
 */
export const recapStage = Effect.gen(function* () {
  const asking = yield* Asking
  const rely = yield* relying
  const { materials, skipped, write, made } = yield* making

  const work = Effect.fn("RecapStage.work")(function* (task: RelyingTask) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "recap")) === "imported") {
      return skipped(task, "the meeting has a recap, which was imported")
    }
    const [transcript, served] = [yield* materials.transcript(meeting, "refined"), yield* materials.served(meeting)]
    if (transcript === undefined || served === undefined) return skipped(task, "the meeting has no briefing")
    const { headline } = served
    const summary = summaryOf(served)
    if (headline === undefined || summary === "") return skipped(task, "no sentence of the briefing is supported")
    const agenda = yield* materials.agenda(meeting)
    const { segments } = transcript
    const decisive = around(segments, 2, ({ text }) => decides.test(text))
    const data = { agenda: agenda.map(({ number = "", title }, at) => `${at} ${number} ${title}`).join("\n") }
    // A long meeting is read in parts.
    const cited = yield* Effect.forEach(
      excerptsOf(segments, longestExcerpt, (at) => decisive.has(at)),
      ({ text }) =>
        asking.ask(task, recapPrompt, { ...data, transcript: text }, (answer, isLast) =>
          soundDecisions(segments, agenda, answer, isLast)
        )
    )
    const names = [...agenda.map(({ title }) => title), ...segments.map(({ text }) => text)].join("\n")
    const decisions = yield* Effect.filter(
      cited.flatMap((sound = []) => sound),
      ({ decision: { outcome, vote }, line }) =>
        asking.borneOut(
          task,
          vote === undefined ? outcome : `${outcome} (vote ${vote}).`,
          segmentsAround(segments, [line]),
          names
        )
    )
    const recap = { headline, summary, decisions: decisions.map(({ decision }) => decision) }
    return Effect.gen(function* () {
      yield* write([{ type: "recap", meeting_id: meeting, ...recap }])
      yield* made(task, asking.generator(task, recapPrompt), ["recap"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
