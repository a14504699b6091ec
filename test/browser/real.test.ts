import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import type { TestContext } from "vitest"
import { Db } from "../../layers/db/db.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { anonymous } from "../../schema/viewer.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { reader } from "../support/actors.ts"
import { measured } from "../support/measured.ts"
import { drawn, fits, isAccessible, opened, shown } from "../support/opened-page.ts"
import { putRecording } from "../support/put-recording.ts"
import { realArchivesAreThere } from "../support/real-archives.ts"
import { putRealRecord } from "../support/real-record.ts"
import { TestRenderer } from "../support/rendering.ts"
import { serviceAddress, TestService } from "../support/service.ts"

/** Meetings that were hard to show, by the beginning of their title and their day. */
const meetings = {
  recorded: ["Session of 9:30 AM", "2020-08-10"],
  unrecorded: ["Session of 2:00 PM", "2020-08-10"],
  long: ["City Council R 265 130521", "2013-05-21"],
  named: ["Planning R 399 200122", "2020-01-22"],
  stuck: ["Co Com 080319", "2008-03-19"],
  agenda: ["New York City Council", "2021-12-15"],
  joint: ["Committee on Aging", "2013-01-16"],
  "many items": ["New York City Council", "2018-01-31"]
} as const
type Kind = keyof typeof meetings

const idOf = Effect.fnUntraced(function* (kind: Kind) {
  const [title, date] = meetings[kind]
  const db = yield* Db
  const [row] = yield* db<{ id: string }>`
    select id from meeting where title like ${`${title}%`} and date = ${date} order by title limit 1`
  return MeetingId.make(row?.id ?? "")
})

const record = Effect.gen(function* () {
  yield* putRealRecord
  yield* putRecording(yield* idOf("recorded"), 60)
})

const Service = Layer.effectDiscard(realArchivesAreThere ? record : Effect.void).pipe(
  Layer.provideMerge(TestRenderer),
  Layer.provideMerge(TestService)
)

const patience = 300_000

const pathOf = (kind: Kind) =>
  Effect.flatMap(idOf(kind), (id) => Meetings.use((all) => Effect.map(all.open(id, anonymous), ({ path }) => path)))

/** A page as a signed-in reader sees it. The test is skipped where the real records are not. */
const prepared = Effect.fnUntraced(function* (test: TestContext, bypassCSP = true) {
  if (!realArchivesAreThere) return test.skip("The real records are not in ../shared/data")
  const base = yield* serviceAddress
  const browser = yield* opened(test, `${base}/about`, { bypassCSP, viewport: { width: 390, height: 844 } })
  const { token } = yield* reader()
  const asReader = () => browser.page.context().addCookies([{ name: "cr_session", value: token, url: base }])
  return { ...browser, base, asReader }
})

/** What has the focus, if all of it lies under what sticks to the top of the page. */
const hiddenFocus = `(() => {
  const { activeElement: focused } = document
  if (focused === null || focused === document.body || focused.closest(".player, .in-transcript") !== null) return undefined
  const { top, bottom } = focused.getBoundingClientRect()
  const covers = [...document.querySelectorAll(".player, .in-transcript")].map((one) => one.getBoundingClientRect())
  return covers.some((box) => box.top <= top + 1 && box.bottom >= bottom - 1)
    ? focused.outerHTML + " " + [top, bottom] : undefined
})()`

/** The lower edge of everything that sticks to the top. */
const stuckUntil = `Math.max(0, ...[...document.querySelectorAll(".player, .in-transcript")]
  .filter((one) => getComputedStyle(one).position === "sticky").map((one) => one.getBoundingClientRect())
  .filter(({ top }) => top < 400).map(({ bottom }) => bottom))`

/** The room that is kept at the top when something is jumped to, and the lower edge of what sticks there. */
const keptAndNeeded = `[Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart), ${stuckUntil}]`

