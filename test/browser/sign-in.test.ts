import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { TestContext } from "vitest"
import { drawn, opened } from "../support/opened-page.ts"
import { newestCode } from "../support/outbox.ts"
import { outbox, serviceAddress } from "../support/service.ts"
import { signInService } from "../support/sign-in-service.ts"
import { startUrl } from "../support/signing-in.ts"

/** A page of the service with a sign-out button. */
const signOutPage = `<!doctype html><html lang="en"><title>Signed in</title><button>Sign out</button><script>
document.querySelector("button").onclick = async () => {
  const { status } = await fetch("/api/auth/logout", { method: "POST" })
  document.title = "Signed out with " + status
}
</script></html>`

const walk = Effect.fnUntraced(function* (test: TestContext) {
  const base = yield* serviceAddress
  const folder = yield* outbox
  const start = yield* startUrl("local", "/api/auth/session?from=browser")
  // Every step shows a page; the browser's only complaint is about the status 401.
  const { page, complaints } = yield* opened(test, start.href, {
    viewport: { width: 390, height: 760 },
    expected: /401/
  })
  yield* Effect.promise(async () => {
    const context = page.context()
    const shot = (name: string) => drawn(page, name)
    const account = async () => (await (await context.request.get(`${base}/api/auth/session`)).json()).account
    await page.route(`${base}/welcome`, (route) => route.fulfill({ contentType: "text/html", body: signOutPage }))

    await shot("1-email")
    await page.getByLabel("E-mail address").fill("browser@example.org")
    await page.getByRole("button", { name: "Send me a code" }).click()
    await page.getByLabel("Code").fill(await newestCode(folder, "browser@example.org"))
    await shot("2-code")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(`${base}/api/auth/session?from=browser`)
    assert.include(await page.locator("body").innerText(), "browser@example.org")
    await shot("3-back")
    assert.strictEqual((await account()).email, "browser@example.org")
    const cookie = (await context.cookies(base)).find(({ name }) => name === "cr_session")
    assert.deepInclude(cookie, { httpOnly: true, sameSite: "Lax", path: "/", secure: false })
    assert.strictEqual(await page.evaluate("document.cookie"), "")

    await page.goto(`${base}/welcome`)
    // Signed out: the cookie is gone from this browser, and worthless in any other.
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForFunction("document.title === 'Signed out with 204'")
    assert.isUndefined(await account())
    assert.isUndefined((await context.cookies(base)).find(({ name }) => name === "cr_session"))
    await context.addCookies([{ name: "cr_session", value: cookie?.value ?? "", url: base }])
    assert.isUndefined(await account())

    // A refusal ends on a page that says so, with one way forward, which the keyboard reaches too.
    await page.goto(start.href)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("heading", { name: "You were not signed in" }).waitFor()
    await shot("4-cancelled")
    await page.emulateMedia({ colorScheme: "dark" })
    await shot("5-cancelled-dark")
    assert.strictEqual(await page.getByRole("alert").innerText(), "The sign-in was canceled. Nothing has changed.")
    assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    const focused = () => page.evaluate("document.activeElement.textContent")
    for (let left = 20; left > 0 && (await focused()) !== "Try again"; left -= 1) await page.keyboard.press("Tab")
    assert.strictEqual(await focused(), "Try again")
    await page.keyboard.press("Enter")
    await page.getByLabel("E-mail address").waitFor()

    assert.deepStrictEqual(complaints, [])
  })
})

layer(signInService({}, {}), { excludeTestServices: true })("signing in with Chromium", (it) => {
  it.effect("goes by the mailed code to return_to, and out again", (test) =>
    Effect.gen(function* () {
      yield* walk(test)
    })
  )
})
