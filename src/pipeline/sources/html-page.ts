import type { CheerioAPI } from "cheerio/slim"
import { Effect } from "effect"
import type { WebForm } from "../../../layers/web.ts"
import { tidy } from "../../record/formats/text.ts"
import { readable } from "../../record/readable.ts"
import type { Cookies } from "../web/cookies.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { longestCalendar } from "./calendar.ts"

/** A page, parsed, and where it was found in the end. */
export interface HtmlPage {
  readonly $: CheerioAPI
  readonly url: string
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Servers announce UTF-8 and send Windows-1252 all the same. */
const decoded = (body: Buffer): string => {
  try {
    return utf8.decode(body)
  } catch {
    return new TextDecoder("windows-1252").decode(body)
  }
}

/** Parses HTML as a browser would forgive it. The parser is loaded with the first page, as few sources are pages. */
export const parsedHtml = Effect.fnUntraced(function* (body: Buffer) {
  const { load } = yield* Effect.promise(() => import("cheerio/slim"))
  return load(readable(decoded(body)))
})

/** Turns a scrap of HTML into its text. */
export const textOfHtml = Effect.map(
  Effect.promise(() => import("cheerio/slim")),
  ({ load }) =>
    (html: string): string =>
      /[<&]/.test(html)
        ? tidy(
            load(html.replace(/<(br|\/p|\/div|\/li)\b[^>]*>/gi, " $&"))
              .root()
              .text()
          )
        : tidy(html)
)

/** How a page is asked for. */
interface HtmlRequest {
  readonly form?: WebForm
  readonly cookies?: Cookies
  readonly headers?: Readonly<Record<string, string>>
}

/** Fetches a page of HTML. */
export const htmlPage = Effect.fnUntraced(function* (
  web: PoliteWeb["Service"],
  address: string,
  request: HtmlRequest = {}
) {
  const page = yield* web.page(address, {
    accept: "text/html, application/xhtml+xml;q=0.9",
    types: /^(text\/html|application\/xhtml\+xml)\b/i,
    bytes: longestCalendar,
    ...request
  })
  // Nothing was asked that could be unchanged.
  if (page === undefined) return yield* Effect.die(new Error("A page without validators was unchanged."))
  return { $: yield* parsedHtml(page.body), url: page.address } satisfies HtmlPage
})

/** A form as a browser submits it. */
export const formOf = (fields: Readonly<Record<string, string>>): WebForm => ({
  type: "application/x-www-form-urlencoded",
  text: new URLSearchParams(fields).toString()
})

/** The hidden fields of a page's forms: what an ASP.NET page wants back to know where it was. */
export const hiddenFields = ($: CheerioAPI): Readonly<Record<string, string>> =>
  Object.fromEntries(
    $('form input[type="hidden"][name]')
      .toArray()
      .map((input) => [$(input).attr("name") ?? "", $(input).attr("value") ?? ""])
  )

/** The target and argument of `__doPostBack('target','argument')`; undefined if an address calls nothing. */
export const postBackOf = (href: string | undefined): Readonly<Record<string, string>> | undefined => {
  const [, target, argument = ""] = /__doPostBack\('([^']+)','([^']*)'\)/.exec(href ?? "") ?? []
  return target === undefined ? undefined : { __EVENTTARGET: target, __EVENTARGUMENT: argument }
}
