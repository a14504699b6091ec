import { Context, Effect, Layer, Option } from "effect"
import { Environment, type ModelEndpoint } from "../config/config.ts"
import { CloudModel, patient } from "./cloud-model.ts"

/**
 * The model that checks what the language model wrote; undefined if the deployment has none but the writer, whose word
 * supports nothing.
 */
export const CheckModel = Context.Reference<CloudModel["Service"] | undefined>("civic-record/CheckModel", {
  defaultValue: () => undefined
})

/** Why no model checks: none is configured (`CHECK_MODEL_URL`), or it is the one that writes. */
export type NoChecker = "none" | "writer"

const nameOf = ({ name }: ModelEndpoint): string => name.trim().toLowerCase()

/** The endpoint of the checker, if it is another model than the writer's, by name: an address is not a mind. */
export const checkerOf = ({
  cloudModel,
  checkModel
}: Pick<Environment["Service"], "cloudModel" | "checkModel">): ModelEndpoint | NoChecker => {
  if (Option.isNone(checkModel)) return "none"
  const isWriter = Option.exists(cloudModel, (writer) => nameOf(writer) === nameOf(checkModel.value))
  return isWriter ? "writer" : checkModel.value
}

/** The deployment's checker, with the limits of the pipeline's stages. */
export const CheckModelLive = Layer.effect(
  CheckModel,
  Effect.gen(function* () {
    const checker = checkerOf(yield* Environment)
    if (typeof checker === "string") return undefined
    return yield* Effect.provide(CloudModel, yield* Layer.build(CloudModel.layerEndpoint(checker, patient)))
  })
)
