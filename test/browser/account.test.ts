import * as fs from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import type { TestContext } from "vitest"
import { Db } from "../../layers/db/db.ts"
import { Email, emailKey } from "../../schema/email.ts"
import { AccountId } from "../../schema/primitives.ts"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { Browse } from "../../src/services/search/browse.ts"
import { otherSession, readyClip } from "../support/actors.ts"
import { eachPage, fits, isAccessible, opened } from "../support/opened-page.ts"
import { newestCode } from "../support/outbox.ts"
import { outbox, serviceAddress } from "../support/service.ts"
import { signInService } from "../support/sign-in-service.ts"

const email = "browser@example.org"

const tasks = {
  account: "/account",
  "account-name": "/account/name",
  "account-phone": "/account/phone",
  "account-email": "/account/email",
  "account-email-code": "/account/email/code",
  "account-password": "/account/password",
  "account-follows": "/account/follows",
  "account-calendar": "/account/calendar",
  "account-tokens": "/account/tokens",
  "account-sessions": "/account/sessions",
  "account-mail": "/account/mail",
  "account-searches": "/account/searches",
  "account-clips": "/account/clips",
  "account-export": "/account/export",
  "account-delete": "/account/delete"
}

/** A phone. Refusing a form is not an error. */
const phone = { viewport: { width: 390, height: 900 }, expected: /status of 4\d\d/ }

