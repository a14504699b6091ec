/** Whether a host, as `URL.hostname` writes it, is this machine, so that nothing sent there crosses a network. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
