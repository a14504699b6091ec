import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import type { TestContext } from "vitest"
import { launchedChromium } from "./chromium.ts"

/** Minified, because every page parses it again. */
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

type Violations = ReadonlyArray<{ readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string }> }>

export const schemes = ["light", "dark"] as const
type Scheme = (typeof schemes)[number]

/** The color schemes differ only in their colors, so the dark one is checked by the color rules alone. */
const rulesOf = { light: rules, dark: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }

/**
 * Shows the page in a color scheme, and waits until its scripts know. Style sheets see the new scheme at once, a
 * `change` listener only when the next frame is made, before that frame's callbacks (HTML, "update the rendering").
 */
const colored = async (page: Page, colorScheme: Scheme): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
}

/** The violations that axe finds in a color scheme, as lines. */
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
  /** Reports of the browser that are not errors here. */
  readonly expected?: RegExp
}

/**
 * Shows an address in a separate browser context, until the test's scope closes. The test is skipped if this machine
 * cannot run Chromium.
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
  // Long enough for a busy machine.
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

/** Shows pages one after another and inspects each; the browser must not complain about any. */
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

/** Nothing on the page extends beyond a screen of this width. */
export const fits = async (page: Page, name: string, width: number) => {
  await page.setViewportSize({ width, height: 900 })
  for (const colorScheme of schemes) await drawn(page, `${name}-${width}-${colorScheme}`, colorScheme)
  assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")), 0, name)
}

/** The page passes the accessibility rules, except those that `except` matches. */
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

/**
 * Takes a picture of the page, into the folder named in `SCREENSHOTS`, for anyone who wants to see what the tests saw.
 */
export const drawn = async (
  page: Page,
  name: string,
  colorScheme: Scheme = "light",
  what: "page" | "screen" = "page"
) => {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined || folder === "") return
  await colored(page, colorScheme)
  const file = path.join(folder, `${name.replaceAll(" ", "-")}.png`)
  if (what !== "page") {
    await page.screenshot({ path: file })
    return
  }
  const [width = 0, height = 0] = await page.evaluate<ReadonlyArray<number>>(
    "[innerWidth, Math.min(document.documentElement.scrollHeight, 3000)]"
  )
  await page.screenshot({
    path: file,
    fullPage: true,
    // Enough to look at; a transcript of ten hours is higher than a browser can draw.
    clip: { x: 0, y: 0, width, height }
  })
}
