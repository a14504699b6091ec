import type { DrilledStage } from "../../../schema/agent/drill.ts"
import type { DrillTruth } from "../files.ts"
import type { Findings, FoundMeeting } from "../found.ts"

export type Verdict = Omit<DrilledStage, "stage">

export const passed = (finding: string): Verdict => ({ verdict: "passed", finding })
export const failed = (finding: string): Verdict => ({ verdict: "failed", finding })
export const notJudged = (finding: string): Verdict => ({ verdict: "not_judged", finding })

/** Compares the results of a stage with the drill's script. */
export type Judge = (found: FoundMeeting, truth: DrillTruth, findings: Findings) => Verdict
