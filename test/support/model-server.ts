import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Redacted } from "effect"
import type { ModelEndpoint } from "../../layers/config/config.ts"

/** A request that a model server received. */
interface ModelRequest {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: {
    readonly model: string
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
    readonly max_completion_tokens: number
    readonly response_format: {
      readonly type: string
      readonly json_schema: { readonly name: string; readonly strict: boolean; readonly schema: unknown }
    }
  }
}

/** How a model server treats one request. */
type Behaviour = (response: ServerResponse, request: ModelRequest) => void

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

const completion = (
  message: unknown,
  finish_reason = "stop",
  usage: unknown = { prompt_tokens: 40, completion_tokens: 7 }
) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  model: "a-model",
  choices: [{ index: 0, message, finish_reason }],
  usage
})

/** The ways in which a model server can behave, well or badly. */
export const behaviours = {
  /** Answers with this object, as the model wrote it. */
  answers:
    (value: unknown, usage?: unknown): Behaviour =>
    (response) =>
      send(response, 200, completion({ role: "assistant", content: JSON.stringify(value) }, "stop", usage)),
  /** Answers each request by the name of the requested object; an unknown name gets garbled text. */
  byName: (table: Readonly<Record<string, (prompt: string, count: number) => unknown>>): Behaviour => {
    const counts = new Map<string, number>()
    return (response, { body }) => {
      const { name } = body.response_format.json_schema
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      const prompt = body.messages.at(-1)?.content ?? ""
      const content = JSON.stringify(table[name]?.(prompt, count) ?? "none")
      send(response, 200, completion({ role: "assistant", content }))
    }
  },
  says:
    (content: string | null, finishReason = "stop"): Behaviour =>
    (response) =>
      send(response, 200, completion({ role: "assistant", content }, finishReason)),
  declines:
    (refusal: string): Behaviour =>
    (response) =>
      send(response, 200, completion({ role: "assistant", content: null, refusal })),
  /** Any JSON with any status; upstream errors often repeat the request. */
  status:
    (status: number, headers: Record<string, string> = {}): Behaviour =>
    (response, { headers: sent }) =>
      send(response, status, { error: { message: `bad request by ${sent.authorization}`, code: "oops" } }, headers),
  raw:
    (text: string): Behaviour =>
    (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(text),
  /** Accepts the request and never answers. */
  silent: (): void => {},
  /** Half an answer, then nothing, with the connection open. */
  stalls: (response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"choices":[')
  },
  /** Half an answer, then a closed connection. */
  cutsOff: (response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
    response.write('{"choices":[', () => response.destroy())
  },
  /** A good answer in a body of the given size in bytes. */
  padded:
    (value: unknown, bytes: number): Behaviour =>
    (response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(completion({ role: "assistant", content: JSON.stringify(value) })).padEnd(bytes)),
  /** An endless answer. */
  endless:
    (status: number): Behaviour =>
    (response) => {
      response.writeHead(status, { "content-type": "application/json" })
      const more = () => {
        if (response.destroyed) return
        response.write(`{"choices":[${" ".repeat(64 * 1024)}`, more)
      }
      more()
    }
} as const

/** A key that may appear nowhere but in the Authorization header. */
export const modelKey = "sk-secret-0123456789abcdef"

/** The body that a client sent; undefined for one that was killed while sending. */
export const receivedFrom = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const parts: Array<Buffer> = []
  try {
    for await (const part of request) parts.push(part)
  } catch {
    return undefined
  }
  return Buffer.concat(parts)
}

/**
 * A local OpenAI-compatible server that treats each request according to the next entry of `plan`, and repeats the
 * last. `requests` records the requests; `closed` counts those whose connection the client gave up.
 */
export const startModelServer = Effect.acquireRelease(
  Effect.callback<{
    readonly url: string
    readonly endpoint: ModelEndpoint
    readonly requests: Array<ModelRequest>
    readonly plan: (...next: ReadonlyArray<Behaviour>) => void
    readonly abandoned: () => number
    readonly close: () => void
  }>((resume) => {
    const requests: Array<ModelRequest> = []
    let plan: ReadonlyArray<Behaviour> = [behaviours.silent]
    let abandoned = 0
    const server = createServer(async (request, response) => {
      response.on("close", () => {
        if (!response.writableFinished) abandoned += 1
      })
      const sent = await receivedFrom(request)
      if (sent === undefined) return
      const body: ModelRequest["body"] = JSON.parse(sent.toString() || "{}")
      const received = { path: request.url ?? "", headers: request.headers, body }
      requests.push(received)
      const [behave = behaviours.silent, ...rest] = plan
      if (rest.length > 0) plan = rest
      behave(response, received)
    }).listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      resume(
        Effect.succeed({
          url,
          endpoint: { url, key: Redacted.make(modelKey), name: "a-model" },
          requests,
          plan: (...next) => {
            plan = next
          },
          abandoned: () => abandoned,
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** The environment of a deployment whose cloud model and check model are both at this address. */
export const twoModelsAt = (url: string) => ({
  CLOUD_MODEL_URL: url,
  CLOUD_MODEL_NAME: "a-model",
  CHECK_MODEL_URL: url,
  CHECK_MODEL_NAME: "a-checker"
})
