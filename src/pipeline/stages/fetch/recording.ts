import * as fs from "node:fs"
import { Effect } from "effect"
import type { Renderer } from "../../../../layers/renderer/renderer.ts"
import { digestOf } from "../../../record/digest.ts"
import { type Download, type Downloaded, downloadTo, isLead, playlistTypes } from "../../web/download.ts"
import { WebFailed } from "../../web/failure.ts"
import type { PoliteWeb } from "../../web/polite-web.ts"
import { joinedTo, streamTo } from "./hls/stream.ts"
import { type PlayerPage, playerPage } from "./players/player-page.ts"
import { type KnownPlayer, playerAt } from "./players/players.ts"

/** What a recording must be to be downloaded. */
export const aRecording = {
  types: /^(video\/|audio\/|application\/(mp4|octet-stream)|binary\/octet-stream)/,
  what: "a recording",
  bytes: 20_000_000_000
}

const longestPage = 10_000_000

const unsuitable = (message: string) => new WebFailed({ reason: "unsuitable", message })

const isPlaylistAddress = (address: string): boolean => /\.m3u8?$/i.test(URL.parse(address)?.pathname ?? "")

const pageAt = Effect.fnUntraced(function* (web: PoliteWeb["Service"], address: string) {
  const page = yield* web.page(address, {
    accept: "text/html, application/json;q=0.9",
    types: /html|json|text\/plain/i,
    bytes: longestPage
  })
  return page === undefined ? undefined : yield* playerPage(page)
})

/** The one recording that a page of no known player shows. */
const onlyMedia = ({ media }: PlayerPage): string | undefined => (media.length === 1 ? media[0] : undefined)

interface Fetching {
  readonly web: PoliteWeb["Service"]
  readonly renderer: Renderer["Service"]
  readonly file: string
  readonly download: Download
}

type Recording = (Downloaded & { readonly digest?: string }) | undefined

/** Fetches a file or a stream; undefined if it is the known one, its type alone if it is a web page. */
const mediaTo = Effect.fnUntraced(function* (
  { web, renderer, file, download }: Fetching,
  address: string
): Effect.fn.Return<Recording, WebFailed> {
  if (isPlaylistAddress(address)) return yield* streamTo(web, renderer, address, file, download)
  const types = new RegExp(`${download.types.source}|${isLead.source}`, "i")
  const found = yield* downloadTo(web, address, file, { ...download, types })
  if (found === undefined || !playlistTypes.test(found.type)) return found
  return yield* streamTo(web, renderer, address, file, download)
})

/**
 * Fetches a recording in parts one after another and joins them into one MP4. A part that is here from an earlier
 * attempt is not fetched again. The digest is that of the list of parts.
 */
const partsTo = Effect.fnUntraced(function* (
  { web, renderer, file, download }: Fetching,
  parts: ReadonlyArray<string>,
  referer: string | undefined
): Effect.fn.Return<Recording, WebFailed> {
  const digest = digestOf(parts.map((part) => part.replace(/[?#].*/, "")).join(" "))
  if (download.known?.digest === digest) return undefined
  const files: Array<string> = []
  let [bytes, seconds] = [0, 0]
  for (const [at, part] of parts.entries()) {
    const here = `${file}.${digestOf(part).slice(0, 16)}`
    if (!fs.existsSync(here)) {
      const found = yield* mediaTo(
        {
          ...{ web, renderer, file: `${here}.new` },
          download: {
            ...download,
            ...(referer === undefined ? {} : { referer }),
            known: undefined,
            bytes: download.bytes - bytes,
            onProgress: (share) => download.onProgress((at + share) / parts.length)
          }
        },
        part
      )
      if (found === undefined || isLead.test(found.type)) {
        return yield* unsuitable(`A part of it leads to another page, not to ${download.what}.`)
      }
      fs.renameSync(`${here}.new`, here)
      fs.rmSync(`${here}.new.json`, { force: true })
    }
    const { duration } = yield* Effect.mapError(renderer.probe(here), (cause) =>
      unsuitable(`A part of it is no recording that can be read. ${cause.message}`)
    )
    files.push(here)
    bytes += fs.statSync(here).size
    seconds += duration
  }
  yield* joinedTo(renderer, [{ form: "mov", runs: files }], seconds, file)
  for (const part of files) fs.rmSync(part, { force: true })
  return { type: "video/mp4", digest }
})

const noFile = ({ name }: KnownPlayer) => unsuitable(`The page of ${name} names no file and no stream.`)

/**
 * Fetches a recording into `file`: the file at its address, the stream of a playlist there, or what a player's page
 * names. Undefined if it is the known one. `digest` is given where it is not the file's own.
 */
export const recordingTo = Effect.fn("FetchStage.recordingTo")(function* (
  web: PoliteWeb["Service"],
  renderer: Renderer["Service"],
  address: string,
  file: string,
  download: Download
): Effect.fn.Return<Recording, WebFailed> {
  const fetching = { web, renderer, file, download }
  const player = playerAt(address)
  const toMedia = Effect.fnUntraced(function* (page: PlayerPage | undefined, lead: string) {
    // Some archives answer only who comes from the player.
    const referer = page?.address.href
    const found = yield* mediaTo(
      { ...fetching, download: referer === undefined ? download : { ...download, referer } },
      lead
    )
    return isLead.test(found?.type ?? "")
      ? yield* unsuitable(`Its page leads to another one, not ${download.what}.`)
      : found
  })
  if (player !== undefined) {
    const page = player.recording === undefined ? undefined : yield* pageAt(web, player.page)
    const lead = page === undefined ? undefined : player.recording?.(page)
    if (lead === undefined) return yield* noFile(player)
    return yield* typeof lead === "string" ? toMedia(page, lead) : partsTo(fetching, lead, page?.address.href)
  }
  const found = yield* mediaTo(fetching, address)
  if (!isLead.test(found?.type ?? "")) return found
  const page = yield* pageAt(web, address)
  const lead = page === undefined ? undefined : onlyMedia(page)
  if (lead === undefined) return yield* unsuitable(`Its address leads to a web page, not ${download.what}.`)
  return yield* toMedia(page, lead)
})

/** The captions that the player of a recording publishes; undefined if there are none. */
export const playerCaptions = Effect.fn("FetchStage.playerCaptions")(function* (
  web: PoliteWeb["Service"],
  address: string
) {
  const player = playerAt(address)
  if (player?.captions === undefined) return undefined
  const page = yield* pageAt(web, player.page)
  return page === undefined ? undefined : player.captions(page)
})

/** Who plays a recording that may not or cannot be fetched from there. */
export const closedPlayer = (address: string): string | undefined => {
  const player = playerAt(address)
  return player?.recording === undefined ? player?.name : undefined
}
