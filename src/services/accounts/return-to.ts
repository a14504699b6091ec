import { isUtf8 } from "node:buffer"

/** Longer than any address of a page. */
const longest = 2048
/** How many layers of encoding an address may have; no honest link has more. */
const deepest = 5

/** A control character (C0, DEL, C1), a backslash, or an empty segment, which a browser takes for another host. */
const leadsAway = /[\p{Cc}\\]|\/\//u

/** An address and its repeated decodings; undefined if it cannot be decoded, or never settles. */
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
 * The path to redirect to after signing in: the requested path on this origin, else `/` (contract section 5). Refuses a
 * host, scheme, `//`, backslash or control character, in any decoded form too: proxies and browsers do not agree on who
 * decodes what.
 */
export const safeReturnTo = (asked: string | undefined): string => {
  if (asked === undefined || asked.length > longest || !asked.startsWith("/")) return "/"
  const forms = spellings(asked)
  if (forms === undefined || forms.some((form) => leadsAway.test(form))) return "/"
  // Resolved like a browser does, dots included; any base host shows whether the path leaves it.
  const read = URL.parse(asked, "http://here.invalid")
  if (read === null || read.host !== "here.invalid" || read.username !== "") return "/"
  const path = `${read.pathname}${read.search}${read.hash}`
  return leadsAway.test(path) ? "/" : path
}
