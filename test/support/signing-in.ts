import { Effect } from "effect"
import type { BrowserActor, Page } from "./browser-actor.ts"
import { newestCode } from "./outbox.ts"
import { outbox, serviceAddress } from "./service.ts"

/** The address that starts a sign-in. */
export const startUrl = Effect.fnUntraced(function* (provider: string, returnTo?: string) {
  const url = new URL(`/api/auth/oidc/${provider}/start`, yield* serviceAddress)
  if (returnTo !== undefined) url.searchParams.set("return_to", returnTo)
  return url
})

/** Signs in at the local provider with the code in the outbox, and follows the redirects. */
export const signInLocally = Effect.fnUntraced(function* (
  browser: BrowserActor,
  email: string,
  returnTo = "/api/auth/session"
) {
  const url = yield* startUrl("local", returnTo)
  const folder = yield* outbox
  return yield* Effect.promise(async () => {
    const first = await browser.open(url)
    const second = await browser.submit(first, "Send me a code", { email })
    return browser.submit(second, "Sign in", { code: await newestCode(folder, email) })
  })
})

/** Signs in at a hosted provider, which asks nothing, and follows the redirects. */
export const signInAt = Effect.fnUntraced(function* (
  provider: string,
  browser: BrowserActor,
  returnTo = "/api/auth/session"
) {
  const url = yield* startUrl(provider, returnTo)
  return yield* Effect.promise(() => browser.open(url))
})

/** The account on a page of `GET /api/auth/session`. */
export const accountOn = (
  page: Page
): { readonly id: string; readonly email: string; readonly name?: string } | undefined => JSON.parse(page.html).account
