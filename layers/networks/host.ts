/** Whether a host, as in `URL.hostname`, is this machine, so that traffic to it crosses no network. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)

/** A host name or address as written in a URL: IPv6 in brackets (RFC 3986, section 3.2.2). */
export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host)
