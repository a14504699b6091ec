import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { gzipSync } from "node:zlib"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Header, pack } from "tar-stream"
import { unpackArchive } from "../../../src/record/formats/archive.ts"
import { entitiesOf, itemsOf } from "./reading.ts"

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-test-"))
// Imports unpack here, so that their remains are not mistaken for the work of another process.
const { TMPDIR } = process.env
process.env.TMPDIR = scratch
afterAll(() => {
  // Other files run in this process too.
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  fs.rmSync(scratch, { recursive: true, force: true })
})

type MemberHeader = Partial<Header> & Pick<Header, "name">

const tarOf = async (name: string, members: ReadonlyArray<readonly [MemberHeader, string]>): Promise<string> => {
  const tar = pack()
  for (const [header, content] of members) tar.entry(header, content)
  tar.finalize()
  const parts: Array<Buffer> = []
  for await (const part of tar) parts.push(part as Buffer)
  const file = path.join(scratch, name)
  fs.writeFileSync(file, gzipSync(Buffer.concat(parts)))
  return file
}

const message = (archive: string, limits?: Parameters<typeof unpackArchive>[1]) =>
  unpackArchive(archive, limits).pipe(
    Effect.scoped,
    Effect.provide(NodeServices.layer),
    Effect.flip,
    Effect.map((error) => error.message)
  )

const leftBehind = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith("civic-record-import-"))

describe("unpackArchive", () => {
  const bad: ReadonlyArray<readonly [string, MemberHeader, RegExp]> = [
    ["climbs out", { name: "../evil.txt" }, /evil\.txt" would be outside/],
    ["climbs out from within", { name: "a/../../evil.txt" }, /would be outside/],
    ["is absolute", { name: "/etc/evil.txt" }, /would be outside/],
    ["is a link", { name: "link", type: "symlink", linkname: "/etc/passwd" }, /is a link/],
    ["is a hard link", { name: "link", type: "link", linkname: "/etc/passwd" }, /is a link/]
  ]
  for (const [what, header, expected] of bad) {
    it.effect(`refuses an archive with a member that ${what}, and keeps nothing`, () =>
      Effect.gen(function* () {
        const before = leftBehind()
        const archive = yield* Effect.promise(() =>
          tarOf(`${what.replaceAll(" ", "-")}.tar.gz`, [
            [{ name: "good.txt" }, "good"],
            [header, header.type === undefined ? "evil" : ""]
          ])
        )
        assert.match(yield* message(archive), expected)
        assert.isFalse(fs.existsSync(path.join(os.tmpdir(), "evil.txt")))
        assert.deepStrictEqual(leftBehind(), before)
      })
    )
  }

  it.effect("refuses an archive that exceeds the limits", () =>
    Effect.gen(function* () {
      const archive = yield* Effect.promise(() =>
        tarOf("large.tar.gz", [
          [{ name: "a" }, "x".repeat(2000)],
          [{ name: "b" }, "y"]
        ])
      )
      assert.match(yield* message(archive, { members: 10, memberBytes: 1000, totalBytes: 9000 }), /a is too large/)
      assert.match(yield* message(archive, { members: 10, memberBytes: 9000, totalBytes: 2000 }), /b is too large/)
      assert.match(yield* message(archive, { members: 1, memberBytes: 9000, totalBytes: 9000 }), /more than 1 members/)
    })
  )

  it.effect("reports a truncated archive, and a file that is not an archive", () =>
    Effect.gen(function* () {
      const whole = yield* Effect.promise(() => tarOf("whole.tar.gz", [[{ name: "a" }, "x".repeat(200_000)]]))
      const cut = path.join(scratch, "cut.tar.gz")
      fs.writeFileSync(cut, fs.readFileSync(whole).subarray(0, 150))
      assert.match(yield* message(cut), /cannot be unpacked/)
      const none = path.join(scratch, "none.zip")
      fs.writeFileSync(none, "this is no zip")
      assert.match(yield* message(none), /cannot be unpacked/)
    })
  )

  it.effect("leaves nothing behind when its process is killed: the next import removes the folder", () =>
    Effect.gen(function* () {
      const dead = spawnSync(process.execPath, ["--version"]).pid
      const [left, busy] = [dead, process.pid].map((pid) =>
        fs.mkdtempSync(path.join(scratch, `civic-record-import-${os.hostname()}-${pid}-`))
      )
      const other = fs.mkdtempSync(path.join(scratch, `civic-record-import-elsewhere-${dead}-`))
      fs.writeFileSync(path.join(left ?? "", "half.vtt"), "WEBVTT")
      yield* itemsOf("docs/examples/bundle")
      assert.deepStrictEqual(
        [left, busy, other].map((folder) => fs.existsSync(folder ?? "")),
        [false, true, true]
      )
    })
  )

  it.effect("reads a manifest whose captions come before it, and leaves no temporary folder", () =>
    Effect.gen(function* () {
      const before = leftBehind()
      const example = (name: string) => fs.readFileSync(path.join("docs/examples/manifest", name), "utf8")
      const captions = ["captions/city-council-2026-03-10.vtt", "captions/county-board-2026-03-17.srt"]
      const archive = yield* Effect.promise(() =>
        tarOf(
          "example.tgz",
          [...captions, "meetings.ndjson"].map((name) => [{ name }, example(name)] as const)
        )
      )
      const unpacked = entitiesOf(yield* itemsOf(archive))
      assert.deepStrictEqual(unpacked, entitiesOf(yield* itemsOf("docs/examples/manifest")))
      assert.deepStrictEqual(leftBehind(), before)
    })
  )
})
