import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parseSync, Visitor } from "oxc-parser"

const root = path.join(import.meta.dirname, "..")

/** The one file that decodes the environment. */
const decodes = "layers/config/config.ts"

/** Where a file reads the environment, as `file:offset`: by `process.env` in any form, or by Effect's `Config`. */
const readsIn = (file: string, code: string): ReadonlyArray<string> => {
  const { module, program } = parseSync(file, code)
  const found = module.staticImports.flatMap(({ entries, moduleRequest }) =>
    entries
      .filter(({ importName: { name, kind } }) =>
        /^(node:)?process$/.test(moduleRequest.value)
          ? kind !== "Name" || name === "env"
          : /^effect\/Config(Provider)?$/.test(moduleRequest.value) ||
            (moduleRequest.value === "effect" && (name === "Config" || name === "ConfigProvider"))
      )
      .map(() => moduleRequest.start)
  )
  new Visitor({
    MemberExpression: ({ object, property, computed, start }) => {
      const named = computed
        ? property.type === "Literal" && property.value === "env"
        : property.type === "Identifier" && property.name === "env"
      if (object.type === "Identifier" && object.name === "process" && named) found.push(start)
    },
    VariableDeclarator: ({ id, init, start }) => {
      if (init?.type !== "Identifier" || init.name !== "process" || id.type !== "ObjectPattern") return
      found.push(start)
    }
  }).visit(program)
  return found.map((offset) => `${file}:${offset}`)
}

describe("the environment", () => {
  const files = globSync("{src,layers}/**/*.ts", { cwd: root })

  it("is read only by the one decoded configuration", () => {
    assert.isAbove(files.length, 50)
    assert.deepStrictEqual(
      files
        .filter((file) => file !== decodes)
        .flatMap((file) => readsIn(file, readFileSync(path.join(root, file), "utf8"))),
      []
    )
    assert.isNotEmpty(readsIn(decodes, readFileSync(path.join(root, decodes), "utf8")))
  })

  it.each([
    "export const home = process.env.HOME",
    'export const home = process["env"].HOME',
    "export const { env } = process",
    'import { env } from "node:process"',
    'import process from "process"',
    'import * as itself from "node:process"',
    'import { Config } from "effect"',
    'import * as Config from "effect/Config"'
  ])("is found to be read by: %s", (code) => {
    assert.lengthOf(readsIn("layers/x.ts", code), 1)
  })

  it.each(["export const port = options.env", "export const { pid } = server", "process.exit(0)"])(
    "is not found to be read by: %s",
    (code) => {
      assert.isEmpty(readsIn("layers/x.ts", code))
    }
  )
})