const signIn = async (page: Page, base: string, folder: string, returnTo: string) => {
  await page.goto(`${base}${returnTo}`)
  await page
    .getByRole("link", { name: /^Continue with/ })
    .first()
    .waitFor()
  await page.goto(`${base}/api/auth/oidc/local/start?return_to=${encodeURIComponent(returnTo)}`)
  await page.getByLabel("E-mail address").fill(email)
  await page.getByRole("button", { name: "Send me a code" }).click()
  await page.getByLabel("Code").fill(await newestCode(folder, email))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${base}${returnTo}`)
}

/** The life of an account in a browser, from the first sign-in to the deletion. */
const life = Effect.fnUntraced(function* (test: TestContext, javaScriptEnabled: boolean) {
  const base = yield* serviceAddress
  const folder = yield* outbox
  const { page, complaints } = yield* opened(test, base, { ...phone, javaScriptEnabled })
  const said = () => page.locator(".done").innerText()
  yield* Effect.promise(async () => {
    await signIn(page, base, folder, "/account")

    await page.getByRole("link", { name: "Name", exact: true }).click()
    await page.getByLabel("Your name").fill("x".repeat(120))
    await page.evaluate("document.getElementById('name')?.removeAttribute('maxlength')")
    await page.getByLabel("Your name").fill("x".repeat(121))
    await page.getByRole("button", { name: "Save the name" }).click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.evaluate("document.activeElement.className"), "troubles")
    await page.getByRole("link", { name: /^Enter a name/ }).click()
    assert.strictEqual(await page.evaluate("document.activeElement.id"), "name")
    assert.strictEqual(await page.getByLabel("Your name").inputValue(), "x".repeat(121))
    await page.getByLabel("Your name").fill("Robin Vale")
    await page.getByRole("button", { name: "Save the name" }).click()
    assert.strictEqual(await said(), "Your name was changed.")
    await page.reload()
    assert.strictEqual(await page.locator(".done").count(), 0)

    await page.goto(`${base}/in/larkmoor/city-council`)
    assert.strictEqual(await page.getByLabel("Mail about all that you follow").inputValue(), "each")
    await page.getByLabel("Mail about all that you follow").selectOption("weekly")
    await page.getByRole("button", { name: "Follow", exact: true }).click()
    await page.getByRole("button", { name: "Stop following" }).waitFor()
    await page.getByText("New recaps are mailed to you once a week.").waitFor()
    assert.strictEqual(new URL(page.url()).pathname, "/in/larkmoor/city-council")

    await page.goto(`${base}/browse?q=greenway`)
    await page.getByRole("button", { name: "Save this search" }).click()
    assert.strictEqual(await said(), "The search was saved.")

    await page.goto(`${base}/account/tokens`)
    await page.getByLabel("Name of the program").fill("Assistant")
    await page.getByRole("button", { name: "Make a token" }).click()
    assert.match(await page.locator(".secret").innerText(), /^cr_reader_[\w-]{43}$/)
    assert.isTrue(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
    await page.getByRole("link", { name: "Done" }).click()
    await page.getByRole("button", { name: "Revoke Assistant" }).click()
    assert.strictEqual(await said(), "The token was revoked. It opens nothing any more.")
  })

  const [row] = yield* (yield* Db)<{ id: string }>`
    select id from account where email_key = ${emailKey(Email.make(email))}`
  const { meetings } = yield* Browse.use((browse) => browse.search({ page_size: 1 }))
  const [meeting] = meetings
  if (row === undefined || meeting === undefined) return assert.fail("there is no account, or no meeting")
  const { id } = yield* readyClip(AccountId.make(row.id), meeting.id)
  const db = yield* Db
  const state = (to: "rendering" | "ready") =>
    Effect.orDie(db`
      update user_clip set state = ${to}, ready_at = ${to === "ready" ? "2026-01-01T00:00:00Z" : null} where id = ${id}`)
  yield* state("rendering")
  yield* Effect.promise(() => page.goto(`${base}/account/clips`))
  yield* state("ready")
  yield* otherSession(AccountId.make(row.id))

  yield* Effect.promise(async () => {
    if (!javaScriptEnabled) await page.reload()
    await page.getByRole("link", { name: "Download Ready (mp4)" }).waitFor()
    await page.locator("summary").click()
    await page.getByRole("button", { name: "Delete this clip" }).click()
    assert.include(await said(), "The clip was deleted")

    await page.goto(`${base}/account/sessions`)
    await page.getByRole("button", { name: /^End Firefox on Linux/ }).click()
    assert.strictEqual(await said(), "That browser was signed out.")
    assert.strictEqual(await page.getByRole("button", { name: /^End/ }).count(), 0)

    await page.goto(`${base}/account/export`)
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download the file" }).click()
    ])
    assert.match(download.suggestedFilename(), /^civic-record-account-.*\.json$/)
    const file = JSON.parse(fs.readFileSync(await download.path(), "utf8"))
    assert.strictEqual(file.account.name, "Robin Vale")
    assert.deepStrictEqual(file.follows.agencies, ["larkmoor-city-council"])

    await page.goto(`${base}/account/delete`)
    await page.getByLabel("Type your e-mail address to confirm").fill(email)
    await page.getByRole("button", { name: "Delete my account for good" }).click()
    await page.getByRole("heading", { level: 1, name: "Your account was deleted" }).waitFor()
    assert.isUndefined((await page.context().cookies(base)).find(({ name }) => name === "cr_session"))
    assert.deepStrictEqual(complaints, [])
  })
})

const Service = Layer.provideMerge(Layer.effectDiscard(putSample), signInService({}, {}))

layer(Service, { excludeTestServices: true })("an account in Chromium", (it) => {
  for (const script of [true, false]) {
    it.effect(
      `is created, used and deleted ${script ? "with" : "without"} scripts`,
      (test) =>
        Effect.gen(function* () {
          yield* life(test, script)
        }),
      300_000
    )
  }

  it.effect(
    "has pages that fit a phone, pass the accessibility rules, light and dark, and can be left again",
    (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const folder = yield* outbox
        const browser = yield* opened(test, base, { ...phone, bypassCSP: true })
        const { page, complaints } = browser
        yield* Effect.promise(async () => {
          await signIn(page, base, folder, "/account")
          const look = async (name: string) => {
            await fits(page, name, 390)
            await isAccessible(page, name)
          }
          await eachPage(browser, base, tasks, look)
          await page.goto(`${base}/account/phone`)
          await page.getByRole("button", { name: "Save the number" }).click()
          await page.getByRole("alert").waitFor()
          await look("refused")
          await page.goto(`${base}/account`)
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.waitForURL(`${base}/`)
          await page.getByRole("link", { name: "Sign in" }).waitFor()
          assert.deepStrictEqual(complaints, [])
        })
      }),
    300_000
  )
})
