import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { Effect } from "effect"
import type { Renderer } from "../../../../../layers/renderer/renderer.ts"
import type { Download, Downloaded } from "../../../web/download.ts"
import { WebFailed } from "../../../web/failure.ts"
import type { PoliteWeb } from "../../../web/polite-web.ts"
import { gather } from "./pieces.ts"
import { longestPlaylist, type PieceList, readPlaylist } from "./playlist.ts"

const unsuitable = (message: string) => new WebFailed({ reason: "unsuitable", message })

const playlistAt = Effect.fnUntraced(function* (web: PoliteWeb["Service"], address: string, referer?: string) {
  const accept = "application/vnd.apple.mpegurl, application/x-mpegurl, */*;q=0.1"
  const page = yield* web.page(address, { accept, types: /./, bytes: longestPlaylist, referer })
  if (page === undefined) return yield* unsuitable("Its address does not lead to a playlist.")
  return yield* Effect.mapError(Effect.fromResult(readPlaylist(page.body.toString("utf8"), page.address)), unsuitable)
})

const piecesAt = Effect.fnUntraced(function* (web: PoliteWeb["Service"], address: string, referer?: string) {
  const list = yield* playlistAt(web, address, referer)
  return list._tag === "Pieces" ? list : yield* unsuitable("Its playlist leads to further playlists.")
})

/** The lists of a recording: one with everything, or one with its picture and one with its sound. */
const listsAt = Effect.fnUntraced(function* (web: PoliteWeb["Service"], address: string, referer?: string) {
  const first = yield* playlistAt(web, address, referer)
  if (first._tag === "Pieces") return [first] as const
  const picture = yield* piecesAt(web, first.picture, referer)
  return first.sound === undefined
    ? ([picture] as const)
    : ([picture, yield* piecesAt(web, first.sound, referer)] as const)
})

/** Joins files into one recording of so many seconds. */
export const joinedTo = (
  renderer: Renderer["Service"],
  streams: Parameters<Renderer["Service"]["join"]>[0],
  seconds: number,
  file: string
) =>
  Effect.mapError(renderer.join(streams, seconds, file), (cause) =>
    cause.reason === "timed_out" || cause.reason === "ffmpeg_missing"
      ? new WebFailed({ reason: "unreachable", message: `Its pieces could not be joined. ${cause.message}`, cause })
      : new WebFailed({ reason: "unsuitable", message: "Its stream is no recording that can be read.", cause })
  )

/** How much of the progress is for the pieces; the rest is for joining them. */
const gathering = 0.95

/**
 * Fetches the recording behind a playlist (HLS) into `file`, as one MP4: piece by piece, resuming what an earlier
 * attempt left beside `file`, and then joined from those files. Undefined if it has the pieces that are known.
 */
export const streamTo = Effect.fn("FetchStage.streamTo")(function* (
  web: PoliteWeb["Service"],
  renderer: Renderer["Service"],
  address: string,
  file: string,
  { bytes, known, referer, onProgress }: Download
): Effect.fn.Return<(Downloaded & { readonly digest: string }) | undefined, WebFailed> {
  const lists: ReadonlyArray<PieceList> = yield* listsAt(web, address, referer)
  const digest = createHash("sha256")
    .update(lists.map((list) => list.digest).join(" "))
    .digest("hex")
  if (known?.digest === digest) return undefined
  const streams = yield* Effect.forEach(lists, (list, at) =>
    gather(web, list, `${file}.stream${at}`, { most: bytes / lists.length, referer }, (share) =>
      onProgress((gathering * (at + share)) / lists.length)
    )
  )
  const total = streams.reduce((sum, stream) => sum + stream.bytes, 0)
  // A playlist may claim less than it has.
  const seconds = Math.max(lists[0]?.seconds ?? 0, total / 1_000_000)
  yield* joinedTo(renderer, streams, seconds, file)
  for (const { runs } of streams) for (const run of runs) fs.rmSync(run, { force: true })
  for (const at of streams.keys()) fs.rmSync(`${file}.stream${at}.json`, { force: true })
  return { type: "video/mp4", digest }
})
