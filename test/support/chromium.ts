import serverless from "@sparticuz/chromium"
import { Effect } from "effect"
import { type Browser, chromium } from "playwright-core"

/**
 * The first crashes with a second context, the other hides the content security policy's complaints. The rest draw with
 * a graphics card emulated by the processor.
 */
const unwanted = [
  ...["--single-process", "--disable-web-security"],
  ...["--ignore-gpu-blocklist", "--in-process-gpu", "--use-gl=angle", "--use-angle=swiftshader"],
  "--enable-unsafe-swiftshader"
]

const launch = async (): Promise<Browser | undefined> => {
  try {
    return await chromium.launch({
      args: [...serverless.args.filter((arg) => !unwanted.includes(arg)), "--disable-gpu"],
      executablePath: await serverless.executablePath()
    })
  } catch (cause) {
    console.log(`Chromium does not start here: ${String(cause).split("\n")[0]}`)
    return undefined
  }
}

let launched: ReturnType<typeof launch> | undefined

/**
 * Chromium if this machine can run it: one for all tests of this process, with which it ends. Each test has separate
 * contexts.
 */
export const launchedChromium = Effect.promise(() => {
  launched ??= launch()
  return launched
})
