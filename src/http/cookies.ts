import { DateTime, Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { isLoopback } from "../../layers/networks/host.ts"
import { securitySchemes } from "../api/security.ts"

/** A reader's session. */
export const sessionCookie = securitySchemes.session.name
/** A redeemed share grant. */
export const shareCookie = "cr_share"

/** Whether cookies may travel without TLS: http on this machine. */
const isBare = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === "http:" && isLoopback(hostname)
}

/** The attributes of the service's cookies (contract section 5): Secure unless the base address is http on loopback. */
const optionsOf = (baseUrl: string) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: !isBare(baseUrl)
})

/**
 * The name of a cookie that no other host of the same domain can set, where that is possible (RFC 6265bis, section
 * 4.1.3.2): an attacker who could plant it could sign a victim in as someone else.
 */
const ownName = (baseUrl: string, name: string): string => (optionsOf(baseUrl).secure ? `__Host-${name}` : name)

/** The cookie that binds a sign-in in progress to its browser. */
export const signInCookie = (baseUrl: string): string => ownName(baseUrl, "cr_sign_in")

/** The cookies of a console at this address: its session, apart from any reader's, and a sign-in in progress. */
export const operatorCookies = (url = "http://localhost") => ({
  session: ownName(url, "cr_operator"),
  signIn: ownName(url, "cr_operator_sign_in")
})

/** Sets a cookie on the response to this request, in place of one of the same name set before. */
export const answerWithCookie = (
  baseUrl: string,
  cookie: { readonly name: string; readonly value: string; readonly expires: DateTime.Utc }
) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setCookieUnsafe(response, cookie.name, cookie.value, {
        ...optionsOf(baseUrl),
        expires: DateTime.toDate(cookie.expires)
      })
    )
  )

/** Makes the browser forget a cookie. */
export const answerWithoutCookie = (baseUrl: string, name: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.expireCookieUnsafe(response, name, optionsOf(baseUrl)))
  )
