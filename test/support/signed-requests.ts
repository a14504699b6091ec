import type { IncomingMessage } from "node:http"
import * as http from "node:http"
import { AwsV4Signer } from "aws4fetch"

const authorization = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/.*SignedHeaders=([^,]+),/u

/** Milliseconds of a time such as 20261126T013000Z. */
const timeOf = (compact: string): number =>
  Date.parse(compact.replace(/^(....)(..)(..T..)(..)(..Z)$/u, "$1-$2-$3:$4:$5"))

/** Whether a request is signed with a key that is known: signed again with it, it has the same signature. */
const isSigned = async ({ headers, method = "GET", url = "/" }: IncomingMessage, secretOf: SecretOf) => {
  const address = new URL(`http://${headers.host}${url}`)
  const given = address.searchParams.get("X-Amz-Signature")
  const [, inHeader = "", signed = ""] = authorization.exec(headers.authorization ?? "") ?? []
  const accessKeyId = address.searchParams.get("X-Amz-Credential")?.split("/")[0] ?? inHeader
  const secretAccessKey = secretOf(accessKeyId)
  if (secretAccessKey === undefined) return false
  const common = { method, accessKeyId, secretAccessKey, service: "s3", region: "us-east-1" }
  if (given === null) {
    const signer = new AwsV4Signer({
      ...common,
      url: address.href,
      headers: signed
        .split(";")
        .filter((name) => name !== "host")
        .map((name): [string, string] => [name, String(headers[name])]),
      datetime: String(headers["x-amz-date"]),
      allHeaders: true
    })
    return (await signer.authHeader()) === headers.authorization
  }
  address.searchParams.delete("X-Amz-Signature")
  const datetime = address.searchParams.get("X-Amz-Date") ?? ""
  const until = timeOf(datetime) + Number(address.searchParams.get("X-Amz-Expires")) * 1000
  const signer = new AwsV4Signer({ ...common, url: address.href, datetime, signQuery: true })
  return (await signer.sign()).url.searchParams.get("X-Amz-Signature") === given && Date.now() < until
}

type SecretOf = (accessKeyId: string) => string | undefined

/**
 * A listener before a small S3 on this machine that refuses what is not signed, in a header or in the query, or whose
 * time is over; and tells of what it lets through.
 */
export const signedDoor = (to: number, secretOf: SecretOf, onPassed: (request: IncomingMessage) => void = () => {}) =>
  http.createServer(async (request, response) => {
    if (!(await isSigned(request, secretOf))) {
      request.resume()
      response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>")
      return
    }
    onPassed(request)
    const { method, url, headers } = request
    const onward = http.request({ host: "127.0.0.1", port: to, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.destroy())
    response.on("close", () => onward.destroy())
    request.pipe(onward)
  })