const topOf = (page: Page, selector: string) =>
  page.evaluate<number>(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`)

layer(Service, { excludeTestServices: true, timeout: patience })("real records in Chromium", (it) => {
  it.effect(
    "move nothing by themselves on any page, and ask for little",
    (test) =>
      Effect.gen(function* () {
        const { base, page, asReader } = yield* prepared(test, false)
        const teaser = yield* pathOf("recorded")
        const long = yield* pathOf("long")
        const unrecorded = yield* pathOf("unrecorded")
        const open = {
          ...{
            home: "/",
            browse: "/browse",
            search: "/browse?q=budget+hearing",
            "nothing found": "/browse?q=zeppelin"
          },
          ...{ place: "/in/knoxville", body: "/in/knoxville/city-council", places: "/places", upcoming: "/upcoming" },
          ...{ about: "/about", developers: "/developers", reference: "/developers/reference" },
          ...{ teaser, "teaser of many items": yield* pathOf("many items") }
        }
        const mine = {
          ...{ recorded: teaser, unrecorded, agenda: yield* pathOf("agenda"), account: "/account" },
          ...{ "far into it": `${long}?t=20000`, "at words": `${long}?t=20000&q=budget` },
          ...{ "far into turns": `${unrecorded}?t=5000`, "near the end": `${teaser}?t=50` }
        }
        const figures: Array<string> = []
        const measure = async (pages: Readonly<Record<string, string>>, mostRequests: number) => {
          for (const [name, at] of Object.entries(pages)) {
            const { shift, moved, requests, bytes } = await measured(page.context(), base + at)
            figures.push(`${name}: shift ${shift.toFixed(3)}, ${requests.length} requests, ${bytes} bytes`)
            assert.isBelow(shift, 0.05, [name, ...moved].join("\n"))
            assert.isAtMost(requests.length, mostRequests, [name, ...requests].join("\n"))
            if (name === "home") assert.isBelow(bytes, 100_000)
          }
        }
        yield* Effect.promise(async () => {
          await measure(open, 6)
          await asReader()
          await measure(mine, 10)
        })
        yield* Effect.log(figures.join("\n"))
      }),
    patience
  )

  it.effect(
    "fit every screen, at twice the size of text too, and pass the accessibility rules",
    (test) =>
      Effect.gen(function* () {
        const { base, page, asReader, complaints } = yield* prepared(test)
        const kinds: ReadonlyArray<Kind> = ["recorded", "unrecorded", "long", "named", "stuck", "agenda", "joint"]
        const paths = yield* Effect.forEach(kinds, (kind) => Effect.map(pathOf(kind), (path) => ({ kind, path })))
        yield* Effect.promise(async () => {
          await shown(page, base + (paths[5]?.path ?? ""))
          for (const width of [320, 1280]) await fits(page, "real-teaser", width)
          await isAccessible(page, "real teaser")
          for (const [name, at] of Object.entries({ home: "/", search: "/browse?q=budget", place: "/in/new-york" })) {
            await shown(page, base + at)
            for (const width of [320, 390, 1280]) await fits(page, `real-${name}`, width)
            await isAccessible(page, `real ${name}`, ["light"])
          }
          await asReader()
          for (const { kind, path } of paths) {
            await shown(page, base + path)
            for (const width of [320, 390, 1280]) await fits(page, `real-${kind}`, width)
            await isAccessible(page, `real ${kind}`, ["light"])
            await page.evaluate('document.documentElement.style.fontSize = "200%"')
            await fits(page, `real-${kind}-large`, 1280)
            const share = await page.evaluate<number>('document.querySelector(".title").clientWidth / innerWidth')
            assert.isAbove(share, 0.5, `${kind}: the words have room at twice the size`)
          }
          assert.deepStrictEqual(complaints, [])
        })
      }),
    patience
  )

  it.effect(
    "print every word, and keep their marks in forced colors",
    (test) =>
      Effect.gen(function* () {
        const { base, page, asReader } = yield* prepared(test)
        const path = yield* pathOf("recorded")
        yield* Effect.promise(async () => {
          await asReader()
          await shown(page, `${base}${path}?t=30`)
          await page.emulateMedia({ forcedColors: "active" })
          await drawn(page, "real-recorded-forced")
          const mark = 'getComputedStyle(document.querySelector(".turn[aria-current]"), "::before").backgroundColor'
          assert.notStrictEqual(await page.evaluate(mark), await page.evaluate(mark.replace('"::before"', "undefined")))
          await page.emulateMedia({ forcedColors: "none", media: "print" })
          assert.strictEqual(await page.locator(".player").isVisible(), false)
          assert.strictEqual(await page.locator(".in-transcript").isVisible(), false)
          const unseen = `[...document.querySelectorAll(".turn")].filter((turn) => !turn.checkVisibility()
            || getComputedStyle(turn).contentVisibility !== "visible").length`
          assert.strictEqual(await page.evaluate(unseen), 0)
          await drawn(page, "real-recorded-print")
        })
      }),
    patience
  )

  it.effect(
    "hide nothing below the recording that stays in sight, which can be small",
    (test) =>
      Effect.gen(function* () {
        const { base, page, asReader } = yield* prepared(test)
        const path = yield* pathOf("recorded")
        const unrecorded = yield* pathOf("unrecorded")
        yield* Effect.promise(async () => {
          await asReader()
          for (const size of ["whole", "small"]) {
            await shown(page, base + path)
            if (size === "small") {
              const button = page.getByRole("button", { name: "Small player" })
              await button.click()
              await shown(page, base + path)
              assert.strictEqual(await button.getAttribute("aria-pressed"), "true")
            }
            for (const part of ["transcript", "cite"]) {
              await page.locator(`.sections a[href="#${part}"]`).click()
              const top = await topOf(page, `#${part}`)
              assert.isAtLeast(top, Number(await page.evaluate(stuckUntil)) - 1, `${size}: ${part}`)
            }
            await page.goto(`${base}${path}?t=40`)
            const turn = await topOf(page, ".turn[aria-current]")
            assert.isAtLeast(turn, Number(await page.evaluate(stuckUntil)) - 1, size)
            await drawn(page, `real-player-${size}`)
            const stays = await page.evaluate<number>(
              'document.querySelector(".player").getBoundingClientRect().bottom'
            )
            assert.isAtMost(stays, size === "small" ? 104 : 220)
            // Backwards, each link comes to rest at the upper edge.
            await page.locator(".turn .moment").last().focus()
            for (let at = 0; at < 60; at++) {
              await page.keyboard.press("Shift+Tab")
              assert.isUndefined(await page.evaluate(hiddenFocus), `${size}: ${at}`)
            }
          }
          for (const at of [path, unrecorded]) {
            await shown(page, `${base}${at}?t=40&q=council`)
            for (const width of [320, 390, 800, 1280]) {
              await page.setViewportSize({ width, height: 900 })
              await page.locator(".turn").last().scrollIntoViewIfNeeded()
              const [kept = 0, needed = 0] = await page.evaluate<ReadonlyArray<number>>(keptAndNeeded)
              assert.isAtLeast(kept, needed, `${width} ${at}`)
            }
          }
        })
      }),
    patience
  )
})
