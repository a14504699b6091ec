/**
 * The upper limit: bare `node:http` that answers every request with the bytes last sent to it. Sends its parent its
 * address.
 */
import * as http from "node:http"

let bytes = Buffer.alloc(0)
const server = http.createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length }).end(bytes)
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ base: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` })
})
process.on("message", (given: string) => {
  bytes = Buffer.from(given, "base64")
  process.send?.({ bytes: bytes.length })
})
process.on("disconnect", () => process.exit())
