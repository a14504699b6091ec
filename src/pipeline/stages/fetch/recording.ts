import { Effect } from "effect"
import type { Renderer } from "../../../../layers/renderer/renderer.ts"
import { type Download, downloadTo, playlistTypes } from "../../web/download.ts"
import type { PoliteWeb } from "../../web/polite-web.ts"
import { streamTo } from "./hls/stream.ts"

const isPlaylistAddress = (address: string): boolean => /\.m3u8?$/i.test(URL.parse(address)?.pathname ?? "")

/**
 * Fetches a recording into `file`: the file at its address, or the stream of a playlist there. Undefined if it is the
 * known one. `digest` is given where it is not the file's own.
 */
export const recordingTo = Effect.fn("FetchStage.recordingTo")(function* (
  web: PoliteWeb["Service"],
  renderer: Renderer["Service"],
  address: string,
  file: string,
  download: Download
) {
  if (isPlaylistAddress(address)) return yield* streamTo(web, renderer, address, file, download)
  const types = new RegExp(`${download.types.source}|${playlistTypes.source}`, "i")
  const found = yield* downloadTo(web, address, file, { ...download, types })
  if (found === undefined || !playlistTypes.test(found.type)) return found
  return yield* streamTo(web, renderer, address, file, download)
})
