import { existsSync, globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.join(import.meta.dirname, "..")
const documents = globSync("{*.md,docs/**/*.md,src/**/*.md,bench/**/*.md}", { cwd: root })
const text = (file: string) => readFileSync(path.join(root, file), "utf8")

describe("the documents", () => {
  it("name only files of the project that there are", () => {
    const missing = documents.flatMap((file) =>
      [...text(file).matchAll(/`((?:src|layers|schema|test|docs|bench)\/[\w./-]+\.(?:ts|sql|md|txt|yml|json))`/g)]
        .map(([, named = ""]) => named)
        .filter((named) => !existsSync(path.join(root, named)))
        .map((named) => `${file} names ${named}`)
    )
    assert.isAbove(documents.length, 10)
    assert.deepStrictEqual(missing, [])
  })

  it("link only to documents that there are", () => {
    const broken = documents.flatMap((file) =>
      [...text(file).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !link.startsWith("/") && !existsSync(path.join(root, path.dirname(file), link)))
        .map((link) => `${file} links to ${link}`)
    )
    assert.deepStrictEqual(broken, [])
  })
})
