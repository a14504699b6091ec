import { fork } from "node:child_process"
import { randomInt } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import fc from "fast-check"
import { Environment } from "../../../layers/config/config.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { indexFolder, originsIn } from "../../../src/services/search/index/folder.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { answers, change, directory, Indexed, InSql, query } from "../../support/changing-record.ts"
import { databaseAt, freshDatabase } from "../../support/database.ts"
import { compiled } from "../../support/program.ts"
import { setupOf } from "../../support/service.ts"

const program = path.join(import.meta.dirname, "..", "..", "support", "index-follower.ts")
const kills = 4

/** A process with the index, which a test can kill, or wait for until it has one. */
const follower = (url: Redacted.Redacted, dataDir: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = fork(program, {
        execArgv: ["--disable-warning=ExperimentalWarning"],
        env: { PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: dataDir, ...compiled }
      })
      const ended = new Promise((resolve) => child.once("exit", resolve))
      return { child, ended, ready: new Promise((resolve) => child.once("message", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )

/** The queries for both, without shrinking or a fixed seed: every run tries others. */
const queries = () => fc.sample(query, 30)

/** Whether the index on disk can be opened and answers as SQL does. */
const equal = Effect.gen(function* () {
  const sql = Context.get(yield* Layer.build(InSql), Browse)
  const index = Context.get(yield* Layer.build(Indexed), Browse)
  for (const query of queries()) {
    assert.deepStrictEqual(yield* answers(index, query), yield* answers(sql, query), JSON.stringify(query))
  }
}).pipe(Effect.scoped, Effect.provide(SearchIndex.layer))

describe("a process that is killed while the record changes", () => {
  it.live(
    "leaves an index that answers as SQL does, or none",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const { dataDir } = yield* Environment
        const folder = indexFolder(dataDir)
        const bases = new Set<string>()
        yield* Effect.gen(function* () {
          yield* directory
          for (let at = 0; at < kills; at++) {
            yield* Effect.scoped(
              Effect.gen(function* () {
                const { ready } = yield* follower(url, dataDir)
                const changing = Effect.forEach(fc.sample(change, 8), (one) => one)
                // The first is killed while it builds, the others while they follow.
                yield* at === 0
                  ? changing
                  : Effect.andThen(
                      Effect.promise(() => ready),
                      changing
                    )
                yield* Effect.sleep(randomInt(0, 150))
              })
            )
            for (const { id } of yield* originsIn(folder)) bases.add(id)
          }
          // A folder that was not finished is not a base.
          fs.mkdirSync(path.join(folder, "torn", "base"), { recursive: true })
          yield* equal
          const [origin] = yield* originsIn(folder)
          assert.deepStrictEqual(fs.readdirSync(folder), [origin?.id])
          assert.isTrue(bases.has(origin?.id ?? ""), "the base that was there is gone on with")
        }).pipe(Effect.provide(Layer.provideMerge(AgencyMerge.layer, databaseAt(url))))
      }).pipe(Effect.scoped, Effect.provide(setupOf({}))),
    180_000
  )
})
