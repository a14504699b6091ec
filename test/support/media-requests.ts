import * as http from "node:http"
import * as https from "node:https"
import { Effect } from "effect"
import { Signer } from "../../layers/signer/signer.ts"

interface Sent {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** One request on a connection of its own, whose path is sent exactly as written; no certificate is checked. */
export const sentTo = (base: string, target: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.callback<Sent>((resume) => {
    const { protocol, hostname: host, port } = new URL(base)
    const options = { host, port, path: target, headers, method, agent: false, rejectUnauthorized: false }
    const { request } = protocol === "https:" ? https : http
    request(options, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () =>
        resume(
          Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
        )
      )
    }).end()
  })

/** The path of an object with a signature of now. */
export const signedPath = Effect.fnUntraced(function* (key: string, download = false) {
  const { sig } = yield* Signer.use((signer) => signer.signMedia(key, { download }))
  return `/api/media/${key}?sig=${sig}`
})

export const errorOf = ({ body }: Sent): unknown => (JSON.parse(String(body)) as { readonly error: unknown }).error
