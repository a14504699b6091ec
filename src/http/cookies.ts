/** How our cookies are set (contract section 5): Secure unless the base address is http, which is only so on loopback. */
export const cookieOptions = (baseUrl: string, expires: Date) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: baseUrl.startsWith("https:"),
  expires
})
