import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { edges, fromStageOn, laneNames, stageNames, stages } from "../../../src/services/queue/stages.ts"
import { TestDb } from "../../support/database.ts"

describe("the stages", () => {
  it("are those in the diagram of the documentation", () => {
    const file = path.join(import.meta.dirname, "..", "..", "..", "src", "pipeline", "README.md")
    const [, picture = ""] = /```mermaid\ngraph LR\n(.*?)```/s.exec(readFileSync(file, "utf8")) ?? []
    assert.deepStrictEqual(
      picture
        .trim()
        .split("\n")
        .map((line) => line.trim()),
      edges.map(({ stage, need }) => `${need} --> ${stage}`)
    )
  })

  it("depend only on existing stages, and never on themselves, even indirectly", () => {
    for (const { stage, need } of edges) {
      assert.include(stageNames, need)
      assert.isFalse(fromStageOn(stage).has(need), `${need} before ${stage}`)
    }
  })

  it("are followed by everything made from them", () => {
    assert.deepStrictEqual([...fromStageOn("verify")].toSorted(), ["figures", "mail", "publish", "recap", "verify"])
    assert.deepStrictEqual([...fromStageOn("clip")], ["clip"])
  })

  it.effect("are in lanes that the database has", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const lanes = yield* db<{ name: string }>`select name from lane order by name`
      assert.deepStrictEqual(
        lanes.map(({ name }) => name),
        [...laneNames].toSorted()
      )
      assert.includeMembers([...laneNames], [...new Set(stageNames.map((stage) => stages[stage].lane))])
    }).pipe(Effect.provide(TestDb))
  )
})
