export interface Paging {
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

/** The highest page that can be requested (contract section 4). */
const maximumPage = 10_000

/**
 * The `Link` header of a paged list (RFC 8288): absolute `first`, `prev`, `next` and `last`, each with every parameter
 * of the request. Past the end, `prev` is the last page; an empty list has one page.
 */
export const pageLinks = (address: URL, { total, page, pageSize }: Paging): string => {
  const last = Math.min(Math.max(1, Math.ceil(total / pageSize)), maximumPage)
  const pages = {
    first: 1,
    ...(page > 1 ? { prev: Math.min(page - 1, last) } : {}),
    ...(page < last ? { next: page + 1 } : {}),
    last
  }
  return Object.entries(pages)
    .map(([rel, number]) => {
      const target = new URL(address)
      target.searchParams.delete("page")
      target.searchParams.append("page", String(number))
      return `<${target}>; rel="${rel}"`
    })
    .join(", ")
}

/** The same of a list that is read by cursor: `first`, and `next` unless this is the last page. */
export const cursorLinks = (address: URL, after: string | undefined): string => {
  const [first, next] = [new URL(address), new URL(address)]
  first.searchParams.delete("after")
  if (after === undefined) return `<${first}>; rel="first"`
  next.searchParams.set("after", after)
  return `<${first}>; rel="first", <${next}>; rel="next"`
}
