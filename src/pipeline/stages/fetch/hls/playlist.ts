import { Result } from "effect"
import { parse, setOptions, type types } from "hls-parser"
import { digestOf } from "../../../../record/digest.ts"

/** The largest playlist, in bytes; a day in pieces of two seconds, with long addresses, takes that. */
export const longestPlaylist = 16_000_000
const mostPieces = 50_000
const longestSeconds = 24 * 3600
/** The tallest picture that is taken if there is a choice: renditions have no more. */
const tallest = 720
/** The bandwidth that is taken at most where pictures do not say how tall they are, in bits per second. */
const widest = 3_000_000

/** A piece of a stream: an address, or a range of bytes there. */
export interface Piece {
  readonly address: string
  readonly range?: { readonly from: number; readonly length: number }
}

/** Pieces that are one file when put after one another: nothing changes between them. */
type Run = ReadonlyArray<Piece>

/** A whole recording as a list of pieces. */
export interface PieceList {
  readonly _tag: "Pieces"
  readonly runs: ReadonlyArray<Run>
  /** The length that the list claims. */
  readonly seconds: number
  /** The same for the same pieces, however their addresses are signed. */
  readonly digest: string
}

/** Lists of the same recording, of which these are to be taken; the sound may be in a list of its own. */
interface Chosen {
  readonly _tag: "Chosen"
  readonly picture: string
  readonly sound?: string
}

type Media = types.MediaPlaylist
type Variant = types.Variant

// What is wrong with a playlist is told by what can be read of it, not on the console.
setOptions({ silent: true, strictMode: false })

/** The height of a variant's picture; undefined if the list does not say. */
const heightOf = ({ resolution }: Variant): number | undefined => resolution?.height

/** The best variant that is not larger than it has to be: up to 720 lines, or else the smallest. */
const choice = (variants: ReadonlyArray<Variant>): Variant | undefined => {
  const fits = (variant: Variant) => {
    const height = heightOf(variant)
    return height === undefined ? variant.bandwidth <= widest : height <= tallest
  }
  const bySize = variants
    .filter(({ isIFrameOnly, uri }) => isIFrameOnly !== true && typeof uri === "string" && uri !== "")
    .toSorted((a, b) => (heightOf(a) ?? 0) - (heightOf(b) ?? 0) || a.bandwidth - b.bandwidth)
  const withPicture = bySize.filter(
    ({ codecs, resolution }) => resolution !== undefined || codecs === undefined || /avc|hvc|hev|av01|vp0/i.test(codecs)
  )
  const able = withPicture.length > 0 ? withPicture : bySize
  return able.findLast(fits) ?? able[0]
}

const chosen = (variants: ReadonlyArray<Variant>, at: string): Result.Result<Chosen, string> => {
  const variant = choice(variants)
  const picture = variant === undefined ? undefined : URL.parse(variant.uri, at)?.href
  if (variant === undefined || picture === undefined) return Result.fail("Its playlist has no stream.")
  const rendition = variant.audio.find(({ isDefault }) => isDefault) ?? variant.audio[0]
  const sound = rendition?.uri === undefined ? undefined : URL.parse(rendition.uri, at)?.href
  return Result.succeed({ _tag: "Chosen", picture, ...(sound === undefined || sound === picture ? {} : { sound }) })
}

/** A range of bytes; one without an offset follows the one before it at the same address. */
const rangeOf = (
  found: { readonly offset: number; readonly length: number } | undefined,
  address: string,
  before: Piece | undefined
): Piece["range"] => {
  if (found === undefined) return undefined
  const { offset, length } = found
  if (offset >= 0) return { from: offset, length }
  const isNext = before?.address === address && before.range !== undefined
  return { from: isNext ? before.range.from + before.range.length : 0, length }
}

const isSound = ({ address, range }: Piece): boolean =>
  /^https?:/.test(address) &&
  (range === undefined || (Number.isSafeInteger(range.from) && Number.isSafeInteger(range.length) && range.length > 0))

