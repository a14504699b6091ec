import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import type { TestContext } from "vitest"
import type { Segment } from "../../schema/transcript.ts"
import { anonymous } from "../../schema/viewer.ts"
import { putSample } from "../../src/record/sample/sample-record.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { fits, isAccessible, opened, shown } from "../support/opened-page.ts"
import { putRecording } from "../support/put-recording.ts"
import { TestRenderer, TestWorker } from "../support/rendering.ts"
import { serviceAddress, TestService } from "../support/service.ts"

/** A meeting of the sample, looked up with its details. */
const found = Effect.gen(function* () {
  const base = yield* serviceAddress
  const { meetings } = (yield* ask(`${base}/api/meetings/browse?agency_slug=pena-springs-city-council&q=baler`)).json()
  const [{ id = "" } = {}] = Array.isArray(meetings) ? meetings : []
  return yield* Meetings.use((all) => all.open(id, anonymous))
})

/**
 * The sample, with a recording of that meeting as long as its transcript. It is made once, because that takes a while.
 */
const recorded = Effect.gen(function* () {
  yield* putSample
  yield* putRecording((yield* found).id, 100)
})

const Service = Layer.effectDiscard(recorded).pipe(
  Layer.provideMerge(Layer.mergeAll(TestWorker, TestRenderer)),
  Layer.provideMerge(TestService)
)

/** A browser on a busy machine is slow, and so is cutting a clip. */
const patience = 240_000

/** The address of the meeting's page, the time of a spoken word, and the page as a signed-in reader sees it. */
const prepared = Effect.gen(function* () {
  const base = yield* serviceAddress
  const { id, path } = yield* found
  const { token, credentials } = yield* reader()
  const { segments } = (yield* ask(`${base}/api/meetings/${id}/transcript`, { headers: credentials.headers })).json()
  const said: ReadonlyArray<Segment> = Array.isArray(segments) ? segments : []
  const words = said.flatMap((segment) => segment.words ?? [])
  const start = (text: string): number => words.find((word) => word.text.startsWith(text))?.start ?? Number.NaN
  const asReader = Effect.fnUntraced(function* (test: TestContext, at: string, options: BrowserContextOptions = {}) {
    const found = yield* opened(test, `${base}/about`, options)
    yield* Effect.promise(async () => {
      await found.page.context().addCookies([{ name: "cr_session", value: token, url: base }])
      await shown(found.page, at)
    })
    return found
  })
  return { base, at: base + path, start, asReader }
})

/** Polls until an expression is true of the page; if it never is, the test's time limit ends it. */
const until = async (page: Page, expression: string): Promise<void> => {
  while (!(await page.evaluate(expression))) await page.waitForTimeout(50)
}

/** The position of a transcript word on the screen. */
const placeOf = (page: Page, word: string) =>
  page.evaluate<{ left: number; right: number; y: number }>(`(() => {
    const turn = [...document.querySelectorAll(".turn > span")].find((span) => span.textContent.includes(${JSON.stringify(word)}))
    turn.scrollIntoView({ block: "center", behavior: "instant" })
    const range = document.createRange()
    const at = turn.textContent.indexOf(${JSON.stringify(word)})
    range.setStart(turn.firstChild, at)
    range.setEnd(turn.firstChild, at + ${word.length})
    const { left, right, top, height } = range.getBoundingClientRect()
    return { left, right, y: top + height / 2 }
  })()`)

const videoTime = 'document.querySelector(".player video").currentTime'

