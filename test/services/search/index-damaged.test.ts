import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import fc from "fast-check"
import { Environment } from "../../../layers/config/config.ts"
import { pieceFiles } from "../../../src/search-engine/format/segment-files.ts"
import { SegmentRefused } from "../../../src/search-engine/types.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { baseFolder, indexFolder, originsIn } from "../../../src/services/search/index/folder.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { answers, change, directory, Indexed, InSql, query } from "../../support/changing-record.ts"
import { databaseAt, freshDatabase } from "../../support/database.ts"
import { ranHere } from "../../support/program.ts"
import { setupOf } from "../../support/service.ts"

/** Overwrites the pieces of a base, in their files, with bytes of the same length. */
const damage = (base: string) => {
  for (const name of pieceFiles) {
    const file = path.join(base, name)
    const opened = fs.openSync(file, "r+")
    fs.writeSync(opened, Buffer.alloc(fs.fstatSync(opened).size, 0xa5))
    fs.closeSync(opened)
  }
}

/** The finished base, once it differs from `before`. */
const baseAfter = (folder: string, before?: string) =>
  originsIn(folder).pipe(
    Effect.map((origins) => origins.map(({ id }) => id).find((id) => id !== before)),
    Effect.repeat({ while: (id) => id === undefined, schedule: Schedule.spaced("100 millis") }),
    Effect.map((id) => id ?? "")
  )

const ready = Effect.gen(function* () {
  const { state } = yield* SearchIndex
  yield* Effect.repeat(state, { until: ({ state }) => state === "ready", schedule: Schedule.spaced("50 millis") })
})

const equal = Effect.gen(function* () {
  const sql = Context.get(yield* Layer.build(InSql), Browse)
  const index = Context.get(yield* Layer.build(Indexed), Browse)
  for (const one of fc.sample(query, 20)) {
    assert.deepStrictEqual(yield* answers(index, one), yield* answers(sql, one), JSON.stringify(one))
  }
})

describe("a damaged search index", () => {
  it.live(
    "gives no wrong answer, is reported by doctor, and is rebuilt, as is one whose folder is deleted",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const { dataDir } = yield* Environment
        const folder = indexFolder(dataDir)
        const env = { PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: dataDir }
        const aboutIndex = Effect.map(ranHere(env, "doctor"), ({ out }) => /^ *(\w+) +search index.*$/m.exec(out)?.[0])
        yield* Effect.gen(function* () {
          yield* directory
          for (const one of fc.sample(change, 30)) yield* one
          const first = yield* Effect.scoped(
            Effect.gen(function* () {
              yield* Layer.build(SearchIndex.layer).pipe(Effect.flatMap((context) => Effect.provide(ready, context)))
              return yield* baseAfter(folder)
            })
          )
          assert.match(String(yield* aboutIndex), /^ *ok +search index/)
          damage(baseFolder(folder, first))
          assert.match(String(yield* aboutIndex), /^ *fail +search index .*damaged/)

          yield* Effect.gen(function* () {
            yield* ready
            yield* equal
            const refused = new SegmentRefused({ directory: "another", reason: "altered" })
            const { orWithout } = yield* SearchIndex
            assert.strictEqual(yield* orWithout(Effect.die(refused), Effect.succeed("by SQL")), "by SQL")
            const second = yield* baseAfter(folder, first)
            yield* ready
            yield* equal
            assert.match(String(yield* aboutIndex), /^ *ok +search index/)

            fs.rmSync(folder, { recursive: true })
            yield* equal
            const third = yield* baseAfter(folder, second)
            assert.notStrictEqual(third, second)
            yield* ready
            yield* equal
          }).pipe(Effect.scoped, Effect.provide(SearchIndex.layer))
        }).pipe(Effect.provide(Layer.provideMerge(AgencyMerge.layer, databaseAt(url))))
      }).pipe(Effect.scoped, Effect.provide(setupOf({}))),
    180_000
  )
})
