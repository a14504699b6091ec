import { HttpServerResponse } from "effect/http"

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin"
}
/** What is no page loads nothing, sends nothing and is framed nowhere; a page brings its own policy. */
export const closedPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const oneYear = "max-age=31536000"

/** On everything; `Strict-Transport-Security` only if the base address is https (RFC 6797). */
export const securityHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  ...always,
  "content-security-policy": closedPolicy,
  ...(baseUrl.startsWith("https:") ? { "strict-transport-security": oneYear } : {})
})

/** Adds them to a response, which keeps any that it already has. */
export const withSecurityHeaders =
  (headers: Readonly<Record<string, string>>) =>
  (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.setHeaders(response, { ...headers, ...response.headers })
