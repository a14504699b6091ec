import { Effect, Struct } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { BrowseQuery } from "../../../schema/browse-query.ts"
import { Directory } from "../../services/directory/directory.ts"
import { Browse } from "../../services/search/browse.ts"
import { canonicalQuery, nameOfQuery } from "../../services/search/query/canonical-query.ts"
import { bodyAt } from "../parts/body-at.ts"
import { queryDecoder, withQuery } from "../query.ts"
import { atomOf, atomType, meetingEntry } from "./atom.ts"
import type { LoadFile } from "./feed-file.ts"

/** The most entries on one page of a feed, and the default. */
const mostEntries = 50

const decode = queryDecoder(BrowseQuery)

/** A feed's scope beyond the parameters of its own address. */
interface Scope {
  /** The address, without a query. */
  readonly path: string
  readonly within: Pick<BrowseQuery, "place_slug" | "agency_slug">
  /** The web page, and the title of the list; by default the browse page, titled after the query. */
  readonly html?: string
  readonly title?: string
}

/**
 * One page of a query's meetings, as Atom. Last changed first, unless `sort` says otherwise: a part that arrives months
 * after its meeting is news too. A feed has no groups.
 */
const feedOf = Effect.fnUntraced(function* (asked: BrowseQuery, { path, within, html, title }: Scope) {
  const { baseUrl } = yield* Environment
  const browse = yield* Browse
  const { page = 1, sort = "updated", page_size = mostEntries } = asked
  const own = { ...canonicalQuery(asked), ...(asked.sort === undefined ? {} : { sort }) }
  const query = { ...own, ...within, sort }
  const size = Math.min(page_size, mostEntries)
  const found = yield* browse.search({ ...query, page, page_size: size })
  const isNewestFirst = sort === "updated" && page === 1
  const [newest] = isNewestFirst
    ? found.meetings
    : (yield* browse.search({ ...query, sort: "updated", page: 1, page_size: 1 })).meetings
  const pages = Math.max(1, Math.ceil(found.total / size))
  const at = (number: number) =>
    withQuery(path, {
      ...own,
      ...(asked.page_size === undefined ? {} : { page_size }),
      ...(number > 1 ? { page: number } : {})
    })
  return {
    contentType: `${atomType}; charset=utf-8`,
    text: atomOf(
      {
        path: withQuery(path, own),
        title: title ?? nameOfQuery(asked),
        html: html ?? withQuery("/browse", own),
        updated: newest?.updated_at,
        pages: {
          self: at(page),
          first: at(1),
          ...(page > 1 ? { previous: at(Math.min(page - 1, pages)) } : {}),
          ...(page < pages ? { next: at(page + 1) } : {}),
          last: at(pages)
        },
        entries: found.meetings.map(meetingEntry)
      },
      baseUrl
    )
  }
})

/** `/browse.atom`: any query of `/browse`, as a feed. */
export const loadBrowseFeed: LoadFile<Browse | Environment> = Effect.fn("BrowseFeed.load")(function* ({ query }) {
  return yield* feedOf(yield* decode(query), { path: "/browse.atom", within: {} })
})

/** `/in/{place}.atom`: the meetings of a place, filtered by the parameters of browse. */
export const loadPlaceFeed: LoadFile<Browse | Directory | Environment> = Effect.fn("PlaceFeed.load")(function* ({
  params,
  query
}) {
  const { slug, name, path } = yield* (yield* Directory).place(params.place ?? "")
  const within = { place_slug: slug }
  const asked = Struct.omit(yield* decode(query), ["place_slug"])
  return yield* feedOf(asked, { path: `${path}.atom`, within, html: path, title: name })
})

/** `/in/{place}/{body}.atom`: the meetings of one body. */
export const loadBodyFeed: LoadFile<Browse | Directory | Environment> = Effect.fn("BodyFeed.load")(function* ({
  params,
  query
}) {
  const body = yield* bodyAt(params.place ?? "", params.body ?? "")
  if ("movedTo" in body) return { movedTo: `${body.movedTo}.atom` }
  const { slug, name, path } = body
  const within = { agency_slug: slug }
  const asked = Struct.omit(yield* decode(query), ["agency_slug"])
  return yield* feedOf(asked, { path: `${path}.atom`, within, html: path, title: name })
})
