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

/** How deep elements may nest: what reads them calls itself for each level. */
const deepest = 1000
/** How many elements may be open, and how many may stand at the root: work grows with the square of either. */
const mostOpen = 10_000
const mostRoots = 2000

/** Elements that hold nothing, or that end where the next one of their kind begins. */
const flat =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|d[dt]|t[rdh]|thead|tbody|tfoot|option|optgroup)$/i

/** A page as far as it has no more open elements than pages have. */
const closing = (html: string, isXml: boolean): string => {
  let depth = 0
  for (const { 0: tag, 1: end, 2: name = "", index } of html.matchAll(/<(\/?)([a-z][a-z0-9]*)|\/>/gi)) {
    const isEnd = end === "/" || (tag === "/>" && isXml)
    if ((name === "" && !isEnd) || (!isXml && flat.test(name))) continue
    depth = isEnd ? Math.max(0, depth - 1) : depth + 1
    if (depth > mostOpen) return html.slice(0, index)
  }
  return html
}

interface Parent {
  readonly children: Array<object>
}
const isParent = (node: object): node is Parent => "children" in node && Array.isArray(node.children)

/** Leaves out what lies deeper, or beside more, than in any page that means well. */
const cut = (root: Parent) => {
  root.children.splice(mostRoots)
  const open: Array<readonly [node: Parent, depth: number]> = [[root, 0]]
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const [node, depth] = top
    if (depth >= deepest) node.children.length = 0
    for (const child of node.children) if (isParent(child)) open.push([child, depth + 1])
  }
}

/**
 * Parses HTML as a browser would forgive it, in a time that grows with its length alone. The parser is loaded with the
 * first page, as few sources are pages.
 */
const parser = Effect.map(
  Effect.promise(() => import("cheerio/slim")),
  ({ load }) =>
    (html: string, options?: { readonly xml: true }): CheerioAPI => {
      const $ = load(closing(html, options?.xml === true), options)
      for (const root of $.root().toArray()) cut(root)
      return $
    }
)

/** A page, parsed. */
export const parsedHtml = (body: Buffer) => Effect.map(parser, (parse) => parse(readable(decoded(body))))

/** A feed, parsed as the XML that it should be. */
export const parsedXml = (body: Buffer) => Effect.map(parser, (parse) => parse(readable(decoded(body)), { xml: true }))

/** Turns a scrap of HTML into its text. */
export const textOfHtml = Effect.map(
  parser,
  (parse) =>
    (html: string): string =>
      /[<&]/.test(html)
        ? tidy(
            parse(html.replace(/<(br|\/p|\/div|\/li)\b[^>]*>/gi, " $&"))
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
