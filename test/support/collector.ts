import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly links?: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

interface SentResource {
  readonly resource: { readonly attributes: ReadonlyArray<Attribute> }
  readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<SentSpan> }>
}

/** A collector of traces: accepts JSON at `/v1/traces`, and records the bodies and the path of each request. */
export const receiver = Effect.acquireRelease(
  Effect.callback<{
    readonly url: string
    readonly paths: Array<string>
    readonly resources: Array<SentResource>
    readonly close: () => void
  }>((resume) => {
    const paths: Array<string> = []
    const resources: Array<SentResource> = []
    const server = createServer((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => {
        paths.push(`${request.method} ${request.url} ${request.headers["content-type"]}`)
        resources.push(...JSON.parse(Buffer.concat(parts).toString()).resourceSpans)
        response.end("{}")
      })
    }).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, paths, resources, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** Every span that was sent. */
export const spansIn = (resources: ReadonlyArray<SentResource>): ReadonlyArray<SentSpan> =>
  resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
