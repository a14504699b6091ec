import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"

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
 * listener of `change` only when the next frame is made, ahead of that frame's callbacks (HTML, "update the rendering").
 */
const colored = async (page: Page, colorScheme: Scheme): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
}

/** What axe finds wrong in a color scheme, as lines. */
export const wrongs = async (page: Page, colorScheme: Scheme): Promise<ReadonlyArray<string>> => {
  await colored(page, colorScheme)
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  const options = JSON.stringify({ runOnly: rulesOf[colorScheme], resultTypes: ["violations"] })
  const violations = await page.evaluate<Violations>(`axe.run(${options}).then(({ violations }) => violations)`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** A page of a context of its own; what the browser complains of is gathered. */
export const opened = async (browser: Browser, url: string, options: BrowserContextOptions) => {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options })
  // Long enough for a machine that has other things to do.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("console", (line) => {
    if (line.type() === "error" && !line.text().includes("404 (Not Found)")) complaints.push(line.text())
  })
  page.on("pageerror", (error) => complaints.push(String(error)))
  await shown(page, url)
  return { page, complaints, close: () => context.close() }
}

/** Goes to an address, and waits for its fonts. */
export const shown = async (page: Page, url: string): Promise<void> => {
  await page.goto(url)
  await page.evaluate("document.fonts.ready")
}

/** How many pixels of the page are beyond the side of the screen, as an expression. */
export const sidewise = "document.documentElement.scrollWidth - innerWidth"

/** Draws the page, for whoever looks at what the tests saw, into the folder that the variable `SCREENSHOTS` names. */
export const drawn = async (page: Page, name: string, colorScheme: Scheme = "light") => {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined || folder === "") return
  await colored(page, colorScheme)
  await page.screenshot({ path: path.join(folder, `${name.replaceAll(" ", "-")}.png`), fullPage: true })
}
