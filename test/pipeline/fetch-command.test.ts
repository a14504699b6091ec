import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { fetchCommand } from "../../src/pipeline/stages/fetch/fetch-command.ts"
import { eventually, scratch } from "../support/rendering.ts"

const address = "https://www.youtube.com/watch?v=abcdefghijk&x=;touch%20y"

/** Runs a script as the operator's program; the path of what it fetched, with what it answered. */
const ran = Effect.fnUntraced(function* (script: string, how: object = {}) {
  const folder = yield* scratch
  const program = path.join(folder, "fetch")
  fs.writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const file = path.join(folder, "source.part")
  const environment = readEnvironment({ PATH: process.env.PATH, FETCH_COMMAND: program, SIGNING_KEYS: "" })
  const command = yield* Effect.provide(fetchCommand, Layer.effect(Environment, environment))
  const done =
    command === undefined ? undefined : yield* Effect.result(command(address, file, { bytes: 20_000, ...how }))
  return { done, file, folder }
})

const messageOf = Effect.fnUntraced(function* (script: string, how: object = {}) {
  const { done } = yield* ran(script, how)
  return done?._tag === "Failure" ? done.failure.message : done
})

describe("the operator's program", () => {
  it.live("gets the address alone, in an empty folder with nothing but PATH, and leaves one file", () =>
    Effect.gen(function* () {
      const { done, file } = yield* ran(
        `{ echo "$#"; echo "$1"; ls -a; env | grep -v '^PWD=\\|^_=\\|^SHLVL=\\|^OLDPWD='; } > film.webm`
      )
      assert.deepInclude(done, { success: { type: "video/webm" } })
      const [count, given, ...rest] = fs.readFileSync(file, "utf8").trim().split("\n")
      assert.deepStrictEqual([count, given], ["1", address])
      assert.deepStrictEqual(
        rest.filter((line) => ![".", "..", "film.webm"].includes(line)).map((line) => line.split("=", 1)[0]),
        ["PATH"]
      )
      assert.isFalse(fs.existsSync(`${file}.command`))
    })
  )

  it.live("is refused where it leaves none, several, a link, too much, or fails", () =>
    Effect.gen(function* () {
      const none = "FETCH_COMMAND left 0 files; it is to leave one, the recording."
      assert.strictEqual(yield* messageOf("true"), none)
      assert.strictEqual(yield* messageOf("ln -s /etc/passwd film.mp4"), none)
      assert.strictEqual(yield* messageOf("echo > a; echo > b"), none.replace("0", "2"))
      assert.strictEqual(yield* messageOf("echo > a; exit 3"), "FETCH_COMMAND ended with 3.")
      const large = yield* messageOf("head -c 50000 /dev/zero > a")
      assert.match(String(large), /^FETCH_COMMAND (?:ended with \d+|left a file that is too large)\.$/)
    })
  )

  it.live("dies with its children when its time is over", () =>
    Effect.gen(function* () {
      const marks = yield* scratch
      const script = `sh -c 'echo $$ > ${marks}/child; exec sleep 600' & echo $$ > ${marks}/own; wait`
      const message = yield* messageOf(script, { timeout: "1 second" })
      assert.strictEqual(message, "FETCH_COMMAND took longer than 1s.")
      for (const name of ["own", "child"]) {
        const pid = Number(fs.readFileSync(path.join(marks, name), "utf8"))
        yield* eventually(
          Effect.sync(() =>
            fs.existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"))
              ? undefined
              : true
          )
        )
      }
    })
  )
})
