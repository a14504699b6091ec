import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { scratchFolder } from "../record/importing.ts"
import { ran, ranHere } from "../support/program.ts"

const settings = (folder: string) => ({
  ...{ PATH: process.env.PATH, DATA_DIR: folder },
  ...{ PORT: "0", OPERATOR_PORT: "0", LOCAL_IDENTITY_PORT: "0" }
})

const unusable = (folder: string) => `DATA_DIR must be a folder that can be made and written to, and ${folder} cannot.`

describe("a data folder that cannot be created", () => {
  it.live.each(["serve", "worker"])("ends %s in one line, which names the setting", (command) =>
    Effect.gen(function* () {
      const file = path.join(yield* scratchFolder, "file")
      fs.writeFileSync(file, "")
      const said = `civic-record: ${unusable(file)}\n`
      assert.deepStrictEqual(yield* ran(settings(file), command), { code: 1, out: "", err: said })
    })
  )

  it.live("fails the doctor, for any reason", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratchFolder, "file")
      fs.writeFileSync(file, "")
      // In /proc, which only Linux has, the system reports that the folder's parent is missing.
      for (const folder of [file, path.join(file, "x"), ...(fs.existsSync("/proc/self") ? ["/proc/x"] : [])]) {
        const { code, out } = yield* ranHere(settings(folder), "doctor")
        assert.strictEqual(code, 1)
        assert.include(out, unusable(folder))
        assert.include(out, "the store says: failed")
      }
    })
  )
})
