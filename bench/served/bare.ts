/**
 * A bare `node:http` server: `node bare.ts FILE HEADERS`. It streams a range from the file, and sends the whole file
 * from memory.
 */
import * as fs from "node:fs"
import * as http from "node:http"

const [file = "", given = "{}"] = process.argv.slice(2)
const headers = JSON.parse(given) as http.OutgoingHttpHeaders
const { size } = fs.statSync(file)
const whole = size < 32 * 1024 * 1024 ? fs.readFileSync(file) : undefined

const server = http.createServer((request, response) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []
  if (start === undefined || end === undefined) {
    response.writeHead(200, { ...headers, "content-length": size })
    if (whole === undefined) fs.createReadStream(file).pipe(response)
    else response.end(whole)
    return
  }
  response.writeHead(206, {
    ...headers,
    "content-length": Number(end) - Number(start) + 1,
    "content-range": `bytes ${start}-${end}/${size}`
  })
  fs.createReadStream(file, { start: Number(start), end: Number(end), highWaterMark: 256 * 1024 }).pipe(response)
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ base: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` })
})
process.on("disconnect", () => process.exit())
