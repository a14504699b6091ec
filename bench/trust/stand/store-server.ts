/**
 * The media store of the stand: a small S3 whose objects are files, so that they outlive it, behind a listener that
 * refuses what is not signed with a key it knows. Its arguments are a port, a folder, and a file with the keys.
 */
import * as fs from "node:fs"
import * as http from "node:http"
import { AwsV4Signer } from "aws4fetch"
import { startFauxqs } from "fauxqs"

const [port = "0", folder = ".", keys = ""] = process.argv.slice(2)
const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false, s3StorageDir: folder })

const authorization = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/.*SignedHeaders=([^,]+),/u

/** Whether a request is signed by a key that is known: signed again with it, it has the same signature. */
const isSigned = async ({ headers, method = "GET", url = "/" }: http.IncomingMessage) => {
  const [, id, signed = ""] = authorization.exec(headers.authorization ?? "") ?? []
  const known = (JSON.parse(fs.readFileSync(keys, "utf8")) as ReadonlyArray<{ id: string; secret: string }>).find(
    (key) => key.id === id
  )
  if (known === undefined) return false
  const signer = new AwsV4Signer({
    method,
    url: `http://${headers.host}${url}`,
    headers: signed
      .split(";")
      .filter((name) => name !== "host")
      .map((name): [string, string] => [name, String(headers[name])]),
    accessKeyId: known.id,
    secretAccessKey: known.secret,
    service: "s3",
    region: "us-east-1",
    datetime: String(headers["x-amz-date"]),
    allHeaders: true
  })
  return (await signer.authHeader()) === headers.authorization
}

http
  .createServer(async (request, response) => {
    if (!(await isSigned(request))) {
      request.resume()
      return response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>")
    }
    const { method, url, headers } = request
    const onward = http.request({ host: "127.0.0.1", port: server.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.destroy())
    request.pipe(onward)
  })
  .listen(Number(port), "127.0.0.1")
process.on("SIGTERM", () => server.stop().then(() => process.exit(0)))
