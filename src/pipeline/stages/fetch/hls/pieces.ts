import * as fs from "node:fs"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Effect, Option, Schedule, Schema } from "effect"
import type { StreamForm } from "../../../../../layers/renderer/join.ts"
import type { WebResponse } from "../../../../../layers/web.ts"
import { WebFailed } from "../../../web/failure.ts"
import type { PoliteWeb } from "../../../web/polite-web.ts"
import type { Piece, PieceList } from "./playlist.ts"

const longestPiece = 500_000_000
const pieceTimeout = "10 minutes"
/** How often a piece is asked for again before the whole download is put off. */
const again = { times: 3, schedule: Schedule.exponential("500 millis") }

/** What is here: so many pieces, the last of which ends at `size` in its file; `total` is the size of all files. */
const Journal = Schema.fromJsonString(
  Schema.Struct({ digest: Schema.String, done: Schema.Int, size: Schema.Int, total: Schema.Int })
)
type Journal = typeof Journal.Type
const decodeJournal = Schema.decodeUnknownOption(Journal)

const unsuitable = (message: string) => new WebFailed({ reason: "unsuitable", message })

const boxes = /^(?:ftyp|styp|moof|moov|sidx|emsg|prft|free|skip|mdat)$/

/** What a piece is, by its first bytes: a playlist or a picture that calls itself a piece is never given to ffmpeg. */
const formOf = (head: Buffer): StreamForm | undefined => {
  if (head[0] === 0x47 && (head.length < 189 || head[188] === 0x47)) return "mpegts"
  if (boxes.test(head.toString("latin1", 4, 8))) return "mov"
  if (head.toString("latin1", 0, 3) === "ID3" || (head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0)) return "aac"
  return undefined
}

const headOf = (file: string, at: number): Buffer => {
  const handle = fs.openSync(file, "r")
  const head = Buffer.alloc(189)
  const read = fs.readSync(handle, head, 0, head.length, at)
  fs.closeSync(handle)
  return head.subarray(0, read)
}

/** Adds the body of an answer to a file at a position; returns how many bytes it has. */
const append = (response: WebResponse, file: string, at: number, most: number) =>
  Effect.gen(function* () {
    let size = 0
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        size += chunk.length
        if (size > most) done(unsuitable("A piece of its stream is too large."))
        else done(null, chunk)
      }
    })
    const flags = at === 0 ? "w" : "r+"
    yield* Effect.tryPromise({
      try: (signal) => pipeline(response.body, counted, fs.createWriteStream(file, { flags, start: at }), { signal }),
      catch: (cause) =>
        cause instanceof WebFailed
          ? cause
          : new WebFailed({ reason: "unreachable", message: "The server broke off in the middle of a piece.", cause })
    })
    return size
  })

const fetchPiece = Effect.fnUntraced(function* (
  web: PoliteWeb["Service"],
  { address, range, referer }: Piece & { readonly referer: string | undefined },
  file: string,
  at: number,
  most: number
) {
  const headers = {
    ...{ accept: "*/*", "accept-encoding": "identity" },
    ...(referer === undefined ? {} : { referer }),
    ...(range === undefined ? {} : { range: `bytes=${range.from}-${range.from + range.length - 1}` })
  }
  return yield* web.open(
    address,
    headers,
    Effect.fnUntraced(function* (response) {
      if ((response.headers.get("content-encoding") ?? "identity") !== "identity") {
        return yield* unsuitable("The server used an encoding that it was not offered.")
      }
      const first = /^bytes (\d+)-/i.exec(response.headers.get("content-range") ?? "")?.[1]
      const isAsked =
        range === undefined ? response.status === 200 : response.status === 206 && Number(first) === range.from
      if (!isAsked) return yield* unsuitable("The server sent another part than it was asked for.")
      const size = yield* append(response, file, at, Math.min(most, range?.length ?? longestPiece))
      const length = range?.length ?? response.headers.get("content-length")
      if (length !== undefined && Number(length) !== size) {
        return yield* new WebFailed({ reason: "unreachable", message: "The server sent less than it had announced." })
      }
      return size
    })
  )
})

/** The files of a stream: one for each of its runs. */
export interface Gathered {
  readonly form: StreamForm
  readonly runs: ReadonlyArray<string>
  readonly bytes: number
}

/**
 * Fetches the pieces of a list one after another, each run of them into one file beside `base`, and continues what an
 * earlier attempt left there if it was of the same list. Every address is checked as any other is.
 */
export const gather = Effect.fn("FetchStage.gather")(function* (
  web: PoliteWeb["Service"],
  { runs, digest }: PieceList,
  base: string,
  { most, referer }: { readonly most: number; readonly referer: string | undefined },
  onProgress: (share: number) => Effect.Effect<void>
): Effect.fn.Return<Gathered, WebFailed> {
  const note = `${base}.json`
  const fileOf = (run: number) => `${base}.${run}`
  const pieces = runs.flatMap((run, at) => run.map((piece) => ({ piece, run: at })))
  const sizeOf = (run: number) => fs.statSync(fileOf(run), { throwIfNoEntry: false })?.size ?? 0

  const left = fs.existsSync(note) ? Option.getOrUndefined(decodeJournal(fs.readFileSync(note, "utf8"))) : undefined
  const last = left === undefined ? undefined : pieces[left.done - 1]
  const isLeft = left?.digest === digest && last !== undefined && sizeOf(last.run) >= left.size
  let { done, size, total }: Journal = isLeft ? left : { digest, done: 0, size: 0, total: 0 }

  for (const { piece, run } of pieces.slice(done)) {
    const file = fileOf(run)
    if (pieces[done - 1]?.run !== run) size = 0
    const at = size
    const added = yield* fetchPiece(web, { ...piece, referer }, file, at, Math.min(longestPiece, most - total)).pipe(
      Effect.timeoutOrElse({
        duration: pieceTimeout,
        orElse: () =>
          Effect.fail(new WebFailed({ reason: "unreachable", message: "A piece of its stream took too long." }))
      }),
      Effect.retry({ ...again, while: ({ reason }) => reason === "unreachable" })
    )
    // What an attempt before may have left beyond.
    fs.truncateSync(file, at + added)
    const form = formOf(headOf(file, at))
    if (form === undefined || form !== (done === 0 ? form : formOf(headOf(fileOf(0), 0)))) {
      return yield* unsuitable("A piece of its stream is no video.")
    }
    ;({ done, size, total } = { done: done + 1, size: at + added, total: total + added })
    fs.writeFileSync(`${note}.new`, JSON.stringify({ digest, done, size, total } satisfies Journal))
    fs.renameSync(`${note}.new`, note)
    yield* onProgress(done / pieces.length)
  }
  const form = formOf(headOf(fileOf(0), 0))
  if (form === undefined) return yield* unsuitable("A piece of its stream is no video.")
  return { form, runs: runs.map((_, run) => fileOf(run)), bytes: total }
})
