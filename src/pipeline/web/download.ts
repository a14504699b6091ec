import * as fs from "node:fs"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Duration, Effect, Option, Schema } from "effect"
import type { WebResponse } from "../../../layers/web.ts"
import { WebFailed } from "./failure.ts"
import type { PoliteWeb } from "./polite-web.ts"

/** The metadata of a partial download, stored beside it. */
const Partial = Schema.fromJsonString(
  Schema.Struct({ address: Schema.String, validator: Schema.String, type: Schema.String })
)
type Partial = typeof Partial.Type
const decodePartial = Schema.decodeUnknownOption(Partial)

/** What servers call a playlist of a stream. */
export const playlistTypes = /mpegurl/
/** Types of what is not the file, but says where it is. */
export const isLead = /mpegurl|html/

/** The timeout of one attempt; the next one resumes it. */
const longestTry = "2 hours"

/** What was downloaded before: its validators, and its length in bytes. */
interface KnownFile {
  readonly etag: string | null
  readonly last_modified: string | null
  readonly bytes: number
  /** Whether a file of the same length counts as the same; if not, one without validators is downloaded again. */
  readonly byLength: boolean
  /** The SHA-256 of the file or, of a stream, of its list of pieces. */
  readonly digest?: string
}

export interface Download {
  /** The expected `Content-Type`. */
  readonly types: RegExp
  /** The expected content, for the message: "a recording". */
  readonly what: string
  /** The largest file that is accepted, in bytes. */
  readonly bytes: number
  /** The file that is here already, from the same address. */
  readonly known?: KnownFile | undefined
  /** Whether a web page is a file like any other, rather than a lead to one. */
  readonly takesPages?: true
  /** The page that names the file, for servers that answer only who comes from there. */
  readonly referer?: string
  readonly onProgress: (share: number) => Effect.Effect<void>
}

/** A file that was downloaded: its media type, and the server's validators for it. */
export interface Downloaded {
  readonly type: string
  readonly etag?: string | undefined
  readonly last_modified?: string | undefined
}

/**
 * A strong validator, by which a server can tell whether a part still belongs to the whole (RFC 9110, section 13.1.5).
 */
const validatorOf = ({ headers }: WebResponse): string | undefined => {
  const etag = headers.get("etag")
  return etag === undefined || etag.startsWith("W/") ? headers.get("last-modified") : etag
}

/** Whether an answer is the known file again, as far as its headers tell. */
const isKnown = ({ headers }: WebResponse, { etag, last_modified, bytes, byLength }: KnownFile): boolean => {
  const [itsLength, itsEtag, itsDate] = [
    headers.get("content-length"),
    headers.get("etag"),
    headers.get("last-modified")
  ]
  // Servers behind one name may give the same file different tags.
  if (byLength && itsLength !== undefined) return Number(itsLength) === bytes
  if (itsEtag !== undefined && etag !== null) return itsEtag === etag
  if (itsDate !== undefined && last_modified !== null) {
    return itsDate === last_modified && (itsLength === undefined || Number(itsLength) === bytes)
  }
  return byLength
}

/** The first byte and the length of the whole, as `Content-Range` gives them. */
const rangeOf = ({ headers }: WebResponse) => {
  const [, first, whole] = /^bytes (\d+|\*)(?:-\d+)?\/(\d+)$/i.exec(headers.get("content-range") ?? "") ?? []
  return { first: Number(first), whole: whole === undefined ? undefined : Number(whole) }
}

const sizeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

const unsuitable = (message: string) => new WebFailed({ reason: "unsuitable", message })

