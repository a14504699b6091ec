import type { BrowserContext } from "playwright-core"
import { shown } from "./opened-page.ts"

/** What loading a page took. */
export interface Measured {
  /** Everything that moved without the reader's doing: the sum of its layout shifts. */
  readonly shift: number
  /** What moved most, in words. */
  readonly moved: ReadonlyArray<string>
  /** Paths of what was requested, in order. */
  readonly requests: ReadonlyArray<string>
  /** Bytes on the wire, with headers. */
  readonly bytes: number
}

/** Notes each layout shift, from before the first paint on. */
const observe = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) if (!hadRecentInput) shifts.push({
      value,
      moved: sources.map(({ node, previousRect: a, currentRect: b }) => {
        const element = node instanceof Element ? node : node?.parentElement
        return (element?.localName ?? "?") + "." + (element?.className ?? "") + " " + [a.top, a.height, b.top, b.height].map(Math.round)
      })
    })
  }).observe({ type: "layout-shift", buffered: true })`

/** How late they are, in milliseconds: after the first paint. */
const late = 700

/** Loads a page with fonts and scripts that come late and nothing in the cache, until nothing moves any more. */
export const measured = async (context: BrowserContext, url: string): Promise<Measured> => {
  const page = await context.newPage()
  const requests: Array<string> = []
  let bytes = 0
  const session = await context.newCDPSession(page)
  await session.send("Network.enable")
  await session.send("Network.setCacheDisabled", { cacheDisabled: true })
  session.on("Network.requestWillBeSent", ({ request }) => {
    if (!request.url.startsWith("data:")) requests.push(new URL(request.url).pathname)
  })
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript(observe)
  await page.route(/\/(fonts|client)\//, async (route) => {
    await page.waitForTimeout(late)
    await route.continue()
  })
  await shown(page, url)
  // What comes into sight gets its real height, and the words of the address are scrolled to, a few frames later.
  await page.waitForTimeout(300)
  const shifts = await page.evaluate<ReadonlyArray<{ value: number; moved: ReadonlyArray<string> }>>("shifts")
  await page.close()
  const most = shifts.toSorted((a, b) => b.value - a.value)
  return {
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: most.slice(0, 3).map(({ value, moved }) => `${value.toFixed(3)}: ${moved.join("; ")}`),
    requests,
    bytes
  }
}
