import { Effect, Struct } from "effect"
import type { BrowsePage as Found } from "../../../schema/browse.ts"
import { BrowseQuery } from "../../../schema/browse-query.ts"
import { trendFilters } from "../../../schema/trends.ts"
import { el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import { Directory } from "../../services/directory/directory.ts"
import { Locations } from "../../services/directory/locations.ts"
import { Browse } from "../../services/search/browse.ts"
import { canonicalQuery } from "../../services/search/query/canonical-query.ts"
import type { Load, Page } from "../page.ts"
import { ask } from "../parts/ask.ts"
import { byMonth } from "../parts/months.ts"
import { pager } from "../parts/pager.ts"
import { queryDecoder, valuesOf, withQuery } from "../query.ts"
import { nothingHeld, plural } from "../said.ts"
import { type Asked, browsePath, chipsOf, chosen, filterPanel, filterProse } from "./filters.ts"
import { byMeaning, entries } from "./meant.ts"
import { type Named, namedList, reallyNamed, withoutNames } from "./named.ts"
import { orderInWords, orderLinks, orderOf } from "./order.ts"
import { correction, letGo, otherSpellings, otherWays, searchedWords } from "./spelling.ts"
import { unknownNames, withTyped } from "./typed.ts"

export interface BrowseView extends Asked {
  /** Places and bodies that the words name, or resemble if nothing was found. */
  readonly named: Named
  readonly signedIn: boolean
  readonly newSince?: string | undefined
}

const api = "/api/meetings/browse"

/** Parameters that decide how a list is shown, and not how long it is. */
const paging = ["page_size", "after", "sort", "group_by", "per_group", "facet"] as const

/** The same list as a feed, without the page's order and grouping. */
const feedPath = (query: BrowseQuery): string => withQuery("/browse.atom", { ...canonicalQuery(query) })

/** How often it matches over time, under the same filters. */
const trendPath = ({ q, ...query }: BrowseQuery): string =>
  withQuery("/trends", { q, ...Struct.pick(query, Struct.keys(trendFilters)) })

/** The query in words. */
const subject = (view: BrowseView): string =>
  [...(view.query.q === undefined ? [] : [`“${view.query.q}”`]), ...chipsOf(view).map(({ value }) => value)].join(", ")

/**
 * A form that saves the query, so that its new results are mailed; without an account, a link to sign in and come back.
 */
const saving = ({ query, signedIn }: BrowseView): Kid => {
  const here = browsePath(query)
  const [, saved = ""] = here.split("?")
  return el(
    "li",
    {},
    signedIn
      ? [
          web(
            el(
              "form",
              { method: "post", action: "/account/searches" },
              el("input", { type: "hidden", name: "query", value: saved }),
              el("button", { type: "submit", class: "linklike" }, "Save this search")
            )
          ),
          prose(el("a", { href: "/account/searches" }, "Your saved searches"))
        ]
      : el("a", { href: `/signin?return_to=${encodeURIComponent(here)}` }, "Sign in to save this search")
  )
}

const ways = (view: BrowseView): Kid => {
  const { query } = view
  const { page: _, ...all } = query
  return el(
    "ul",
    { class: "ways", inline: true, "aria-label": "This list elsewhere" },
    el(
      "li",
      {},
      query.group_by === undefined
        ? el("a", { href: browsePath(query, { group_by: "agency" }) }, "Group by body")
        : el("a", { href: browsePath(query, { group_by: undefined }) }, "Do not group")
    ),
    saving(view),
    query.q !== undefined && el("li", {}, el("a", { href: trendPath(query) }, "Over time")),
    el("li", {}, el("a", { href: withQuery(api, all) }, "JSON")),
    el("li", {}, el("a", { href: feedPath(query) }, "Feed"))
  )
}

const lastPage = (found: Found) => (pagesOf(found) === 1 ? "See its one page" : `See its last page, ${pagesOf(found)}`)

/** Which words of a search that finds nothing find something. */
const eachWord = ({ query, found: { words = [] } }: BrowseView): Kid =>
  words.length > 0 && [
    el("p", {}, words.some(({ total }) => total > 0) ? "Each word by itself:" : "No word of it is on record."),
    el(
      "ul",
      { class: "dotted" },
      words.map(({ q, total }) =>
        el(
          "li",
          {},
          total === 0 ? el("span", {}, q) : el("a", { href: browsePath(query, { q, exact: undefined }) }, q),
          " ",
          el("span", { class: "num" }, total === 0 ? "no meeting" : plural(total, "meeting"))
        )
      )
    )
  ]

const empty = (view: BrowseView): Kid => {
  const { query, found, named } = view
  const isWhole = subject(view) === ""
  const nothing = isWhole ? nothingHeld : `No ${query.status === undefined ? "held " : ""}meeting fits all of this.`
  return el(
    "div",
    { class: "empty" },
    el("p", {}, found.total > 0 ? `There is no page ${found.page} of this list.` : nothing),
    eachWord(view),
    named.length > 0 && [el("p", {}, "Did you mean one of these?"), namedList(named.slice(0, 5))],
    el(
      "ul",
      { class: "plain" },
      found.total > 0 &&
        found.groups === undefined &&
        el("li", {}, el("a", { href: browsePath(query, { page: pagesOf(found) }) }, lastPage(found))),
      query.exact === "1" && el("li", {}, otherSpellings(query)),
      query.q !== undefined &&
        chipsOf(view).length > 0 &&
        el("li", {}, el("a", { href: withQuery("/browse", { q: query.q }) }, "Search without filters")),
      el("li", {}, el("a", { href: "/upcoming" }, "See what is coming up")),
      (found.total > 0 || !isWhole) && el("li", {}, el("a", { href: "/browse" }, "See all meetings"))
    )
  )
}

/** The number of pages. Groups have no known total, so there it says whether a next page exists. */
const pagesOf = ({ groups, total, page, page_size }: Found): number =>
  groups === undefined ? Math.ceil(total / page_size) : groups.length < page_size ? page : page + 1

const results = (view: BrowseView, words: ReadonlyArray<string>): Kid => {
  const { query, found, newSince } = view
  if (found.groups !== undefined) {
    return found.groups.map(({ agency, total, meetings }) =>
      el(
        "section",
        {},
        heading(el("a", { href: agency.path }, agency.name)),
        entries(meetings, { words, ofOneBody: true, newSince }),
        total > meetings.length &&
          el(
            "p",
            { class: "more" },
            el(
              "a",
              { href: browsePath(query, { group_by: undefined, per_group: undefined, agency: [agency.slug] }) },
              `All ${plural(total, "meeting")} of ${agency.name}`
            )
          )
      )
    )
  }
  const isByDate = ["newest", "oldest"].includes(orderOf(query))
  return isByDate ? byMonth(found.meetings, { words, newSince }) : entries(found.meetings, { words, newSince })
}

/** Says once a page, to people who are not signed in, that anyone can find spoken words and readers can read them. */
const gateNote = ({ found, query, signedIn }: BrowseView): Kid =>
  !signedIn &&
  found.meetings.some(({ matches = [] }) =>
    matches.some(({ field, snippet }) => field === "transcript" && snippet === undefined)
  ) &&
  el(
    "p",
    { class: "note" },
    "Anyone can find where something was said. ",
    el("a", { href: `/signin?return_to=${encodeURIComponent(browsePath(query))}` }, "Sign in"),
    " to read and hear it; an account is free."
  )

/** `/browse`: held meetings, filtered and searched; the address holds the whole state. */
export const browsePage = (view: BrowseView): Page => {
  const { query, found, named, newSince } = view
  const what = subject(view)
  const title = what === "" ? "All meetings" : `Meetings: ${what}`
  const words = searchedWords(found, query)
  const pages = pagesOf(found)
  const order = found.groups !== undefined ? "by body" : orderInWords(query)
  const { page: _, ...all } = query
  return {
    head: {
      title: found.page > 1 ? `${title}, page ${found.page}` : title,
      description: `${plural(found.total, "meeting")}${what === "" ? "" : ` for ${what}`}, with what was found and the second it was said.`,
      path: browsePath(query),
      access: "open",
      current: "browse",
      searches: true,
      json: withQuery(api, all),
      feed: { href: feedPath(query), title },
      watched: { href: withQuery(api, { ...Struct.omit(all, paging), page_size: 1 }), seen: found.total }
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        heading(title),
        ask({
          label: "Search what was said, decided or planned",
          q: query.q,
          within: Object.entries({ ...canonicalQuery({ ...query, q: "" }) }).flatMap(([name, value]) =>
            valuesOf(value).map((one) => [name, String(one)] as const)
          )
        }),
        el(
          "div",
          { class: "status" },
          el(
            "p",
            { role: "status" },
            el("strong", {}, plural(found.total, "meeting")),
            found.total > 0 && `, ${order}`,
            found.meetings.length > 0 && pages > 1 && found.groups === undefined && `, page ${found.page} of ${pages}`
          ),
          ways(view)
        ),
        letGo(found, query),
        otherWays(found, query),
        correction(found, query),
        unknownNames(found),
        chosen(chipsOf(view))
      ),
      el(
        "div",
        { class: "wide browse" },
        filterPanel(view),
        el(
          "div",
          { class: "results", id: "results", tabindex: -1 },
          found.meetings.length === 0
            ? empty(view)
            : [
                named.length > 0 &&
                  el(
                    "div",
                    { class: "named" },
                    el(
                      "p",
                      { class: "note" },
                      named.length === 1 ? "On record under this name" : "On record under these names"
                    ),
                    namedList(named)
                  ),
                found.groups === undefined && found.total > 1 && orderLinks(query),
                gateNote(view),
                results(view, words)
              ],
          byMeaning(found, newSince),
          pager({ page: found.page, pages, path: (page) => browsePath(query, { page }) })
        ),
        filterProse(view)
      )
    ]
  }
}

const decode = queryDecoder(BrowseQuery)

export const loadBrowse: Load<Browse | Directory | Locations> = Effect.fn("BrowsePage.load")(function* (asked) {
  const typed = yield* decode(asked.query)
  const found = yield* (yield* Browse).search(typed, asked.viewer)
  const query = withTyped(typed, found)
  const words = searchedWords(found, query)
  const { results } = words.length === 0 ? { results: [] } : yield* (yield* Locations).search(words.join(" "))
  const { places } = query.place_slug === undefined ? { places: [] } : yield* (yield* Directory).places
  const named = found.total === 0 ? results : (query.page ?? 1) > 1 ? [] : reallyNamed(results, words)
  return browsePage({
    query,
    found: named.some(({ match }) => match === "name") && found.total > 0 ? withoutNames(found) : found,
    names: Object.fromEntries([
      ...places.map(({ slug, name }) => [slug, name]),
      ...found.facets.agency.map(({ value, label }) => [value, label]),
      ...(found.named ?? []).flatMap((name) => name.found.map(({ slug, label }) => [slug, label]))
    ]),
    signedIn: asked.viewer._tag === "Reader",
    newSince: asked.newSince,
    named
  })
})
