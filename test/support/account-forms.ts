import { Effect } from "effect"
import type { Credentials } from "./actors.ts"
import { ask } from "./asked.ts"
import { serviceAddress } from "./service.ts"

/** The origin of the service under test. */
const record = "http://record.example.gov"

const asPage = { accept: "text/html" }

/** Opens a page of the site as a browser does, without following redirects. */
export const opened = Effect.fnUntraced(function* (path: string, { headers }: Pick<Credentials, "headers">) {
  return yield* ask(`${yield* serviceAddress}${path}`, { headers: { ...asPage, ...headers }, redirect: "manual" })
})

/** Posts a form as a browser does from a page of the site, or of the given `origin`. */
export const posted = Effect.fnUntraced(function* (
  path: string,
  { headers }: Pick<Credentials, "headers">,
  fields: Readonly<Record<string, string>>,
  origin = record
) {
  return yield* ask(`${yield* serviceAddress}${path}`, {
    method: "POST",
    headers: { ...asPage, ...headers, origin },
    body: new URLSearchParams(fields),
    redirect: "manual"
  })
})

/** The target of a form, and the page there with its confirmation: as in a browser, which sends the cookie. */
export const followed = Effect.fnUntraced(function* (
  answer: { readonly headers: Headers },
  { headers }: Pick<Credentials, "headers">
) {
  const to = answer.headers.get("location") ?? ""
  const cookies = [headers.cookie, ...answer.headers.getSetCookie().map((line) => line.split(";", 1)[0])]
  return { to, page: yield* opened(to, { headers: { ...headers, cookie: cookies.join("; ") } }) }
})

/** The value of a field on a page. */
export const fieldValue = (html: string, name: string): string | undefined =>
  /\svalue="([^"]*)"/.exec(new RegExp(`<input[^>]*\\sname="${name}"[^>]*>`).exec(html)?.[0] ?? "")?.[1]