const named = ({ address, range }: Piece, isSigned: boolean): string =>
  `${isSigned ? address.replace(/[?#].*$/s, "") : address} ${range?.from ?? ""} ${range?.length ?? ""}`

/** A digest without the signatures of addresses, unless pieces are told apart by them alone. */
const digestOfPieces = (runs: ReadonlyArray<Run>): string => {
  const plain = runs.map((run) => run.map((piece) => named(piece, true)))
  const areApart = plain.every((run) => new Set(run).size === run.length)
  return digestOf(JSON.stringify(areApart ? plain : runs.map((run) => run.map((piece) => named(piece, false)))))
}

const piecesOf = ({ segments, endlist, playlistType }: Media, at: string): Result.Result<PieceList, string> => {
  const isLocked = ({ key }: Media["segments"][number]) => key !== null && key !== undefined && key.method !== "NONE"
  if (segments.some(isLocked)) return Result.fail("Its stream is encrypted.")
  if (!endlist && playlistType !== "VOD") return Result.fail("Its stream has no end: it is live, or still being made.")
  if (segments.length === 0) return Result.fail("Its playlist has no pieces.")
  if (segments.length > mostPieces) return Result.fail(`Its stream has more than ${mostPieces} pieces.`)
  const runs: Array<Array<Piece>> = []
  let before: Piece | undefined
  let header: string | undefined
  let seconds = 0
  for (const { uri, byterange, map, discontinuity, duration, gap } of segments) {
    const length = Number.isFinite(duration) ? Math.max(0, duration) : 0
    seconds += length
    if (gap === true) continue
    const address = URL.parse(uri, at)?.href ?? ""
    const range = rangeOf(byterange, address, before)
    const piece: Piece = range === undefined ? { address } : { address, range }
    const start = map === null || map === undefined ? undefined : (URL.parse(map.uri, at)?.href ?? "")
    const opening: Piece | undefined =
      start === undefined || map.byterange === undefined
        ? start === undefined
          ? undefined
          : { address: start }
        : { address: start, range: { from: Math.max(0, map.byterange.offset), length: map.byterange.length } }
    const itsHeader = opening === undefined ? undefined : named(opening, false)
    const last = runs.at(-1)
    if (last === undefined || discontinuity === true || itsHeader !== header) {
      runs.push(opening === undefined ? [piece] : [opening, piece])
    } else last.push(piece)
    header = itsHeader
    before = piece
  }
  if (seconds > longestSeconds) return Result.fail("Its stream is longer than a day.")
  if (runs.length === 0 || !runs.flat().every(isSound))
    return Result.fail("Its playlist has pieces without an address.")
  return Result.succeed({ _tag: "Pieces", runs, seconds, digest: digestOfPieces(runs) })
}

/** Whether a text is a playlist of a stream (RFC 8216). */
const isPlaylist = (text: string): boolean => /^\uFEFF?#EXTM3U\b/.test(text)

/**
 * Reads a playlist that was fetched from `at`: its pieces, or which of several lists is to be taken. Fails, with a
 * sentence, for one that cannot or may not be fetched.
 */
export const readPlaylist = (text: string, at: string): Result.Result<PieceList | Chosen, string> => {
  // Titles are of no use, and the library expects them in bytes.
  const plain = text.replace(/^\uFEFF/, "").replace(/^(#EXTINF:[^,\r\n]*),?.*$/gm, "$1,")
  if (!isPlaylist(plain)) return Result.fail("Its address does not lead to a playlist.")
  const parsed = Result.try((): ReturnType<typeof parse> | undefined => parse(plain))
  // A list that is neither has no value, whatever the library's types say.
  const list = Result.isSuccess(parsed) ? parsed.success : undefined
  if (list === undefined || list === null) return Result.fail("Its playlist cannot be read.")
  if (!list.isMasterPlaylist) return piecesOf(list, at)
  const isLocked = list.sessionKeyList.some(({ method }) => method !== "NONE")
  return isLocked ? Result.fail("Its stream is encrypted.") : chosen(list.variants, at)
}
