import { isLoopback, urlHost } from "../../../layers/networks/host.ts"

/** The headers that say where a request goes and where it comes from. */
type Headers = Readonly<Record<string, string | undefined>>

const hostnameOf = (host: string | undefined): string | undefined => URL.parse(`http://${host}`)?.hostname

/**
 * Why a request to the operators' listener is refused, if it is. The listener trusts everybody who can reach it, and a
 * page in an operator's browser reaches loopback too: under a name of its own that resolves to it (DNS rebinding),
 * which `Host` shows, or by a request across origins, which `Origin` and Fetch Metadata show. Following a link from
 * elsewhere is allowed. `scheme` is that of the console's own address: a page without TLS is of another origin. A
 * request that changes something must say that it comes from a page of the same origin, as every browser does.
 */
export const trespassOf = (
  headers: Headers,
  method: string,
  { listensOn, scheme = "http:" }: { readonly listensOn: string; readonly scheme?: string | undefined }
): "host" | "origin" | undefined => {
  const { host, origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers
  const named = hostnameOf(host)
  if (named === undefined || (isLoopback(urlHost(listensOn)) && !isLoopback(named))) return "host"
  if (origin !== undefined && origin !== URL.parse(`${scheme}//${host}`)?.origin) return "origin"
  const reads = method === "GET" || method === "HEAD"
  if (!reads && origin === undefined && site !== "same-origin") return "origin"
  const follows = mode === "navigate" && reads
  return site === undefined || site === "same-origin" || site === "none" || follows ? undefined : "origin"
}
