/** Whether an address is http on this machine: `localhost`, 127.0.0.0/8 or ::1. */
const isLoopback = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === "http:" && (hostname === "localhost" || hostname === "[::1]" || /^127\.[\d.]+$/.test(hostname))
}

/** How our cookies are set (contract section 5): Secure unless the base address is http on loopback. */
export const cookieOptions = (baseUrl: string, expires: Date) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: !isLoopback(baseUrl),
  expires
})
