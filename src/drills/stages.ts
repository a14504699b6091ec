import { DateTime, Effect } from "effect"
import { SpeechModel } from "../../layers/speech-model/speech-model.ts"
import type { BundleBriefing } from "../../schema/bundle.ts"
import { making, meetingOf } from "../pipeline/making.ts"
import { handlers } from "../pipeline/pipeline.ts"
import type { ClaimedTask } from "../services/queue/tasks.ts"
import type { DrillTruth } from "./files.ts"
import { citedTurn, plantedClaims } from "./script.ts"

/** What the drill itself wrote, as `generator`. */
const generator = "civic-record drill"
const planted = "Planted by the drill"

/**
 * The pipeline's stages with two additions. Without a speech model, the script's words become the transcript, so that
 * the stages after it can be judged. And the briefing receives the planted claims in the transaction that writes it, so
 * that they pass through the real check.
 */
export const drillStages = Effect.fn("Drill.stages")(function* ({ spoken }: DrillTruth) {
  const real = yield* handlers
  const speech = yield* SpeechModel
  const { materials, skipped, write, made } = yield* making

  /** What was really said, as a recognizer without a fault hears it. */
  const given = Effect.fnUntraced(function* (task: ClaimedTask) {
    const meeting = yield* meetingOf(task)
    const segments = spoken.segments.map(({ speaker: _, ...segment }) => segment)
    const transcript = { version: "raw", language: "en", generator, duration: spoken.duration, segments } as const
    return Effect.gen(function* () {
      yield* write([{ type: "transcript", meeting_id: meeting, ...transcript }])
      yield* materials.withhold(meeting, true)
      yield* made(task, generator, ["raw_transcript"])
      yield* skipped(task, "no speech model is configured (SPEECH_MODEL_URL or SPEECH_MODEL_FILE)")
    })
  })

  const { start = 0, end = 0 } = spoken.segments[citedTurn] ?? {}
  const sentence = (text: string) => ({ text, citations: [{ start, end }] })
  const topic: BundleBriefing["topics"][number] = {
    title: planted,
    sentences: [plantedClaims.kept, plantedClaims.wrongNumber, plantedClaims.neverSaid].map(sentence),
    figures: []
  }

  const briefing: typeof real.briefing = {
    work: Effect.fnUntraced(function* (task, onProgress) {
      const put = yield* real.briefing.work(task, onProgress)
      const meeting = yield* meetingOf(task)
      return Effect.gen(function* () {
        yield* put
        const own = yield* materials.briefing(meeting)
        const published_at = DateTime.formatIso(yield* DateTime.now)
        const empty = { headline: planted, worth_watching: [], topics: [], generator, published_at } as const
        const whole = own ?? { type: "briefing", meeting_id: meeting, ...empty }
        yield* write([{ ...whole, topics: [...whole.topics, topic] }])
        if (own === undefined) yield* made(task, generator, ["briefing"])
      })
    })
  }

  return {
    ...real,
    transcribe: speech.isConfigured ? real.transcribe : { work: given },
    briefing
  }
})
