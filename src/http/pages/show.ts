import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { Assets } from "../../pages/assets.ts"
import { alternatesOf, documentOf, proseOf } from "../../pages/document.ts"
import type { Head, Page } from "../../pages/page.ts"
import { mediaDirective, mediaSource } from "../media/hand-off.ts"
import { type PageForm, pageForm } from "./negotiation.ts"

/** The policy of pages: load only from this origin, and run or show nothing inline. */
const pagePolicy = ({ frames }: Head, store: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    mediaDirective("'self'", store),
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** The policy of the one page that other sites show in a frame; it runs no script. */
export const framedPolicy = (store: string | undefined): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    mediaDirective("'self'", store),
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors *"
  ].join("; ")

/** Caching of a page that is the same for every anonymous reader (contract section 1). */
export const publicPage = "public, max-age=60, stale-while-revalidate=300"

const linkHeader = (head: Head, base: string): Readonly<Record<string, string>> => {
  const links = alternatesOf(head).map(
    ({ href, rel, ...link }) => `<${base}${href}>; rel="${rel}"${"type" in link ? `; type="${link.type}"` : ""}`
  )
  return links.length === 0 ? {} : { link: links.join(", ") }
}

/** The masthead shows who is signed in, so a page varies by cookie as well as by form. */
const headersOf = (
  { status, head }: Page,
  base: string,
  store: string | undefined
): Readonly<Record<string, string>> => ({
  vary: "Accept, Cookie",
  "content-security-policy": pagePolicy(head, store),
  ...linkHeader(head, base),
  ...(status !== undefined && status >= 400
    ? {}
    : head.discreet || head.personal
      ? { "cache-control": "private, no-store" }
      : { "cache-control": publicPage }),
  // Not `no-referrer`: a form on such a page would be sent with `Origin: null`, as if from another site (Fetch, section
  // 3.2).
  ...(head.discreet ? { "referrer-policy": "same-origin", "x-robots-tag": "noindex" } : {})
})

/** The requested path without its query, and whether it is the Markdown spelling of another: `/md/browse`. */
export const addressOf = ({ url }: HttpServerRequest.HttpServerRequest) => {
  const path = url.split("?", 1)[0] ?? "/"
  const isMarkdown = path === "/md" || path.startsWith("/md/")
  return { path: isMarkdown ? path.slice("/md".length) || "/" : path, isMarkdown }
}

/** Redirects permanently, in the requested spelling, with the query. */
export const redirect = (
  request: HttpServerRequest.HttpServerRequest,
  to: string
): HttpServerResponse.HttpServerResponse => {
  const { isMarkdown } = addressOf(request)
  const query = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : ""
  return HttpServerResponse.empty({
    status: 308,
    headers: { location: (isMarkdown ? `/md${to}` : to) + query, "cache-control": publicPage }
  })
}

/** The form that a request asks for, by its address or by `Accept`. */
export const wantedForm = (request: HttpServerRequest.HttpServerRequest): PageForm =>
  addressOf(request).isMarkdown ? "markdown" : pageForm(request.headers.accept)

/** Where a cached page is found: its form and its address, spelled as they are sent. */
export const pageAddress = (request: HttpServerRequest.HttpServerRequest) => ({
  until: "minute" as const,
  target: `${wantedForm(request)} ${request.url}`
})

/** Sends a page in the requested form, or in a given one. */
export const showing = Effect.gen(function* () {
  const { baseUrl: base } = yield* Environment
  const assets = yield* Assets
  const store = yield* mediaSource
  return (
    request: HttpServerRequest.HttpServerRequest,
    page: Page,
    signedIn: boolean,
    form: PageForm = wantedForm(request)
  ): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.text(form === "markdown" ? proseOf(page, base) : documentOf(page, { base, assets, signedIn }), {
      status: page.status ?? 200,
      contentType: `text/${form}; charset=utf-8`,
      headers: headersOf(page, base, store)
    })
})
