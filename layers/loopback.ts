/** Whether a host, as `URL.hostname` writes it, is this machine: what is sent there crosses no wire. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
