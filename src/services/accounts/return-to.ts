import { isUtf8 } from "node:buffer"

/** Longer than any address of a page of ours. */
const longest = 2048
/** How often an address may have been encoded over; more is nobody's honest link. */
const deepest = 5

/** A control character (C0, DEL, C1), a backslash, or an empty segment, which a browser takes for another host. */
const leadsAway = /[\p{Cc}\\]|\/\//u

/** An address and what it becomes, decoded again and again; undefined where it cannot be decoded, or has no end. */
const spellings = (address: string): ReadonlyArray<string> | undefined => {
  const found = [address]
  for (let last = address; found.length <= deepest; ) {
    if (!last.includes("%")) return found
    if (!isEncoded(last)) return undefined
    last = decodeURIComponent(last)
    found.push(last)
  }
  return undefined
}

/** Whether every `%` begins an octet, and the octets are UTF-8. */
const isEncoded = (text: string): boolean => {
  const runs = text.match(/(?:%[0-9a-f]{2})+|%/gi) ?? []
  return runs.every((run) => run !== "%" && isUtf8(Buffer.from(run.replaceAll("%", ""), "hex")))
}

/**
 * Where to send a reader after signing in: a path on this origin, as it was asked for, else `/` (contract section 5). No
 * host, scheme, `//`, backslash or control character, in none of its decoded forms either: proxies and browsers do not
 * agree on who decodes what.
 */
export const safeReturnTo = (asked: string | undefined): string => {
  if (asked === undefined || asked.length > longest || !asked.startsWith("/")) return "/"
  const forms = spellings(asked)
  if (forms === undefined || forms.some((form) => leadsAway.test(form))) return "/"
  // As a browser reads it, which resolves dots; any host shows whether it stays where it is.
  const read = URL.parse(asked, "http://here.invalid")
  if (read === null || read.host !== "here.invalid" || read.username !== "") return "/"
  const path = `${read.pathname}${read.search}${read.hash}`
  return leadsAway.test(path) ? "/" : path
}
