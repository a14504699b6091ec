import { isLoopback } from "../../layers/loopback.ts"

/** Whether cookies may cross without TLS: http on this machine. */
const isBare = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === "http:" && isLoopback(hostname)
}

/** How our cookies are set (contract section 5): Secure unless the base address is http on loopback. */
export const cookieOptions = (baseUrl: string) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: !isBare(baseUrl)
})

/**
 * The cookie that binds a sign-in under way to its browser. Where it can be, its name is one that no other host of the
 * same domain can set (RFC 6265bis, section 4.1.3.2): who could plant it could have somebody sign in as somebody else.
 */
export const signInCookie = (baseUrl: string): string =>
  cookieOptions(baseUrl).secure ? "__Host-cr_sign_in" : "cr_sign_in"
