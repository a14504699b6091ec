import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { figureId, meeting, meetingId } from "../support/builders.ts"
import { mediaFiles } from "../support/media-files.ts"
import { deployment, directory, importPath, writeLines } from "./importing.ts"

const id = meetingId("a")
const figure = figureId("one")

const line = (role: string, file: string, media_type: string, claims: object = {}) => ({
  type: "media",
  meeting_id: id,
  role,
  path: file,
  media_type,
  ...claims
})

/** Imports a meeting with one figure and these media lines, from a folder with these files. */
const imported = Effect.fnUntraced(function* (
  files: Readonly<Record<string, Buffer | string>>,
  ...lines: ReadonlyArray<object>
) {
  const { folder, store, on } = yield* deployment
  const bundle = path.join(folder, "bundle")
  writeLines(path.join(bundle, "record.ndjson"), [
    ...directory,
    meeting("a", "council"),
    { type: "figure", meeting_id: id, id: figure, title: "Costs", alt: "Bars." },
    ...lines
  ])
  for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(bundle, name), bytes)
  const { notices } = yield* on(importPath(bundle))
  const rows = yield* on(
    Effect.flatMap(
      Db,
      (db) => db<{ role: string; bytes: number; width: number | null; height: number | null; duration: number | null }>`
        select role, bytes::int as bytes, width, height, duration::float8 as duration from media order by role`
    )
  )
  return { notices, rows, stored: fs.existsSync(path.join(store, "meetings")) }
})

describe("a media file of a bundle", () => {
  it.live("that does not suit its role is refused, with what to put there, and is not stored", () =>
    Effect.gen(function* () {
      const { mp4, png, jpeg } = yield* mediaFiles
      const { notices, rows, stored } = yield* imported(
        {
          "notes.mp4": "These are the minutes.",
          "hello.pdf": "hello",
          "figure.png": jpeg,
          "half.png": png.subarray(0, 40),
          "half.mp4": mp4.subarray(0, 200),
          "notes.webm": "These are the minutes, too."
        },
        line("rendition", "notes.mp4", "video/mp4"),
        line("agenda", "hello.pdf", "application/pdf"),
        line("figure", "figure.png", "image/png", { subject: figure }),
        line("figure", "half.png", "image/png", { subject: figure }),
        line("rendition", "half.mp4", "video/mp4"),
        line("source", "notes.webm", "video/webm"),
        line("poster", "figure.png", "image/png")
      )
      assert.deepStrictEqual(
        notices.map((notice) => notice.replace(/\(.*\)/, "(why)")),
        [
          "rejected 5 path: notes.mp4 is not an MP4 file, which the role rendition needs; put such a file there",
          "rejected 6 path: hello.pdf is not a PDF document, which the role agenda needs; put such a file there",
          "rejected 7 path: figure.png is not a PNG picture, which the role figure needs; put such a file there",
          "rejected 8 path: half.png is not a PNG picture, which the role figure needs, or is damaged (why); put a whole one there",
          "rejected 9 path: half.mp4 is not an MP4 file, which the role rendition needs, or is damaged (why); put a whole one there",
          "rejected 10 path: notes.webm is not a recording, which the role source needs, or is damaged (why); put a whole one there",
          "rejected 11 media_type: must be image/jpeg for the role poster"
        ]
      )
      assert.deepStrictEqual(rows, [])
      assert.isFalse(stored)
    })
  )

  it.live("is measured, whatever its line claims, and differences are noted", () =>
    Effect.gen(function* () {
      const { mp4, png, jpeg, pdf, size } = yield* mediaFiles
      const { notices, rows } = yield* imported(
        { "a.mp4": mp4, "a.png": png, "a.jpg": jpeg, "a.pdf": pdf },
        line("rendition", "a.mp4", "video/mp4", { width: 1920, height: size.height, duration: 3600 }),
        line("figure", "a.png", "image/png", { subject: figure }),
        line("poster", "a.jpg", "image/jpeg", { width: size.width, height: 1 }),
        line("agenda", "a.pdf", "application/pdf")
      )
      const kept = "in the file, which is kept; correct it or leave it out"
      assert.deepStrictEqual(notices, [
        `warning 5 width: is 1920, and ${size.width} ${kept}`,
        `warning 5 duration: is 3600, and ${size.duration} ${kept}`,
        `warning 7 height: is 1, and ${size.height} ${kept}`
      ])
      const { width, height } = size
      assert.deepStrictEqual(rows, [
        { role: "agenda", bytes: pdf.length, width: null, height: null, duration: null },
        { role: "figure", bytes: png.length, width: 1, height: 1, duration: null },
        { role: "poster", bytes: jpeg.length, width, height, duration: null },
        { role: "rendition", bytes: mp4.length, ...size }
      ])
    })
  )
})
