import serverless from "@sparticuz/chromium"
import { Effect } from "effect"
import { chromium } from "playwright-core"

/** The first crashes with a second context, the other hides what a content security policy would say. */
const unwanted = ["--single-process", "--disable-web-security"]

/** Chromium where this machine can run it, until the scope closes. */
export const launchedChromium = Effect.acquireRelease(
  Effect.promise(async () => {
    try {
      return await chromium.launch({
        args: serverless.args.filter((arg) => !unwanted.includes(arg)),
        executablePath: await serverless.executablePath()
      })
    } catch (cause) {
      console.log(`Chromium does not start here: ${String(cause).split("\n")[0]}`)
      return undefined
    }
  }),
  (browser) => Effect.promise(async () => browser?.close())
)
