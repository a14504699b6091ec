/** The header fields of a request about one representation, as sent; each is missing if it was not. */
export interface RangeRequest {
  readonly method: string
  readonly rangeHeader?: string | undefined
  readonly ifRange?: string | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly ifModifiedSince?: string | undefined
  readonly ifUnmodifiedSince?: string | undefined
  /** The current validator with its quotes; strong unless it starts with `W/`. */
  readonly etag: string
  readonly lastModified: Date
  /** Bytes. */
  readonly size: number
}

/** The answer. `start` and `end` are the offsets of the first and last byte, both included. */
export type RangeSelection =
  | { readonly status: 200 }
  | { readonly status: 206; readonly start: number; readonly end: number; readonly contentRange: string }
  | { readonly status: 304 }
  | { readonly status: 412 }
  | { readonly status: 416; readonly contentRange: string }

const whole: RangeSelection = { status: 200 }

/**
 * Evaluates conditions and range in the order of RFC 9110, section 13.2.2. Several ranges, an unknown unit and a range
 * that does not parse answer 200 (sections 14.2 and 15.3.7; contract section 7); HEAD has no ranges (section 14.2).
 */
export const selectRange = (request: RangeRequest): RangeSelection => {
  const { method, ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince, etag, lastModified } = request
  const isRead = method === "GET" || method === "HEAD"
  const modified = Math.floor(lastModified.getTime() / 1000) * 1000
  if (ifMatch !== undefined) {
    if (!tagsIn(ifMatch, (tag) => isStrongly(tag, etag))) return { status: 412 }
  } else if (ifUnmodifiedSince !== undefined && modified > (parseHttpDate(ifUnmodifiedSince) ?? modified)) {
    return { status: 412 }
  }
  if (ifNoneMatch !== undefined) {
    if (tagsIn(ifNoneMatch, (tag) => opaque(tag) === opaque(etag))) return { status: isRead ? 304 : 412 }
  } else if (isRead && ifModifiedSince !== undefined) {
    const since = parseHttpDate(ifModifiedSince)
    if (since !== undefined && modified <= since) return { status: 304 }
  }
  const { rangeHeader, ifRange, size } = request
  if (method !== "GET" || rangeHeader === undefined) return whole
  const isCurrent =
    ifRange === undefined ||
    (/^\s*(W\/)?"/.test(ifRange) ? isStrongly(ifRange.trim(), etag) : parseHttpDate(ifRange) === modified)
  return isCurrent ? rangeOf(rangeHeader, size) : whole
}

const rangeOf = (header: string, size: number): RangeSelection => {
  const ranges = /^bytes=(.*)$/i
    .exec(header.trim())?.[1]
    // A list may have empty members, which are ignored (section 5.6.1.2).
    ?.split(",")
    .map((range) => range.replace(/^[ \t]+|[ \t]+$/g, ""))
    .filter((range) => range !== "")
  const [only, ...others] = ranges ?? []
  const [, first, last] = /^(\d*)-(\d*)$/.exec(only ?? "") ?? []
  if (others.length > 0 || first === undefined || last === undefined || first + last === "") return whole
  const unsatisfiable: RangeSelection = { status: 416, contentRange: `bytes */${size}` }
  if (first === "") {
    if (Number(last) === 0) return unsatisfiable
    // The whole of nothing is satisfiable, but no Content-Range can say so.
    return size === 0 ? whole : partial(Math.max(0, size - Number(last)), size - 1, size)
  }
  if (last !== "" && Number(last) < Number(first)) return whole
  if (Number(first) >= size) return unsatisfiable
  return partial(Number(first), last === "" ? size - 1 : Math.min(Number(last), size - 1), size)
}

const partial = (start: number, end: number, size: number): RangeSelection => ({
  status: 206,
  start,
  end,
  contentRange: `bytes ${start}-${end}/${size}`
})

const opaque = (tag: string): string => tag.replace(/^W\//, "")

/** Strong comparison (section 8.8.3.2): a weak tag equals nothing. */
const isStrongly = (tag: string, etag: string): boolean => tag === etag && !tag.startsWith("W/")

/** Whether one of the tags in If-Match or If-None-Match passes the test; `*` stands for any version. */
const tagsIn = (header: string, test: (tag: string) => boolean): boolean =>
  header.trim() === "*" || (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some(test)

const time = "\\d{2}:\\d{2}:\\d{2}"
const dateForms = [
  new RegExp(`^[A-Z][a-z]{2}, (\\d{2}) [A-Z][a-z]{2} \\d{4} ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]+, (\\d{2})-[A-Z][a-z]{2}-\\d{2} ${time} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ \\d]\\d) ${time} \\d{4}$`)
]

/** Milliseconds of an HTTP-date in any of its three forms (section 5.6.7); undefined for anything else. */
const parseHttpDate = (text: string): number | undefined => {
  const sent = text.trim()
  const day = dateForms.map((form) => form.exec(sent)?.[1]).find((found) => found !== undefined)
  const millis = day === undefined ? Number.NaN : Date.parse(sent.endsWith("GMT") ? sent : `${sent} GMT`)
  // Date.parse turns 31 February into 3 March.
  return new Date(millis).getUTCDate() === Number(day) ? millis : undefined
}
