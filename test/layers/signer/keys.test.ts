import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { keptKeys, parseSigningKeys } from "../../../layers/signer/keys.ts"

const secret = (fill: number) => Buffer.alloc(32, fill).toString("base64url")
const parse = (text: string) => Effect.exit(parseSigningKeys(Redacted.make(text)))

describe("SIGNING_KEYS", () => {
  it.effect("is id:secret pairs, base64 or base64url, the first of which signs", () =>
    Effect.gen(function* () {
      const odd = Buffer.alloc(33, 0xfb)
      const keys = yield* parseSigningKeys(
        Redacted.make(` b:${odd.toString("base64")} , a:${odd.toString("base64url")}\n`)
      )
      assert.deepStrictEqual(
        [keys.current, ...keys.previous].map(({ id, secret }) => [id, Buffer.from(Redacted.value(secret))]),
        [
          ["b", odd],
          ["a", odd]
        ]
      )
      assert.notInclude(inspect(keys, { depth: 9 }) + JSON.stringify(keys), odd.toString("hex").slice(0, 4))
    })
  )

  it.effect("is refused by name if it is short, malformed or has an id twice, and no part of it is shown", () =>
    Effect.gen(function* () {
      const short = Buffer.alloc(31, 7).toString("base64")
      for (const text of ["", secret(1), `a:${short}`, `a:${secret(1)},`, `a.b:${secret(1)}`, `a:${secret(1)}!`, ":"]) {
        const refused = yield* parse(text)
        assert.isTrue(Exit.isFailure(refused), text)
        const told = inspect(refused, { depth: 9 })
        assert.include(told, "SIGNING_KEYS must")
        assert.notInclude(told, short)
        assert.notInclude(told, secret(1))
      }
      assert.include(inspect(yield* parse(`a:${secret(1)},a:${secret(2)}`), { depth: 9 }), "two keys with the same id")
    })
  )

  it.effect("is created once if none is given, for its owner only", () =>
    Effect.gen(function* () {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signer-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true })))
      const dataDir = path.join(folder, "data")
      const first = yield* keptKeys(dataDir)
      assert.strictEqual(Redacted.value(yield* keptKeys(dataDir)), Redacted.value(first))
      assert.strictEqual((yield* parseSigningKeys(first)).previous.length, 0)
      assert.deepStrictEqual(fs.readdirSync(dataDir), ["signing-keys"])
      assert.strictEqual(fs.statSync(path.join(dataDir, "signing-keys")).mode & 0o777, 0o600)
      const other = yield* keptKeys(path.join(folder, "other"))
      assert.notStrictEqual(Redacted.value(other), Redacted.value(first))
      fs.writeFileSync(path.join(folder, "file"), "")
      const refused = yield* Effect.flip(keptKeys(path.join(folder, "file")))
      assert.include(refused.message, "SIGNING_KEYS must be set")
    })
  )
})
