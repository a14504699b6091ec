import { spawnSync } from "node:child_process"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.join(import.meta.dirname, "../..")

/** Runs `civic-record try verify -` on bytes, without a model. */
const verify = (input: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/main.ts", "try", "verify", "-"], {
    ...{ cwd: root, input, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
    env: { PATH: process.env.PATH, NO_COLOR: "1" }
  })
  return {
    status,
    checked: stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])),
    told: stderr.split("\n").filter((line) => line !== "")
  }
}

const line = (claim: string, evidence: unknown) => JSON.stringify({ claim, evidence })

describe("civic-record try verify", () => {
  it("reads lines with a byte order mark and CRLF, keeps their order, and names the field of each that it cannot check", () => {
    const { status, checked, told } = verify(
      [
        `\uFEFF${line("It costs $2 million.", "It costs three million dollars.")}`,
        line("x".repeat(5001), "It costs three million dollars."),
        line("We thank the clerk.", ["We thank the clerk.", "Good night."]),
        line("Too much was said.", ["word ".repeat(500_000)]),
        line("No evidence.", 5),
        "{",
        line("The bridge is safe.", "word ".repeat(300_000))
      ].join("\r\n")
    )
    assert.deepStrictEqual(
      checked.map(({ claim, verdict, by }) => [claim, verdict, by]),
      [
        ["It costs $2 million.", "contradicted", "code"],
        ["We thank the clerk.", "supported", "code"],
        ["The bridge is safe.", "unknown", "code"]
      ]
    )
    assert.deepStrictEqual(told, [
      "line 2: claim: must be at most 5,000 characters; shorten it",
      "line 4: evidence: must be at most 2,000,000 characters; shorten it",
      "line 5: evidence: must be a string or a list of strings",
      "line 6: must be a JSON object on one line"
    ])
    assert.strictEqual(status, 2)
  })
})
