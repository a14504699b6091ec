/** Whether a host, as `URL.hostname` writes it, is this machine, so that nothing sent there crosses a network. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)

/** A host name or address as a web address has it: IPv6 in brackets (RFC 3986, section 3.2.2). */
export const urlHost = (host: string): string => (host.includes(":") ? `[${host}]` : host)
