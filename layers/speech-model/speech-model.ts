import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, type Duration, Effect, Layer, Option } from "effect"
import { Environment, type ModelEndpoint, type SpeechFile } from "../config/config.ts"
import { modelAt } from "./endpoint.ts"
import { modelIn } from "./file.ts"
import { type Recognized, type Sound, SpeechModelUnavailable } from "./recognized.ts"

export { SpeechModelUnavailable } from "./recognized.ts"

/** The deployment's speech model: an OpenAI-compatible server, or a file of whisper.cpp that FFmpeg runs here. */
export class SpeechModel extends Context.Service<
  SpeechModel,
  {
    readonly isConfigured: boolean
    /** The model's name; empty if none is configured. */
    readonly name: string
    /** The name and the host: another one if the model is changed. */
    readonly place: string
    /** The length of the pieces in which it is given a recording. */
    readonly pieceSeconds: number
    /** One attempt; delays and retries are the caller's. */
    readonly transcribe: (sound: Sound) => Effect.Effect<Recognized, SpeechModelUnavailable>
  }
>()("civic-record/SpeechModel") {
  /** The model named by `SPEECH_MODEL_FILE`, or by `SPEECH_MODEL_URL`, `SPEECH_MODEL_KEY` and `SPEECH_MODEL_NAME`. */
  static readonly layer = Layer.unwrap(
    Effect.map(Environment, ({ speechModel, speechFile }) =>
      Option.isSome(speechFile)
        ? SpeechModel.layerFile(speechFile.value)
        : Option.isSome(speechModel)
          ? SpeechModel.layerEndpoint(speechModel.value)
          : SpeechModel.layerNone
    )
  )

  /** For a deployment without a model: every call fails with `not_configured`. */
  static readonly layerNone = Layer.succeed(SpeechModel, {
    isConfigured: false,
    name: "",
    place: "",
    pieceSeconds: 600,
    transcribe: () => Effect.fail(new SpeechModelUnavailable({ reason: "not_configured" }))
  })

  static readonly layerEndpoint = (endpoint: ModelEndpoint, timeLimit: Duration.Input = "15 minutes") =>
    Layer.effect(SpeechModel, modelAt(endpoint, timeLimit)).pipe(Layer.provide(client))

  static readonly layerFile = (file: SpeechFile) =>
    Layer.effect(SpeechModel, modelIn(file)).pipe(Layer.provide(NodeServices.layer))
}

/**
 * Follows no redirect: it would send the recording and the key somewhere that nobody configured. The call's timeout is
 * the only one, because a model on a small machine may exceed `fetch`'s own five minutes.
 */
const client = NodeHttpClient.layerUndiciOptions({ headersTimeout: 0, bodyTimeout: 0 })
