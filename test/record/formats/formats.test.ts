import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { formats } from "../../../src/record/formats/formats.ts"
import { identify } from "../../../src/record/formats/recognize.ts"
import { ranHere } from "../../support/program.ts"
import { entitiesOf, itemsOf } from "./reading.ts"

const readme = fs.readFileSync("README.md", "utf8")

/** The imports in the README, each with its path and the meaning of its flags. */
const shown = [...readme.matchAll(/^npm run civic-record -- import (docs\/examples\/\S+)(.*?) +#/gm)].map(
  ([, example = "", flags = ""]) => ({
    example,
    facts: Object.fromEntries(
      [...flags.matchAll(/--(\S+) (\S+)/g)].map(([, flag = "", value]) => [flag.replaceAll("-", "_"), value])
    )
  })
)

/** A file, or every file of a folder. */
const filesOf = (example: string): ReadonlyArray<string> =>
  fs.statSync(example).isFile()
    ? [example]
    : fs
        .readdirSync(example, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))

const { out: help } = await Effect.runPromise(ranHere({}, "import", "--help"))

it("docs/examples contains exactly the files that the README imports", () => {
  assert.deepStrictEqual(
    fs.readdirSync("docs/examples").toSorted(),
    shown.map(({ example }) => path.basename(example)).toSorted()
  )
})

it("the README's table of formats is that of the code", () => {
  const rows = formats.map(({ name, about }) => `| \`${name}\` | ${about} |\n`)
  assert.include(readme, `| format | reads |\n| --- | --- |\n${rows.join("")}\n`)
})

for (const { name, about } of formats) {
  describe(`the format ${name}`, () => {
    const examples = shown.filter(({ example }) => /^[a-z]+/.exec(path.basename(example))?.[0] === name)

    it("has an example that the README imports", () => {
      assert.isAbove(examples.length, 0)
    })

    for (const { example, facts } of examples) {
      it.effect(`recognizes ${example}, and reads all of it`, () =>
        Effect.gen(function* () {
          const identities = yield* Effect.forEach(filesOf(example), (file) => identify(file, path.basename(file)))
          assert.include(
            identities.map((identity) => (identity._tag === "Format" ? identity.format.name : identity._tag)),
            name
          )
          const items = yield* itemsOf(example, { facts })
          assert.deepStrictEqual(
            items.filter(({ result }) => result._tag === "Rejected"),
            []
          )
          assert.isAbove(entitiesOf(items).length, 0)
        }).pipe(Effect.provide(NodeServices.layer))
      )
    }

    it("is named and explained by `import --help`", () => {
      assert.match(help, new RegExp(`^ +${name} +${about.replaceAll(/[.()]/g, "\\$&")}$`, "m"))
    })
  })
}
