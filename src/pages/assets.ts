import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { Context, Effect, Layer } from "effect"

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

/** A module of `src/client` without its types: the same lines, importing `.js`. */
const clientModule = (file: string): Asset => ({
  bytes: text(
    stripTypeScriptTypes(readFileSync(here("..", "client", file), "utf8"), { mode: "strip" }).replace(
      /(\b(?:from|import)\s*\(?\s*"\.{1,2}\/[^"]+)\.ts"/g,
      '$1.js"'
    )
  ),
  contentType: "text/javascript; charset=utf-8"
})

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
    ...globSync("*.ts", { cwd: here("..", "client") })
      .toSorted()
      .map((file): [string, Asset] => [`client/${file.replace(/\.ts$/, ".js")}`, clientModule(file)])
  ])

/** One hash over all of them, like a folder: their relative references to each other hold under it. */
const hashOf = (assets: ReadonlyMap<string, Asset>): string => {
  const hash = createHash("sha256")
  for (const [name, { bytes }] of assets) hash.update(`${name} ${bytes.byteLength}\n`).update(bytes)
  return hash.digest("hex").slice(0, 16)
}

const importsOf = ({ bytes }: Asset): ReadonlyArray<string> =>
  [...new TextDecoder().decode(bytes).matchAll(/\bfrom\s*"\.\/([^"]+)"/g)].map(([, name]) => `client/${name}`)

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
    /** The modules that a client module imports, directly or not. */
    readonly importedBy: (name: string) => ReadonlyArray<string>
  }
>()("civic-record/Assets") {
  static readonly layer = Layer.effect(
    Assets,
    Effect.map(readOnce, (assets) => {
      const hash = hashOf(assets)
      const importedBy = (name: string): ReadonlyArray<string> => {
        const found = new Set<string>()
        const follow = (module: string): void => {
          const asset = assets.get(module)
          for (const next of asset === undefined ? [] : importsOf(asset)) {
            if (found.has(next)) continue
            found.add(next)
            follow(next)
          }
        }
        follow(name)
        return [...found]
      }
      return {
        hash,
        find: (name) => assets.get(name),
        href: (name) => `/assets/${hash}/${name}`,
        importedBy
      }
    })
  )
}
