import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { modelKey, receivedFrom } from "./model-server.ts"

/** Words that mean the same to the model; any other word means itself. */
const concepts = [
  ["canine", "dog", "dogs", "puppies"],
  ["park", "meadow", "greenway"],
  ["rent", "tenants", "landlord", "evictions"],
  ["water", "sewer", "aqueduct"],
  ["tax", "levy", "millage"]
]
const said = new Map(concepts.flatMap(([first = "", ...others]) => others.map((word) => [word, first] as const)))

const numbers = 64

/** The direction of a concept: each number is -1, 0 or 1, by a hash. */
const directionOf = (concept: string): ReadonlyArray<number> => {
  let state = [...concept].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5)
  return Array.from({ length: numbers }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return ((state >>> 0) % 3) - 1
  })
}

/** A small model: a text is the sum of its concepts, so that it is near another which shares some of them. */
export const embeddingOf = (text: string): ReadonlyArray<number> =>
  (text.toLowerCase().match(/[a-z]{3,}/g) ?? [])
    .map((word) => directionOf(said.get(word) ?? word))
    .reduce(
      (sum, direction) => sum.map((number, at) => number + (direction[at] ?? 0)),
      new Array<number>(numbers).fill(0)
    )
    .map((number, at) => number + (at === 0 ? 0.01 : 0))

interface EmbeddingRequest {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: { readonly model: string; readonly input: ReadonlyArray<string>; readonly encoding_format: string }
}

type Answer = { readonly status: number; readonly text: string } | "silent"

/** The answer of the small model. */
export const embedded = ({ body: { input } }: EmbeddingRequest): Answer => {
  // Out of order, as a server may answer.
  const data = input.map((text, index) => ({ object: "embedding", index, embedding: embeddingOf(text) })).toReversed()
  return { status: 200, text: JSON.stringify({ object: "list", data, usage: { prompt_tokens: 9 * input.length } }) }
}

/** A local server of the small model. `asked` are all texts that it was sent; `answer` may be replaced. */
export const startEmbeddingServer = Effect.acquireRelease(
  Effect.callback<{
    readonly env: Readonly<Record<string, string>>
    readonly requests: Array<EmbeddingRequest>
    readonly asked: () => ReadonlyArray<string>
    readonly answers: (answer: (request: EmbeddingRequest) => Answer) => void
    readonly close: () => void
  }>((resume) => {
    const requests: Array<EmbeddingRequest> = []
    let answer: (request: EmbeddingRequest) => Answer = embedded
    const server = createServer(async (request, response) => {
      const sent = await receivedFrom(request)
      if (sent === undefined) return
      const received = { path: request.url ?? "", headers: request.headers, body: JSON.parse(sent.toString()) }
      requests.push(received)
      const given = answer(received)
      if (given === "silent") return
      response.writeHead(given.status, { "content-type": "application/json" }).end(given.text)
    }).listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          env: {
            EMBEDDING_MODEL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
            EMBEDDING_MODEL_KEY: modelKey,
            EMBEDDING_MODEL_NAME: "a-small-model"
          },
          requests,
          asked: () => requests.flatMap(({ body }) => body.input),
          answers: (next) => {
            answer = next
          },
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        })
      )
    )
  }),
  ({ close }) => Effect.sync(close)
)
