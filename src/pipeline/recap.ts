import { Effect, Result } from "effect"
import type { BundleMeeting, BundleRecap } from "../../schema/bundle.ts"
import type { Segment } from "../../schema/transcript.ts"
import type { ClaimedTask } from "../services/operations/tasks.ts"
import { Asking, generatorOf } from "./asking.ts"
import { citedSpan, saidAround } from "./language/cited.ts"
import { around, excerptsOf } from "./language/excerpts.ts"
import { numbersAreIn } from "./language/numbers.ts"
import { spokenWords } from "./language/spoken-words.ts"
import { making, meetingOf } from "./making.ts"
import { recapPrompt } from "./prompts/recap.ts"
import type { StageHandler } from "./stage.ts"

const longestExcerpt = 40_000

/** What is said where something is decided. */
const decides =
  /\b(motion|moved?|second(?:ed)?|vot(?:e|es|ed|ing)|ayes?|nays?|opposed|carri(?:es|ed)|pass(?:es|ed)|approved?|adopt(?:s|ed)?|den(?:y|ied)|tabled?|unanimous(?:ly)?)\b/i

type Answer = (typeof recapPrompt)["schema"]["Type"]

/** Why a decision does not stand on what was said. */
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

/** The recap of an answer; refused where it says what was not said, and without such decisions where it is the last. */
export const soundRecap = (
  segments: ReadonlyArray<Segment>,
  agenda: BundleMeeting["agenda_items"],
  briefing: string,
  { headline, summary, decisions }: Answer,
  isLast: boolean
): Result.Result<Pick<BundleRecap, "decisions" | "headline" | "summary">, string> => {
  if (headline.trim() === "" || summary.trim() === "") return Result.fail("it has no headline or no summary.")
  const invented = [headline, summary].find((text) => !numbersAreIn(text, briefing))
  if (invented !== undefined) return Result.fail(`a number in "${invented.slice(0, 200)}" is not in the briefing.`)
  const looked = decisions.map((decision) => ({ decision, flaw: flawOfDecision(segments, agenda, decision) }))
  const flaw = looked.find((one) => one.flaw !== undefined)?.flaw
  if (flaw !== undefined && !isLast) return Result.fail(flaw)
  return Result.succeed({
    headline,
    summary,
    decisions: looked
      .filter((one) => one.flaw === undefined)
      .map(({ decision: { item, outcome, vote } }) => {
        const agenda_item = agenda[item ?? -1]?.id
        return {
          ...(agenda_item === undefined ? {} : { agenda_item }),
          outcome,
          ...(vote === undefined || vote.trim() === "" ? {} : { vote })
        }
      })
  })
}

/** Writes the recap: the briefing in short, and the decisions with their votes, each of which was said. */
export const recapStage = Effect.gen(function* () {
  const asking = yield* Asking
  const { materials, skipped, write, made } = yield* making

  const work = Effect.fn("RecapStage.work")(function* (task: ClaimedTask) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "recap")) === "imported") {
      return skipped(task, "the meeting has a recap, which was imported")
    }
    const [transcript, briefing] = [yield* materials.transcript(meeting, "refined"), yield* materials.briefing(meeting)]
    if (transcript === undefined || briefing === undefined) return skipped(task, "the meeting has no briefing")
    if (!asking.isConfigured) return skipped(task, "no language model is configured (CLOUD_MODEL_URL)")
    const agenda = yield* materials.agenda(meeting)
    const { segments } = transcript
    const decisive = around(segments, 2, ({ text }) => decides.test(text))
    const excerpts = excerptsOf(segments, longestExcerpt, (at) => decisive.has(at)).map(({ text }) => text)
    const written = [
      briefing.headline,
      ...briefing.topics.flatMap(({ sentences }) => sentences.map(({ text }) => text))
    ]
    const data = {
      briefing: written.join("\n"),
      agenda: agenda.map(({ number = "", title }, at) => `${at} ${number} ${title}`).join("\n")
    }
    // What was decided is read in parts where the meeting is long; the headline and the summary are of the briefing.
    const ask = (transcript: string) =>
      asking.ask(task, recapPrompt, { ...data, transcript }, (answer, isLast) =>
        soundRecap(segments, agenda, data.briefing, answer, isLast)
      )
    const recap = yield* ask(excerpts[0] ?? "")
    const rest = yield* Effect.forEach(excerpts.slice(1), ask)
    const decisions = [recap, ...rest].flatMap((part) => part.decisions)
    return Effect.gen(function* () {
      yield* write([{ type: "recap", meeting_id: meeting, ...recap, decisions }])
      yield* made(task, generatorOf(recapPrompt, asking.model), ["recap"])
    })
  })

  return { work } satisfies StageHandler
})
