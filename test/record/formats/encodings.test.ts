import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { zstdCompressSync } from "node:zlib"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pack } from "tar-stream"
import { itemsOf, noticesOf, those } from "./reading.ts"

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-test-"))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

const write = (name: string, bytes: Uint8Array | string): string => {
  const file = path.join(scratch, name)
  fs.writeFileSync(file, bytes)
  return file
}

const utf16le = (text: string) => Buffer.from(text, "utf16le")
const utf16be = (text: string) => utf16le(text).swap16()

const facts = { body: "City Council", place: "Marlow", state: "IL", date: "2026-03-10" }
const captions = "WEBVTT\n\n00:01.000 --> 00:02.000\nDoña Ana, piñon café.\n"
const place = (slug: string, name: string) =>
  `${JSON.stringify({ type: "place", slug, name, kind: "city", state: "NM" })}\n`

const foreign: ReadonlyArray<readonly [what: string, bytes: Buffer, note: string | undefined]> = [
  ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${captions}`), undefined],
  ["windows-1252", Buffer.from(captions, "latin1"), "windows-1252, line by line"],
  ["UTF-16LE with a byte order mark", utf16le(`\uFEFF${captions}`), "UTF-16LE"],
  ["UTF-16BE with a byte order mark", utf16be(`\uFEFF${captions}`), "UTF-16BE"],
  ["UTF-16LE without a byte order mark", utf16le(captions), "UTF-16LE"],
  ["UTF-16BE without a byte order mark", utf16be(captions), "UTF-16BE"]
]

describe("captions", () => {
  for (const [what, bytes, note] of foreign) {
    it.effect(`in ${what} are read as such${note === undefined ? "" : ", and the report says so"}`, () =>
      Effect.gen(function* () {
        const items = yield* itemsOf(write(`${what.replaceAll(" ", "-")}.vtt`, bytes), { facts })
        assert.deepStrictEqual(
          those(items, "transcript").map(({ segments }) => segments.map(({ text }) => text)),
          [["Doña Ana, piñon café."]]
        )
        assert.deepStrictEqual(
          noticesOf(items),
          note === undefined
            ? []
            : [`Warning 1: is not UTF-8 and is read as ${note}; write UTF-8 if that garbles a name`]
        )
      })
    )
  }
})

describe("lines", () => {
  it.effect("of windows-1252 among lines of UTF-8 are decoded as such, and the first one is reported", () =>
    Effect.gen(function* () {
      const lines = [place("a", "Peña"), place("b", "Doña"), place("c", "Cañon")]
      const bytes = lines.map((line, at) => Buffer.from(line, at === 0 ? "utf8" : "latin1"))
      const items = yield* itemsOf(write("mixed.ndjson", Buffer.concat(bytes)))
      assert.deepStrictEqual(
        those(items, "place").map(({ name }) => name),
        ["Peña", "Doña", "Cañon"]
      )
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 2: is not UTF-8 and is read as windows-1252, line by line; write UTF-8 if that garbles a name"
      ])
    })
  )

  it.effect("of UTF-16 are recognized and split like any others", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 20_000 }, (_, at) => place(`place-${at}`, `Peña ${at} 村`)).join("")
      const items = yield* itemsOf(write("wide.ndjson", utf16le(text)))
      const places = those(items, "place")
      assert.strictEqual(places.length, 20_000)
      assert.strictEqual(places.at(-1)?.name, "Peña 19999 村")
      assert.deepStrictEqual(noticesOf(items), [
        "Warning 1: is not UTF-8 and is read as UTF-16LE; write UTF-8 if that garbles a name"
      ])
    })
  )

  it.effect("longer than 64 MB are skipped without affecting others", () =>
    Effect.gen(function* () {
      const long = place("long", "x".repeat(64 * 1024 * 1024))
      const items = yield* itemsOf(write("long.ndjson", place("a", "Peña") + long + place("b", "Doña")))
      assert.deepStrictEqual(
        those(items, "place").map(({ slug }) => slug),
        ["a", "b"]
      )
      assert.deepStrictEqual(noticesOf(items), ["Rejected 2: is longer than 64 MB; write one record per line"])
    })
  )
})

describe("Zstandard", () => {
  it.effect("is read wherever gzip is: captions, lines and archives", () =>
    Effect.gen(function* () {
      const subtitles = yield* itemsOf(write("talk.vtt.zst", zstdCompressSync(captions)), { facts })
      assert.strictEqual(those(subtitles, "transcript").length, 1)
      const lines = yield* itemsOf(write("record.ndjson.zst", zstdCompressSync(place("a", "Peña"))))
      assert.strictEqual(those(lines, "place").length, 1)

      const tar = pack()
      tar.entry({ name: "record.ndjson" }, place("b", "Doña"))
      tar.finalize()
      const parts: Array<Buffer> = []
      yield* Effect.promise(async () => {
        for await (const part of tar) parts.push(part as Buffer)
      })
      for (const ending of ["tar.zst", "tzst"]) {
        const archive = yield* itemsOf(write(`record.${ending}`, zstdCompressSync(Buffer.concat(parts))))
        assert.strictEqual(those(archive, "place").length, 1, ending)
      }
    })
  )

  it.effect("in several frames is read to the last one, and a truncated file is reported", () =>
    Effect.gen(function* () {
      const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])
      const frames = ["a", "b", "c"].flatMap((slug) => [skippable, zstdCompressSync(place(slug, "Peña"))])
      const items = yield* itemsOf(write("frames.ndjson.zst", Buffer.concat(frames)))
      assert.deepStrictEqual(
        those(items, "place").map(({ slug }) => slug),
        ["a", "b", "c"]
      )
      const cut = write("cut.ndjson.zst", Buffer.concat(frames).subarray(0, -5))
      assert.match(String(yield* Effect.flip(itemsOf(cut))), /cut\.ndjson\.zst: cannot be read: /)
    })
  )
})
