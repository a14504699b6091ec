/** A stage of the pipeline: the stages it depends on, the resource that limits it, and how often it is attempted. */
interface StageForm {
  /** Stages of the same flow that must be done first; a stage that the flow lacks is not waited for. */
  readonly needs: ReadonlyArray<string>
  /** The lane (`lane.name`) whose limit applies to it, across all machines. */
  readonly lane: "local" | "media" | "model" | "speech" | "web"
  /** Attempts before it fails for good; being killed counts as an attempt. */
  readonly tries: number
}

/**
 * Every stage from a source to a published meeting; `history`, which lists the past of a source; `receive`, which takes
 * a recording that an operator gave; `documents`, which reads what a body publishes about one beside its recording,
 * whenever it comes; `clip`, which renders one clip; and `probe`, which checks the addresses of a run's candidates for
 * calendars. The delay between tries doubles from five seconds, so that eight tries outlast an outage of ten minutes.
 * What a model does is no attempt of its stage (`ModelPatience`).
 */
export const stages = {
  crawl: { needs: [], lane: "web", tries: 8 },
  detect: { needs: ["crawl"], lane: "local", tries: 3 },
  fetch: { needs: ["detect"], lane: "web", tries: 8 },
  render: { needs: ["fetch"], lane: "media", tries: 3 },
  transcribe: { needs: ["fetch"], lane: "speech", tries: 8 },
  refine: { needs: ["transcribe", "agenda"], lane: "model", tries: 8 },
  agenda: { needs: ["fetch"], lane: "model", tries: 8 },
  chapters: { needs: ["refine", "agenda"], lane: "model", tries: 8 },
  briefing: { needs: ["chapters"], lane: "model", tries: 8 },
  verify: { needs: ["briefing"], lane: "model", tries: 8 },
  clips: { needs: ["render", "chapters"], lane: "model", tries: 8 },
  figures: { needs: ["verify"], lane: "model", tries: 8 },
  recap: { needs: ["verify"], lane: "model", tries: 8 },
  publish: { needs: ["clips", "figures", "recap"], lane: "local", tries: 3 },
  mail: { needs: ["publish"], lane: "local", tries: 3 },
  history: { needs: [], lane: "web", tries: 8 },
  receive: { needs: [], lane: "web", tries: 8 },
  documents: { needs: ["crawl"], lane: "web", tries: 8 },
  clip: { needs: [], lane: "media", tries: 3 },
  probe: { needs: [], lane: "web", tries: 3 }
} as const satisfies Readonly<Record<string, StageForm>>

export type Stage = keyof typeof stages
export type Lane = StageForm["lane"]

export const isStage = (name: string): name is Stage => Object.hasOwn(stages, name)

export const stageNames: ReadonlyArray<Stage> = Object.keys(stages).filter(isStage)

export const laneNames = ["local", "media", "model", "speech", "web"] as const satisfies ReadonlyArray<Lane>

const others: ReadonlyArray<Stage> = ["crawl", "history", "receive", "documents", "clip", "probe"]
const ofMeeting = stageNames.filter((stage) => !others.includes(stage))

/**
 * The stages and priority of each kind of flow. Clips precede meetings because a reader is waiting. `meeting_media`
 * renders an imported source recording; `follow` asks a meeting's source whether what was fetched has changed; `given`
 * takes a recording that an operator gave; `history` lists the past of a source; `documents` reads a meeting's
 * documents, before it is held and after.
 */
export const flowKinds = {
  crawl: { stages: ["crawl"], priority: 0 },
  meeting: { stages: ofMeeting, priority: 0 },
  clip: { stages: ["clip"], priority: 10 },
  meeting_media: { stages: ["render"], priority: 0 },
  probe: { stages: ["probe"], priority: 0 },
  follow: { stages: ["fetch"], priority: -1 },
  given: { stages: ["receive"], priority: 5 },
  history: { stages: ["history"], priority: -1 },
  documents: { stages: ["documents"], priority: -1 }
} as const satisfies Readonly<Record<string, { readonly stages: ReadonlyArray<Stage>; readonly priority: number }>>

export type FlowKind = keyof typeof flowKinds

/** The dependency edges between stages. */
export const edges: ReadonlyArray<{ readonly stage: Stage; readonly need: Stage }> = stageNames.flatMap((stage) =>
  stages[stage].needs.map((need) => ({ stage, need }))
)

/** Stages and everything downstream of them, which repeating the stages makes stale. */
export const fromStageOn = (...from: ReadonlyArray<Stage>): ReadonlySet<Stage> => {
  const found = new Set(from)
  // Iterating a set includes members added on the way.
  for (const done of found) for (const edge of edges) if (edge.need === done) found.add(edge.stage)
  return found
}

/** Seconds before the next try of a stage that has been tried this often. */
export const pauseAfter = (attempts: number): number => 5 * 2 ** (attempts - 1)
