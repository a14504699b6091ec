import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** How a city's server answers at a path. */
export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void

/** Answers with a text of the given type. */
export const says =
  (body: string | Buffer, type = "application/json", headers: http.OutgoingHttpHeaders = {}): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": type, ...headers })
    response.end(body)
  }

/** Answers a form by what was sent, as text; what is not a POST is refused, as page methods refuse it. */
export const answersForm =
  (answer: (sent: string, request: http.IncomingMessage) => string, type = "text/html; charset=utf-8"): Answer =>
  (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      response.writeHead(request.method === "POST" ? 200 : 405, { "content-type": type })
      response.end(request.method === "POST" ? answer(Buffer.concat(chunks).toString(), request) : "")
    })
  }

/** Answers with a status alone. */
export const status =
  (code: number, headers: http.OutgoingHttpHeaders = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers)
    response.end()
  }

/** A file as a web server sends it, in ranges when they are requested. */
export const file =
  (bytes: Buffer, type: string, etag = '"1"'): Answer =>
  (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0)
    const isPart = request.headers.range !== undefined && request.headers["if-range"] === etag
    if (isPart && from >= bytes.length)
      return void response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end()
    const body = isPart ? bytes.subarray(from) : bytes
    response.writeHead(isPart ? 206 : 200, {
      "content-type": type,
      "content-length": body.length,
      etag,
      ...(isPart ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {})
    })
    response.end(body)
  }

/** A city's server on this machine, whose responses a test sets by path and may change. It records its requests. */
export const cityServer = (host = "127.0.0.1") =>
  Effect.gen(function* () {
    const answers = new Map<string, Answer>()
    const asked: Array<{ readonly path: string; readonly headers: http.IncomingHttpHeaders }> = []
    const server = http.createServer((request, response) => {
      const path = request.url ?? "/"
      asked.push({ path, headers: request.headers })
      const answer = answers.get(path) ?? answers.get(path.split("?")[0] ?? "") ?? status(404)
      answer(request, response)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, host, resolve))),
      () =>
        Effect.promise(async () => {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })
    )
    const { port } = server.address() as AddressInfo
    return { answers, asked, port, url: `http://${host}:${port}` }
  })
export type CityServer = Effect.Success<ReturnType<typeof cityServer>>
