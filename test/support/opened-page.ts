import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import type { TestContext } from "vitest"
import { launchedChromium } from "./chromium.ts"

/** Minified, because every page reads it anew. */
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

type Violations = ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>

export const schemes = ["light", "dark"] as const
type Scheme = (typeof schemes)[number]

/** The schemes differ in their colors alone, so the dark one is held to the rules of color. */
const rulesOf = { light: rules, dark: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }

/**
 * Shows the page in a color scheme, and waits until its scripts know. Style sheets see the new scheme at once, a
 * listener of `change` only when the next frame is made, ahead of that frame's callbacks (HTML, "update the
 * rendering").
 */
const colored = async (page: Page, colorScheme: Scheme): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
}

/** What axe finds wrong in a color scheme, as lines. */
const wrongs = async (page: Page, colorScheme: Scheme): Promise<ReadonlyArray<string>> => {
  await colored(page, colorScheme)
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  const options = JSON.stringify({ runOnly: rulesOf[colorScheme], resultTypes: ["violations"] })
  const violations = await page.evaluate<Violations>(`axe.run(${options}).then(({ violations }) => violations)`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

interface Opened {
  readonly page: Page
  /** The errors that the browser reported. */
  readonly complaints: ReadonlyArray<string>
}

interface Options extends BrowserContextOptions {
  /** Reports of the browser that are no errors here. */
  readonly expected?: RegExp
}

/**
 * Shows an address in a browser context of its own, until the test's scope closes. The test is skipped where this
 * machine cannot run Chromium.
 */
export const opened = Effect.fnUntraced(function* (test: TestContext, url: string, options: Options = {}) {
  const browser = yield* launchedChromium
  if (browser === undefined) return test.skip("Chromium cannot start on this machine")
  const { expected = /404 \(Not Found\)/, ...rest } = options
  const context = yield* Effect.acquireRelease(
    Effect.promise(() =>
      browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...rest })
    ),
    (context) => Effect.promise(() => context.close())
  )
  // Long enough for a machine that has other things to do.
  context.setDefaultTimeout(120_000)
  return yield* Effect.promise(async (): Promise<Opened> => {
    const page = await context.newPage()
    const complaints: Array<string> = []
    page.on("console", (line) => {
      if (line.type() === "error" && !expected.test(line.text())) complaints.push(line.text())
    })
    page.on("pageerror", (error) => complaints.push(String(error)))
    await shown(page, url)
    return { page, complaints }
  })
})

/** Goes to an address, and waits for its fonts. */
export const shown = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.evaluate("document.fonts.ready")
}

/** Shows pages one after another and looks at each, of which the browser must not complain. */
export const eachPage = async (
  { page, complaints }: Opened,
  base: string,
  pages: Readonly<Record<string, string>>,
  look: (name: string) => Promise<void>
) => {
  for (const [name, at] of Object.entries(pages)) {
    await shown(page, base + at)
    await look(name)
    assert.deepStrictEqual(complaints, [], name)
  }
}

/** Nothing of the page is beyond the side of a screen of this width. */
export const fits = async (page: Page, name: string, width: number) => {
  await page.setViewportSize({ width, height: 900 })
  for (const colorScheme of schemes) await drawn(page, `${name}-${width}-${colorScheme}`, colorScheme)
  assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")), 0, name)
}

/** The page passes the rules of accessibility, but for what `except` matches. */
export const isAccessible = async (
  page: Page,
  name: string,
  inSchemes: ReadonlyArray<Scheme> = schemes,
  except?: RegExp
) => {
  for (const colorScheme of inSchemes) {
    const found = await wrongs(page, colorScheme)
    assert.deepStrictEqual(
      found.filter((wrong) => !except?.test(wrong)),
      [],
      `${name} ${colorScheme}`
    )
  }
}

/** Draws the page, for whoever looks at what the tests saw, into the folder that the variable `SCREENSHOTS` names. */
export const drawn = async (page: Page, name: string, colorScheme: Scheme = "light") => {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined || folder === "") return
  await colored(page, colorScheme)
  await page.screenshot({ path: path.join(folder, `${name.replaceAll(" ", "-")}.png`), fullPage: true })
}
