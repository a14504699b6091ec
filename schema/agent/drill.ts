import { Schema } from "effect"
import { Instant } from "../primitives.ts"

/** The result of one stage of a drill. */
export const DrilledStage = Schema.Struct({
  stage: Schema.String,
  verdict: Schema.Literals(["passed", "failed", "not_judged"]),
  finding: Schema.String.annotate({
    description: "One sentence: what was found, what is wrong, or why the stage could not be judged."
  })
})
export interface DrilledStage extends Schema.Schema.Type<typeof DrilledStage> {}

export const DrillReport = Schema.Struct({
  stages: Schema.Array(DrilledStage).annotate({ description: "In the order of the pipeline." }),
  /** A fixed sentence: why there is nothing more to say. */
  broken_off: Schema.optionalKey(Schema.String.annotate({ description: "Why the drill ended before its end." })),
  seconds: Schema.Finite.annotate({ description: "How long the drill took." }),
  words_found: Schema.optionalKey(
    Schema.Finite.annotate({ description: "The share of the spoken words that the speech model found, 0 to 1." })
  ),
  largest_word_error: Schema.optionalKey(
    Schema.Finite.annotate({
      description:
        "The largest difference, in seconds, between when a word was spoken and when the speech model heard it begin."
    })
  )
}).annotate({ identifier: "DrillReport", description: "What a drill found, stage by stage." })
export interface DrillReport extends Schema.Schema.Type<typeof DrillReport> {}

const AgentDrill = Schema.Struct({
  id: Schema.String,
  state: Schema.Literals(["running", "passed", "failed"]),
  started_by: Schema.String,
  started_at: Instant,
  ended_at: Schema.optionalKey(Instant),
  schedule_url: Schema.optionalKey(
    Schema.String.annotate({ description: "Where the made-up body's schedule is served while the drill lasts." })
  ),
  meeting_url: Schema.optionalKey(Schema.String),
  report: Schema.optionalKey(DrillReport)
})

export const AgentDrills = Schema.Struct({ drills: Schema.Array(AgentDrill) }).annotate({
  identifier: "AgentDrills",
  description: "Rehearsals of everything from a crawl on, newest first, at most 100."
})
export interface AgentDrills extends Schema.Schema.Type<typeof AgentDrills> {}
