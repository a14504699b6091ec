import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
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

const root = path.join(import.meta.dirname, "../..")
const cache = path.join(root, "node_modules/.cache/browser")

/** Unpacked once per checkout. */
const unpacked = path.join(cache, "chromium")

/**
 * Unpacks Chromium before any test wants it, and gives the folder its name only when it is whole: the package takes for
 * whole what another process has begun to write, or left behind when it was killed.
 */
export const unpackChromium = async () => {
  if (fs.existsSync(unpacked)) return
  fs.mkdirSync(cache, { recursive: true })
  const begun = fs.mkdtempSync(path.join(cache, "chromium-"))
  const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath()'
  // In a process of its own, because the package unpacks to wherever temporary files go.
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: root,
    env: { PATH: process.env.PATH, TMPDIR: begun }
  })
  try {
    fs.renameSync(begun, unpacked)
  } catch (cause) {
    // Another run of the tests was first.
    fs.rmSync(begun, { recursive: true })
    if (!fs.existsSync(unpacked)) throw cause
  }
}

const launch = async (): Promise<Browser | undefined> => {
  try {
    return await chromium.launch({
      args: [...serverless.args.filter((arg) => !unwanted.includes(arg)), "--disable-gpu"],
      executablePath: path.join(unpacked, "chromium")
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
