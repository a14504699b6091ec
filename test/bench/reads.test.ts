import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { keptRecord } from "../../bench/load/kept.ts"
import { stopAll } from "../../bench/reads/processes.ts"
import { measureReads } from "../../bench/reads/reads.ts"
import { markdown, type Result } from "../../bench/reads/report.ts"

const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-bench-")), "record")
const wanted = { size: 300, seed: "test", words: 300, pages: 2, through: "copy", speech: "sample" } as const
const results: Array<Result> = []
const differences: Array<string> = []
let resident = 0

beforeAll(async () => {
  fs.chmodSync(path.dirname(folder), 0o711)
  await keptRecord(folder, wanted, () => undefined)
  resident = await measureReads(folder, {
    clients: [2],
    effort: { seconds: 0, least: 2, most: 10 },
    warmUp: 0,
    runIn: 0,
    changes: 1,
    onResult: (result) => results.push(result),
    onDifference: (...difference) => differences.push(difference.join("\n"))
  })
}, 600_000)

afterAll(async () => {
  await stopAll()
  fs.rmSync(path.dirname(folder), { recursive: true, force: true })
}, 120_000)

describe("the benchmark of reads", () => {
  it("finds that the hand-written service gives the same responses as ours", () => {
    assert.deepStrictEqual(differences, [])
    assert.deepStrictEqual(
      results.filter(({ equal, ours, peer }) => !equal || ours.failed !== undefined || peer.failed !== undefined),
      []
    )
  })

  it("measures every kind of request cold and warm, each named by its route", () => {
    const kinds = Map.groupBy(results, ({ name }) => name)
    const routes = new Set([...kinds.keys()].map((name) => name.split(" ")[0]))
    assert.deepStrictEqual([...routes].toSorted(), [
      "/api/agencies",
      "/api/meetings/browse",
      "/api/meetings/{id}",
      "/api/places",
      "/api/search/locations",
      "/api/upcoming"
    ])
    assert.strictEqual(kinds.size, 26)
    for (const [name, found] of kinds) {
      const isChange = name.endsWith("after a change")
      assert.deepStrictEqual(
        found.map(({ cache }) => cache),
        isChange ? ["cold"] : ["cold", "warm"],
        name
      )
      assert.strictEqual(name.includes("facets"), name.startsWith("/api/meetings/browse"), name)
    }
  })

  it("writes rows with the figures of both sides, and of the limit for warm responses", () => {
    const figures = ["cpu_ms", "p50_ms", "p95_ms", "p99_ms", "rps"]
    for (const { cache, ours, peer, limit, clients } of results) {
      assert.isAbove(clients, 0)
      assert.deepStrictEqual(Object.keys(ours).toSorted(), figures)
      assert.deepStrictEqual(Object.keys(peer).toSorted(), figures)
      assert.strictEqual(limit !== undefined, cache === "warm")
      assert.isAbove(ours.rps, 0)
      assert.isAtLeast(ours.p99_ms, ours.p50_ms)
    }
    assert.isAbove(resident, 0)
  })

  it("writes a Markdown table with a line for each row", () => {
    const about = {
      machine: "one core",
      command: "npm run bench",
      record: "300 meetings",
      at: "2026-03-10T12:00:00Z",
      resident_mb: 1
    }
    const lines = markdown(about, results).split("\n")
    assert.strictEqual(lines.filter((line) => line.startsWith("| /api/")).length, results.length)
  })

  it("keeps a record between runs, and leaves other folders alone", async () => {
    const before = fs.statSync(path.join(folder, "loaded.json")).mtimeMs
    await keptRecord(folder, wanted, () => assert.fail("it was loaded again"))
    assert.strictEqual(fs.statSync(path.join(folder, "loaded.json")).mtimeMs, before)
    const other = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-bench-other-"))
    fs.writeFileSync(path.join(other, "letter.txt"), "")
    const refused = await keptRecord(other, wanted, () => undefined).catch((error: Error) => error.message)
    assert.strictEqual(refused, `${other} holds something else; name a new folder with --data.`)
    assert.deepStrictEqual(fs.readdirSync(other), ["letter.txt"])
    fs.rmSync(other, { recursive: true })
  })
})
