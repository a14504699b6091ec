import * as fs from "node:fs"
import { Data, Effect } from "effect"
import { Renderer, type RendererError } from "../../../layers/renderer/renderer.ts"
import type { BundleMedia, MediaRole } from "../../../schema/bundle.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import type { Note } from "./outcome.ts"

/** The measurements of a media file: pixels, and the seconds of a recording. */
interface Measured {
  readonly width?: number
  readonly height?: number
  readonly duration?: number
}

/** A media file is not what its line says; `message` says what to do about it. */
class WrongFile extends Data.TaggedError("WrongFile")<{ readonly field: string; readonly message: string }> {}

/** The requirements of a role's file. */
interface Form {
  readonly name: string
  /** By default, everything that the renderer reads. */
  readonly mediaType?: string
  /** Whether a file begins like one; the renderer checks the rest. */
  readonly isOne: (head: Buffer) => boolean
  readonly measure: (renderer: Renderer["Service"], file: string) => Effect.Effect<Measured, RendererError>
}

const recording: Form["measure"] = (renderer, file) =>
  Effect.map(renderer.probe(file), ({ width, height, duration }) => ({
    width,
    height,
    duration: roundSeconds(duration)
  }))

const begins = (hex: string) => (head: Buffer) => head.toString("hex").startsWith(hex)

const mp4: Form = {
  name: "an MP4 file",
  mediaType: "video/mp4",
  isOne: (head) => head.toString("latin1", 4, 8) === "ftyp",
  measure: recording
}

const forms: Readonly<Record<MediaRole, Form>> = {
  source: {
    name: "a recording",
    isOne: () => true,
    // It may be sound alone.
    measure: (renderer, file) =>
      Effect.map(renderer.look(file), ({ duration, picture }) => ({ ...picture, duration: roundSeconds(duration) }))
  },
  rendition: mp4,
  clip: mp4,
  poster: {
    name: "a JPEG picture",
    mediaType: "image/jpeg",
    isOne: begins("ffd8ff"),
    measure: (renderer, file) => renderer.picture(file, "jpeg")
  },
  figure: {
    name: "a PNG picture",
    mediaType: "image/png",
    isOne: begins("89504e470d0a1a0a"),
    measure: (renderer, file) => renderer.picture(file, "png")
  },
  agenda: {
    name: "a PDF document",
    mediaType: "application/pdf",
    // It may come after other bytes, of which readers skip a thousand (ISO 32000-1, annex H.3.4.1).
    isOne: (head) => head.includes("%PDF-"),
    measure: () => Effect.succeed({})
  }
}

/** How many bytes identify a file. */
const headBytes = 1024

const headOf = (file: string) =>
  Effect.acquireUseRelease(
    Effect.promise(() => fs.promises.open(file)),
    (handle) =>
      Effect.promise(async () => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
        return buffer.subarray(0, bytesRead)
      }),
    (handle) => Effect.promise(() => handle.close())
  )

/** How many seconds two programs may differ about the length of a recording. */
const lengthTolerance = 0.5

/** A claim of the line that the file contradicts. */
const mismatches = (media: BundleMedia, measured: Measured): ReadonlyArray<Note> =>
  (["width", "height", "duration"] as const).flatMap((field) => {
    const [claimed, found] = [media[field], measured[field]]
    if (claimed === undefined || found === undefined) return []
    if (Math.abs(claimed - found) <= (field === "duration" ? lengthTolerance : 0)) return []
    return [{ field, message: `is ${claimed}, and ${found} in the file, which is kept; correct it or leave it out` }]
  })

/**
 * Looks into a media file of a bundle: what it is, whatever its name says, and what it measures, whatever its line
 * claims. Fails with `WrongFile` where it is not what its role must be, or cannot be looked into.
 */
export const measureMedia = Effect.fn("Records.measureMedia")(function* (media: BundleMedia, file: string) {
  const { role, path, media_type } = media
  const { name, mediaType, isOne, measure } = forms[role]
  const wrong = (field: string, message: string) => new WrongFile({ field, message })
  if (mediaType !== undefined && media_type !== mediaType) {
    return yield* wrong("media_type", `must be ${mediaType} for the role ${role}`)
  }
  const notOne = `${path} is not ${name}, which the role ${role} needs`
  if (!isOne(yield* headOf(file))) return yield* wrong("path", `${notOne}; put such a file there`)
  const measured = yield* measure(yield* Renderer, file).pipe(
    Effect.mapError(({ reason, message }) =>
      reason === "input_unreadable"
        ? wrong("path", `${notOne}, or is damaged (${message}); put a whole one there`)
        : wrong("path", `${path} could not be looked into: ${message} Import it again after that`)
    )
  )
  return { measured, notes: mismatches(media, measured) }
})