/** Appends a body to a file, or starts the file over, and stops as soon as the file is too large. */
const save = (response: WebResponse, file: string, from: number, whole: number | undefined, download: Download) =>
  Effect.gen(function* () {
    const { bytes, what, onProgress } = download
    const tooLarge = unsuitable(`It has more than ${Math.round(bytes / 1_000_000)} MB, which is too large for ${what}.`)
    if ((whole ?? 0) > bytes) return yield* tooLarge
    const context = yield* Effect.context<never>()
    let size = from
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        size += chunk.length
        if (whole !== undefined) Effect.runForkWith(context)(onProgress(size / whole))
        if (size > bytes) done(tooLarge)
        else done(null, chunk)
      }
    })
    yield* Effect.tryPromise({
      try: (signal) =>
        pipeline(response.body, counted, fs.createWriteStream(file, { flags: from > 0 ? "a" : "w" }), { signal }),
      catch: (cause) =>
        cause instanceof WebFailed
          ? cause
          : new WebFailed({ reason: "unreachable", message: "The server broke off in the middle of the file.", cause })
    })
    if (whole !== undefined && size !== whole) {
      return yield* new WebFailed({ reason: "unreachable", message: "The server sent less than it had announced." })
    }
  })

/**
 * Downloads a whole file into `file`, resuming what an earlier attempt left there if the server confirms that it still
 * has the same file. Returns undefined, and leaves no file, if it is the known one. Leaves none for a playlist or a web
 * page either, if their types are accepted: they are for others to read, unless web pages are taken.
 */
export const downloadTo = Effect.fn("PoliteWeb.download")(function* (
  web: PoliteWeb["Service"],
  address: string,
  file: string,
  download: Download
): Effect.fn.Return<Downloaded | undefined, WebFailed> {
  const note = `${file}.json`
  const known: Partial | undefined = fs.existsSync(note)
    ? Option.getOrUndefined(decodePartial(fs.readFileSync(note, "utf8")))
    : undefined
  const left = known?.address === address ? sizeOf(file) : 0
  const { etag, last_modified: date } = download.known ?? { etag: null, last_modified: null }
  const conditions: Readonly<Record<string, string>> =
    known !== undefined && left > 0
      ? { range: `bytes=${left}-`, "if-range": known.validator }
      : {
          ...(etag === null ? {} : { "if-none-match": etag }),
          ...(date === null ? {} : { "if-modified-since": date })
        }

  const { referer } = download
  const plain = { accept: "*/*", "accept-encoding": "identity", ...(referer === undefined ? {} : { referer }) }

  const receive = Effect.fnUntraced(function* (response: WebResponse) {
    const { first, whole } = rangeOf(response)
    const validators = { etag: response.headers.get("etag"), last_modified: response.headers.get("last-modified") }
    if (response.status === 304 && download.known !== undefined) return undefined
    if (response.status === 416) {
      // If the server has no more bytes than are here, the file is complete.
      if (known !== undefined && whole === left) return { type: known.type, ...validators }
      fs.rmSync(file, { force: true })
      return yield* new WebFailed({ reason: "unreachable", message: "The server has no longer what it began to send." })
    }
    const coding = response.headers.get("content-encoding") ?? "identity"
    if (coding !== "identity") return yield* unsuitable("The server used an encoding that it was not offered.")
    const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? ""
    if (response.status === 206 && known !== undefined && first === left) {
      yield* save(response, file, left, whole, download)
      return { type: known.type, ...validators }
    }
    if (response.status !== 200) return yield* unsuitable("The server sent another part than it was asked for.")
    if (!download.types.test(type)) {
      const found = /html/.test(type)
        ? "a web page"
        : playlistTypes.test(type)
          ? "a playlist of a stream (HLS)"
          : undefined
      const leads = found === undefined ? "does not lead to" : `leads to ${found}, not`
      return yield* unsuitable(`Its address ${leads} ${download.what}.`)
    }
    if (isLead.test(type) && download.takesPages !== true) return { type }
    if (download.known !== undefined && isKnown(response, download.known)) return undefined
    const validator = validatorOf(response)
    fs.rmSync(note, { force: true })
    fs.rmSync(file, { force: true })
    if (validator !== undefined) fs.writeFileSync(note, JSON.stringify({ address, validator, type } satisfies Partial))
    const length = response.headers.get("content-length")
    yield* save(response, file, 0, length === undefined ? undefined : Number(length), download)
    return { type, ...validators }
  })

  return yield* web.open(address, { ...plain, ...conditions }, receive).pipe(
    Effect.timeoutOrElse({
      duration: Duration.fromInputUnsafe(longestTry),
      orElse: () => Effect.fail(new WebFailed({ reason: "unreachable", message: `It took longer than ${longestTry}.` }))
    })
  )
})
