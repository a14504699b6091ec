/** A stage of the pipeline: what must be done before it, in what it is scarce, and how often it is tried. */
interface StageForm {
  /** Stages of the same flow that are to be done first; one that the flow does not have is not waited for. */
  readonly needs: ReadonlyArray<string>
  /** The lane (`lane.name`) whose limit holds for it, on all machines together. */
  readonly lane: "local" | "media" | "model" | "speech" | "web"
  /** Tries before it has failed for good; a worker that is killed at it has tried it. */
  readonly tries: number
}

/**
 * Every stage from a source to a published meeting; `clip`, which renders one clip; and `probe`, which looks at the
 * addresses of a run's candidates for calendars. Seconds between tries double from five, so that eight tries outlast a
 * provider that is away for ten minutes.
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
  briefing: { needs: ["refine", "agenda"], lane: "model", tries: 8 },
  verify: { needs: ["briefing"], lane: "model", tries: 8 },
  clips: { needs: ["render", "chapters"], lane: "model", tries: 8 },
  figures: { needs: ["verify"], lane: "model", tries: 8 },
  recap: { needs: ["verify"], lane: "model", tries: 8 },
  publish: { needs: ["clips", "figures", "recap"], lane: "local", tries: 3 },
  mail: { needs: ["publish"], lane: "local", tries: 3 },
  clip: { needs: [], lane: "media", tries: 3 },
  probe: { needs: [], lane: "web", tries: 3 }
} as const satisfies Readonly<Record<string, StageForm>>

export type Stage = keyof typeof stages
export type Lane = StageForm["lane"]

export const isStage = (name: string): name is Stage => Object.hasOwn(stages, name)

export const stageNames: ReadonlyArray<Stage> = Object.keys(stages).filter(isStage)

export const laneNames = ["local", "media", "model", "speech", "web"] as const satisfies ReadonlyArray<Lane>

const ofMeeting = stageNames.filter((stage) => !["crawl", "clip", "probe"].includes(stage))

/**
 * What a flow of each kind does, and how urgently. A reader waits for a clip, so it goes before meetings.
 * `meeting_media` renders the source recording that an import brought.
 */
export const flowKinds = {
  crawl: { stages: ["crawl"], priority: 0 },
  meeting: { stages: ofMeeting, priority: 0 },
  clip: { stages: ["clip"], priority: 10 },
  meeting_media: { stages: ["render"], priority: 0 },
  probe: { stages: ["probe"], priority: 0 }
} as const satisfies Readonly<Record<string, { readonly stages: ReadonlyArray<Stage>; readonly priority: number }>>

export type FlowKind = keyof typeof flowKinds

/** Which stage needs which: the arrows of the graph. */
export const edges: ReadonlyArray<{ readonly stage: Stage; readonly need: Stage }> = stageNames.flatMap((stage) =>
  stages[stage].needs.map((need) => ({ stage, need }))
)

/** A stage and everything that comes after it, which doing it again makes stale. */
export const fromStageOn = (stage: Stage): ReadonlySet<Stage> => {
  const found = new Set([stage])
  // A set that grows while it is walked is walked to its end.
  for (const done of found) for (const edge of edges) if (edge.need === done) found.add(edge.stage)
  return found
}

/** Seconds until a stage that has been tried so often is tried again. */
export const pauseAfter = (attempts: number): number => 5 * 2 ** (attempts - 1)