layer(Service, { excludeTestServices: true, timeout: patience })("the meeting's page in Chromium", (it) => {
  it.effect(
    "finds words, jumps to the chosen word, opens at a second, and offers the same by keyboard",
    (test) =>
      Effect.gen(function* () {
        const { at, start, asReader } = yield* prepared
        const { page, complaints } = yield* asReader(test, at)
        yield* Effect.promise(async () => {
          const field = page.getByLabel("Find in this transcript")
          const count = page.locator("[data-count]")
          await field.fill("angstrom")
          assert.match(await count.innerText(), /^\d+ found$/)
          await field.press("Enter")
          assert.match(await count.innerText(), /^1 of \d+$/)
          await field.press("Shift+Enter")
          assert.match(await count.innerText(), /^(\d+) of \1$/)
          await field.fill("zeppelin")
          assert.strictEqual(await count.innerText(), "Not said")

          assert.strictEqual(await page.evaluate("CSS.highlights.has('now')"), false)
          const baler = await placeOf(page, "baler")
          await page.mouse.click((baler.left + baler.right) / 2, baler.y)
          await until(page, `Math.abs(${videoTime} - ${start("baler")}) < 3`)
          await until(page, "document.querySelector('.turn[aria-current]')?.textContent.includes('baler')")
          assert.strictEqual(new URL(page.url()).searchParams.get("t"), String(Math.floor(start("baler"))))
          // It keeps playing, and the spoken word is marked.
          await until(page, "CSS.highlights.has('now')")
          await page.evaluate("document.querySelector('.player video').pause()")

          await page.goto(`${at}?t=${Math.floor(start("I'll"))}`)
          const opensAt = await page.evaluate<string>("document.querySelector('.turn[aria-current]').textContent")
          await until(page, `${videoTime} >= ${Math.floor(start("I'll"))}`)
          await page.locator("main").focus()
          await page.keyboard.press("]")
          await until(page, `document.querySelector('.turn[aria-current]').textContent !== ${JSON.stringify(opensAt)}`)
          await page.keyboard.press("/")
          assert.strictEqual(await page.evaluate("document.activeElement.id"), "within")
          assert.deepStrictEqual(complaints, [])
        })
      }),
    patience
  )

  it.effect(
    "opens a moment with its words marked, and steps on from there with the find bar in reach",
    (test) =>
      Effect.gen(function* () {
        const { at, start, asReader } = yield* prepared
        const second = Math.floor(start("baler"))
        const { page, complaints } = yield* asReader(test, `${at}?t=${second}&q=the+baler`)
        yield* Effect.promise(async () => {
          const field = page.getByLabel("Find in this transcript")
          const count = page.locator("[data-count]")
          assert.strictEqual(await field.inputValue(), "the baler")
          assert.match(await count.innerText(), /^\d+ of \d+$/)
          assert.isTrue(await page.evaluate("CSS.highlights.has('here') && CSS.highlights.has('found')"))
          assert.strictEqual(await page.locator(".turn mark").count(), 0)
          assert.isTrue(await page.evaluate("document.querySelectorAll('[data-ruler] rect').length > 0"))
          await page.evaluate("document.querySelector('.turn:last-of-type').scrollIntoView()")
          for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 844 })
            const { y = -1, height = 0 } = (await page.locator("[data-search]").boundingBox()) ?? {}
            assert.isTrue(y >= 0 && y + height < 844, `${width}: ${y}`)
          }
          const before = await count.innerText()
          const [, here = "", all = ""] = /^(\d+) of (\d+)$/.exec(before) ?? []
          await page.getByRole("button", { name: "Next" }).click()
          assert.strictEqual(await count.innerText(), `${(Number(here) % Number(all)) + 1} of ${all}`)
          assert.strictEqual(new URL(page.url()).searchParams.get("q"), "the baler")
          assert.deepStrictEqual(complaints, [])
        })
      }),
    patience
  )

  it.effect(
    "makes a clip of the selected words, and shows by itself when the clip is ready",
    (test) =>
      Effect.gen(function* () {
        const { base, at, start, asReader } = yield* prepared
        const { page, complaints } = yield* asReader(test, at)
        yield* Effect.promise(async () => {
          const first = await placeOf(page, "hay field")
          const last = await placeOf(page, "baler through")
          await page.mouse.move(first.left + 1, first.y)
          await page.mouse.down()
          await page.mouse.move(last.right - 1, last.y, { steps: 4 })
          await page.mouse.up()
          const maker = page.getByRole("region", { name: "Make a clip" })
          const clip = page.getByRole("toolbar", { name: "Selected words" }).getByRole("button", { name: "Clip" })
          await clip.waitFor()
          assert.isFalse(await maker.isVisible())
          await clip.click()
          await maker.waitFor()
          const wanted = Math.floor(start("hay"))
          await maker.getByText(new RegExp(`^0:${wanted} to 0:\\d\\d, \\d+\\.\\d sec$`)).waitFor()
          await maker.getByLabel("Title (optional)").fill("The hay field")
          await maker.getByRole("button", { name: "Make the clip" }).click()
          const mine = page.locator("[data-own-clips]")
          await mine.locator("li", { hasText: "The hay field" }).waitFor()
          // Nothing is pressed or reloaded: the event stream announces that the clip is ready.
          await mine.getByRole("link", { name: "The hay field", exact: true }).waitFor({ timeout: 200_000 })
          const href = await mine.getByRole("link", { name: "The hay field", exact: true }).getAttribute("href")
          assert.strictEqual((await page.request.get(base + href)).status(), 200)
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
          await mine.getByRole("button", { name: "Copy link of The hay field" }).click()
          await page.getByText("Copied the link of The hay field.").waitFor()
          const link = await page.evaluate<string>("navigator.clipboard.readText()")
          assert.strictEqual(new URL(link).pathname, href)
          const share = mine.getByRole("link", { name: "Share or embed The hay field" })
          assert.strictEqual(await share.getAttribute("href"), `${href}#share`)

          // An invalid span says why, and cannot be submitted.
          await page.getByRole("button", { name: "Make a clip" }).click()
          await maker.getByRole("button", { name: "Start here" }).click()
          await maker.getByRole("button", { name: "End here" }).click()
          await maker.getByText("The end must be at least 1 second after the start.").waitFor()
          assert.isTrue(await maker.getByRole("button", { name: "Make the clip" }).isDisabled())
          await maker.getByRole("button", { name: "Suggest" }).click()
          await maker.getByText(/^\d:\d\d to \d:\d\d, \d+\.\d sec$/).waitFor()
          assert.strictEqual(await maker.getByLabel("Title (optional)").inputValue(), "Creek greenway")
          assert.isFalse(await maker.getByRole("button", { name: "Make the clip" }).isDisabled())
          await maker.getByRole("button", { name: "Close" }).click()

          await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
          await page.evaluate(`${videoTime} = 7`)
          await page.getByRole("button", { name: "Share" }).click()
          await until(page, "document.querySelector('#share-link').value.includes('?st=')")
          const shared = new URL(await page.locator("#share-link").inputValue()).searchParams
          assert.strictEqual(shared.get("t"), "7")
          const counted = page.waitForResponse((answer) => answer.url().endsWith("/api/share/record"))
          const sheet = page.getByRole("region", { name: "Share this meeting" })
          await sheet.getByRole("button", { name: "Copy", exact: true }).click()
          assert.strictEqual((await counted).status(), 204)
          await page.getByText("Copied the link.").waitFor()
          await page.getByRole("button", { name: "Delete The hay field" }).click()
          await page.getByRole("button", { name: "Delete The hay field" }).click()
          await mine.getByText("None yet.").waitFor()
          assert.deepStrictEqual(complaints, [])
        })
      }),
    patience
  )

  it.effect(
    "passes the accessibility rules, fits the screen, and plays from its second without scripts",
    (test) =>
      Effect.gen(function* () {
        const { at, asReader } = yield* prepared
        const full = yield* asReader(test, at, { bypassCSP: true })
        const teaser = yield* opened(test, at, { bypassCSP: true })
        const plain = yield* asReader(test, `${at}?t=38`, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          for (const width of [390, 1280]) {
            await fits(teaser.page, "teaser", width)
            await isAccessible(teaser.page, `teaser ${width}`)
            await full.page.setViewportSize({ width, height: 900 })
            await shown(full.page, at)
            for (const [panel, colorScheme] of [
              ["Make a clip", "light"],
              ["Share", "dark"]
            ] as const) {
              await full.page.getByRole("button", { name: panel, exact: true }).click()
              await full.page.getByRole("region", { name: panel }).waitFor()
              await isAccessible(full.page, `full ${width}`, [colorScheme])
            }
            await fits(full.page, "full", width)
          }
          assert.deepStrictEqual([...full.complaints, ...teaser.complaints], [])
          assert.match((await plain.page.locator(".player video").getAttribute("src")) ?? "", /#t=38/)
          assert.match(await plain.page.locator(".turn[aria-current]").innerText(), /^0:38/)
        })
      }),
    patience
  )
})
