import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import type { Word } from "../../schema/transcript.ts"
import { receivedFrom } from "./model-server.ts"

/** A request that a speech server received. */
interface SpeechRequest {
  readonly model: string
  readonly granularities: ReadonlyArray<string>
  readonly format: string
  readonly authorization: string | undefined
  /** Length of the sound that was sent (16 kHz, one channel, 16 bits). */
  readonly seconds: number
}

const wavHead = 44
const bytesPerSecond = 32_000

/** What somebody says, with the voice that a server tells apart. */
export interface VoicedStretch {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker: string
}

/** OpenAI's `diarized_json`, which has no times of words (its API reference, "Create transcription"). */
const diarized = (turns: ReadonlyArray<VoicedStretch>, duration: number) => ({
  ...{ task: "transcribe", duration, text: turns.map(({ text }) => text).join(" ") },
  segments: turns.map((turn, at) => ({ type: "transcript.text.segment", id: `seg_${at}`, ...turn })),
  usage: { type: "duration", seconds: Math.ceil(duration) }
})

/**
 * A local OpenAI-compatible speech server, which hears the same words in any sound: of each piece those that end before
 * it does. `plan` returns a number to refuse a request with that status, or "silent" never to answer it. A
 * request for `diarized_json` gets the turns.
 */
export const startSpeechServer = (words: ReadonlyArray<Word>, turns: ReadonlyArray<VoicedStretch> = []) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const requests: Array<SpeechRequest> = []
      let plan: (request: number) => number | "hears" | "silent" = () => "hears"
      const server = createServer(async (request, response) => {
        const sent = await receivedFrom(request)
        if (sent === undefined) return
        const form = await new Response(new Uint8Array(sent), {
          headers: { "content-type": request.headers["content-type"] ?? "" }
        }).formData()
        const file = form.get("file")
        const seconds = file instanceof File ? (file.size - wavHead) / bytesPerSecond : 0
        requests.push({
          model: String(form.get("model")),
          format: String(form.get("response_format")),
          granularities: form.getAll("timestamp_granularities[]").map(String),
          authorization: request.headers.authorization,
          seconds
        })
        const what = plan(requests.length)
        if (what === "silent") return
        if (what !== "hears") {
          response.writeHead(what, { "content-type": "application/json", "retry-after": "30" }).end("{}")
          return
        }
        const heard = words.filter(({ end }) => end <= seconds)
        const answer = {
          ...{ task: "transcribe", language: "en", duration: seconds, text: heard.map(({ text }) => text).join(" ") },
          words: heard.map(({ text, start, end }) => ({ word: text, start, end })),
          segments: []
        }
        const told = form.get("response_format") === "diarized_json" ? diarized(turns, seconds) : answer
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told))
      })
      const setPlan = (next: typeof plan) => {
        plan = next
      }
      return { server, requests, plan: setPlan }
    }).pipe(
      Effect.flatMap(({ server, requests, plan }) =>
        Effect.callback<{
          readonly url: string
          readonly requests: ReadonlyArray<SpeechRequest>
          readonly plan: typeof plan
          readonly close: () => void
        }>((resume) => {
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as AddressInfo
            const close = () => {
              server.closeAllConnections()
              server.close()
            }
            resume(Effect.succeed({ url: `http://127.0.0.1:${port}/v1`, requests, plan, close }))
          })
        })
      )
    ),
    ({ close }) => Effect.sync(close)
  )
