import type { DrilledStage, DrillReport } from "../../../schema/agent/drill.ts"
import { notBorneOut } from "../../pipeline/asking.ts"
import { notBelieved } from "../../pipeline/stages/verify/verify.ts"
import { fromStageOn, type Stage, stageNames } from "../../services/queue/stages.ts"
import type { DrillTruth } from "../files.ts"
import type { Findings } from "../found.ts"
import { bringingJudges, heard } from "./bringing.ts"
import { makingJudges } from "./making.ts"
import { failed, type Judge, notJudged, type Verdict } from "./verdict.ts"

const judges = { ...bringingJudges, ...makingJudges } satisfies { readonly [S in Stage]?: Judge }

/** The stages that a drill judges, in the order of the pipeline. */
const judgedStages = stageNames.filter((stage): stage is keyof typeof judges => Object.hasOwn(judges, stage))
type JudgedStage = (typeof judgedStages)[number]

/** These two stages can be judged whatever the stages before them made. */
const alone: ReadonlySet<string> = new Set(["publish", "mail"])

/** Stages that also make something without a model, and are judged by that. */
const partly: ReadonlySet<string> = new Set(["agenda", "refine", "chapters", "verify", "recap"])

/** The reason of an event, as a sentence. */
const asSentence = (reason: string): string =>
  reason
    .replace(/^skipped: /, "")
    .replace(/^\p{Ll}/u, (first) => first.toUpperCase())
    .replace(/(?<!\.)$/, ".")

/** Whether a model answered, and what it said was refused: then the check works, whatever the model is worth. */
const isRefused = (reason: string | null): reason is string =>
  reason !== null && (reason.includes(notBorneOut) || reason.includes(notBelieved))

const verdictOf = (stage: JudgedStage, findings: Findings, truth: DrillTruth): Verdict => {
  const { tasks, found } = findings
  // A clip is rendered by its own flow; the stage that proposes clips answers for it.
  const task = tasks.find((one) => one.stage === stage)
  if (task === undefined || found === undefined) {
    return stage === "crawl"
      ? failed(task?.failure ?? "The calendar brought no meeting on record.")
      : notJudged("There is no meeting.")
  }
  const { state, skipped, without } = task
  if (state === "failed") return failed(task.failure ?? "It failed.")
  if (state === "cancelled") return notJudged("It was cancelled, because a stage before it had nothing for it.")
  if (state === "waiting") return failed(`It waits: ${task.failure ?? "for another day."}`)
  if (state !== "done") return notJudged("A stage before it did not end.")
  const refused = [without, skipped].find(isRefused)
  if (refused !== undefined) {
    const why = asSentence(refused)
    if (!partly.has(stage)) return notJudged(`${why} Nothing of it was kept, and code makes none alone.`)
    const { verdict, finding } = judges[stage](found, truth, { ...findings, language: false })
    return { verdict, finding: `${why} ${finding}` }
  }
  if (without?.startsWith("Done, without a model") === true) return failed(without)
  if (skipped !== null && !partly.has(stage)) {
    return /configured/.test(skipped) ? notJudged(asSentence(skipped)) : failed(asSentence(skipped))
  }
  const { verdict, finding } = judges[stage](found, truth, findings)
  return { verdict, finding: without === null ? finding : `${finding} ${without}` }
}

/**
 * Judges every stage. A stage that depends on a failed one is not judged, so that the report names the stage at fault.
 */
export const judged = (
  findings: Findings,
  truth: DrillTruth
): Pick<DrillReport, "stages" | "words_found" | "largest_word_error"> => {
  const stages: Array<DrilledStage> = []
  for (const stage of judgedStages) {
    const broken = stages.find(
      (one) =>
        one.verdict === "failed" &&
        !alone.has(stage) &&
        judgedStages.some((name) => name === one.stage && fromStageOn(name).has(stage))
    )
    const verdict =
      broken === undefined ? verdictOf(stage, findings, truth) : notJudged(`It rests on ${broken.stage}, which failed.`)
    stages.push({ stage, ...verdict })
  }
  const words = findings.speech && findings.found !== undefined ? heard(findings.found, truth) : undefined
  return {
    stages,
    ...(words === undefined
      ? {}
      : {
          words_found: Math.round(words.share * 1000) / 1000,
          largest_word_error: Math.round(words.largest * 1000) / 1000
        })
  }
}
