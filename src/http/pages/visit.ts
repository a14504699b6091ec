import type { HttpServerRequest } from "effect/http"
import { isbot } from "isbot"
import { wantedForm } from "./show.ts"

/**
 * Whether a browser opens the page in a window: no HEAD, no Markdown, no prefetch (`Sec-Purpose`) and no subresource
 * (Fetch Metadata).
 */
export const isOpened = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const { accept = "", purpose, "sec-purpose": secPurpose, "sec-fetch-dest": dest } = request.headers
  return (
    request.method === "GET" &&
    wantedForm(request) === "html" &&
    accept.includes("text/html") &&
    purpose === undefined &&
    secPurpose === undefined &&
    (dest === undefined || dest === "document")
  )
}

/** Whether it is a person who opens it: no program that previews links in messages either. */
export const isVisit = (request: HttpServerRequest.HttpServerRequest): boolean =>
  isOpened(request) && !isbot(request.headers["user-agent"])
