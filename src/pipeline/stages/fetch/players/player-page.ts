import type { CheerioAPI } from "cheerio/slim"
import { Effect } from "effect"
import { parsedHtml } from "../../../sources/html-page.ts"
import type { Page } from "../../../web/polite-web.ts"

/** What a page says of media: only what its elements and scripts use, never what is commented out. */
export interface PlayerPage {
  readonly address: URL
  readonly $: CheerioAPI
  /** The page as it was sent. */
  readonly text: string
  /** Its scripts, without what is commented out in them. */
  readonly scripts: string
  /** The addresses of files and playlists, those of elements first. */
  readonly media: ReadonlyArray<string>
  /** The addresses of caption files. */
  readonly captions: ReadonlyArray<string>
}

const isMedia = (address: string) => /\.(?:mp4|m4v|mov|webm|m3u8)$/i.test(URL.parse(address)?.pathname ?? "")
const isSound = (address: string) => /\.(?:mp3|m4a)$/i.test(URL.parse(address)?.pathname ?? "")
const isCaptions = (address: string) => /\.(?:vtt|srt)$/i.test(URL.parse(address)?.pathname ?? "")

/** An address in a script, absolute or without its scheme. */
const inScript = /(?:https?:)?\/\/[^\s"'`<>\\]{4,2000}/gi

/** A script without its comments, as far as they stand on lines of their own, and with its slashes as they are. */
const plainScript = (script: string): string =>
  script
    .replace(/\\\//g, "/")
    .replace(/\\u002[fF]/g, "/")
    .replace(/\\u0026/g, "&")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")

/** Reads a player's page. */
export const playerPage = Effect.fnUntraced(function* ({ body, address }: Page) {
  const $ = yield* parsedHtml(body)
  const absolute = (found: string | undefined) =>
    found === undefined ? [] : [URL.parse(found.trim(), address)?.href ?? ""].filter((href) => /^https?:/.test(href))
  const named = $("video[src], audio[src], source[src], track[src], a[href], meta[content]")
    .toArray()
    .flatMap(({ attribs: { src, href, content } }) => absolute(src ?? href ?? content))
  const scripts = $("script")
    .toArray()
    .map((script) => plainScript($(script).text()))
    .join("\n")
  const all = [...new Set([...named, ...[...scripts.matchAll(inScript)].flatMap(([found]) => absolute(found))])]
  const shown = all.filter(isMedia)
  return {
    ...{ address: new URL(address), $, text: body.toString("utf8"), scripts },
    // Where there is a picture, a file of sound is a copy.
    media: shown.length > 0 ? shown : all.filter(isSound),
    captions: all.filter(isCaptions)
  } satisfies PlayerPage
})
