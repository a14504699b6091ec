import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { Signer } from "../../layers/signer/signer.ts"
import type { DrilledStage, DrillReport } from "../../schema/agent/drill.ts"
import { runDrill } from "../drills/drill.ts"
import { commandLine } from "../services/history.ts"
import { Drills } from "../services/operators/drills.ts"
import { Ended } from "./ended.ts"
import { makeProgress } from "./progress.ts"

const words = { passed: "passed", failed: "FAILED", not_judged: "not judged" } as const

const stageLine = ({ stage, verdict, finding }: DrilledStage): string =>
  `  ${words[verdict].padEnd(11)} ${stage.padEnd(11)} ${finding}`

const ending = ({ stages, seconds }: DrillReport): string => {
  const count = (verdict: DrilledStage["verdict"]) => stages.filter((stage) => stage.verdict === verdict).length
  return `${count("passed")} passed, ${count("failed")} failed, ${count("not_judged")} not judged; ${seconds.toFixed(0)} s`
}

const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print the report as one JSON object, as GET /api/agent/drills has it"),
  Flag.withDefault(false)
)

const start = Command.make("start", { json }, ({ json }) =>
  Effect.gen(function* () {
    const progress = makeProgress()
    yield* progress.showPart("stages: the meeting is being spoken", 0, 1)
    const { id, state, report } = yield* runDrill(commandLine, {
      onPrepared: ({ id, scheduleUrl }) =>
        json
          ? Effect.void
          : Effect.andThen(progress.clear, Console.log(`Drill ${id}\nIts schedule, while it runs: ${scheduleUrl}`)),
      onProgress: (tasks) => {
        const ended = tasks.filter(({ state }) => !["blocked", "waiting", "running"].includes(state)).length
        const running = tasks.filter(({ state }) => state === "running").map(({ stage }) => stage)
        return progress.showPart(`stages${running.length > 0 ? `: ${running.join(", ")}` : ""}`, ended, tasks.length)
      }
    }).pipe(
      Effect.ensuring(progress.clear),
      Effect.onInterrupt(() => Console.error("Stopped. Nothing of the drill is left."))
    )
    yield* json
      ? Console.log(JSON.stringify({ id, state, report }))
      : Console.log([...report.stages.map(stageLine), ending(report)].join("\n"))
    if (state === "failed") return yield* new Ended({ code: 1 })
  })
).pipe(
  Command.withShortDescription("Rehearse everything from a crawl to a mail"),
  Command.withDescription(
    [
      "Rehearse everything: a made-up meeting is spoken, served, crawled, carried through every stage with the models that are configured, judged, and removed.",
      "Nothing of it comes on record. Exits with 1 when a stage failed."
    ].join("\n")
  ),
  Command.provide(Drills.layer),
  Command.provide(Layer.mergeAll(ObjectStore.layer, Renderer.layer, Signer.layer)),
  Command.provide(CommandDb)
)

export const drill = Command.make("drill").pipe(
  Command.withDescription("Rehearse the pipeline with a made-up meeting"),
  Command.withSubcommands([start])
)
