import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { Context, Effect, Layer } from "effect"
import { bundled } from "./client-modules.ts"

/** A file that pages load, as it is sent. */
export interface Asset {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** The style sheet, in this order; the first names the order of the cascade layers. */
const styles = [
  "fonts",
  "tokens",
  "base",
  "frame",
  "parts",
  "home",
  "browse",
  "directory",
  "meeting",
  "record",
  "trends",
  "documents",
  "transcript",
  "selection",
  "meeting-tools",
  "embed",
  "manual",
  "account",
  "reference",
  "print"
]

/** The fonts that style/fonts.css names: upright, latin and latin-ext, both under the SIL Open Font License 1.1. */
const fonts = {
  "sans.woff2": "@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2",
  "sans-ext.woff2": "@fontsource-variable/public-sans/files/public-sans-latin-ext-wght-normal.woff2",
  "serif.woff2": "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
  "serif-ext.woff2": "@fontsource-variable/source-serif-4/files/source-serif-4-latin-ext-wght-normal.woff2"
}

/** Fonts that every page needs, preloaded with the style sheet. */
export const preloadedFonts = ["fonts/sans.woff2", "fonts/serif.woff2"]

const here = (...file: ReadonlyArray<string>) => path.join(import.meta.dirname, ...file)
const text = (body: string) => new TextEncoder().encode(body)

const styleSheet = (names: ReadonlyArray<string>): Asset => ({
  bytes: text(names.map((name) => readFileSync(here("style", `${name}.css`), "utf8")).join("\n")),
  contentType: "text/css; charset=utf-8"
})

/** The scripts of pages, each with all that it imports. */
const scripts = [
  "clips",
  "console-logs",
  "console-upload",
  "copying",
  "meeting",
  "page-news",
  "teaser",
  "watch"
] as const

/** A script of `src/client` that a page runs. */
export type Script = (typeof scripts)[number]

const readAssets = (): ReadonlyMap<string, Asset> =>
  new Map<string, Asset>([
    ["record.css", styleSheet(styles)],
    // Only the operators' console loads it, after the first.
    ["console.css", styleSheet(["console"])],
    ["icon.svg", { bytes: readFileSync(here("icon.svg")), contentType: "image/svg+xml" }],
    ...Object.entries(fonts).map(([name, file]): [string, Asset] => [
      `fonts/${name}`,
      { bytes: readFileSync(fileURLToPath(import.meta.resolve(file))), contentType: "font/woff2" }
    ]),
    ...scripts.map((name): [string, Asset] => [
      `client/${name}.js`,
      { bytes: text(bundled(name)), contentType: "text/javascript; charset=utf-8" }
    ])
  ])

/** One hash over all of them, like a folder: their relative references to each other hold under it. */
const hashOf = (assets: ReadonlyMap<string, Asset>): string => {
  const hash = createHash("sha256")
  for (const [name, { bytes }] of assets) hash.update(`${name} ${bytes.byteLength}\n`).update(bytes)
  return hash.digest("hex").slice(0, 16)
}

/** Read once per process, however many services it runs: the files never change, and stripping types takes a while. */
const readOnce = Effect.runSync(Effect.cached(Effect.sync(readAssets)))

/** Style, fonts, icon and client modules of this build, read once at start. */
export class Assets extends Context.Service<
  Assets,
  {
    readonly hash: string
    readonly find: (name: string) => Asset | undefined
    /** The path from which a browser loads it, cached as immutable: another build has another path. */
    readonly href: (name: string) => string
  }
>()("civic-record/Assets") {
  static readonly layer = Layer.effect(
    Assets,
    Effect.map(readOnce, (assets) => {
      const hash = hashOf(assets)
      return {
        hash,
        find: (name) => assets.get(name),
        href: (name) => `/assets/${hash}/${name}`
      }
    })
  )
}
