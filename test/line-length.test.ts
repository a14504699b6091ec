import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parseSync } from "oxc-parser"

const root = path.join(import.meta.dirname, "..")
const columns = 120

/** The comments of a file. In our SQL, each begins with two hyphens, and no string contains them. */
const commentsIn = (file: string, text: string): ReadonlyArray<{ readonly start: number; readonly end: number }> =>
  file.endsWith(".ts")
    ? parseSync(file, text).comments
    : [...text.matchAll(/--.*/g)].map(({ 0: comment, index }) => ({ start: index, end: index + comment.length }))

/** A line of a single word, such as an address, cannot be broken. */
const oneWord = /^\s*(\/\/|\/?\*+|--)\s*\S+$/

/** The comment lines that are too long, as `file:line`. */
const tooLong = (file: string, text: string): ReadonlyArray<string> => {
  const comments = commentsIn(file, text)
  let end = -1
  return text.split("\n").flatMap((line, index) => {
    const start = end + 1
    end = start + line.length
    return [...line].length > columns &&
      !oneWord.test(line) &&
      comments.some((comment) => comment.start < end && comment.end > start)
      ? [`${file}:${index + 1}`]
      : []
  })
}

describe("comments", () => {
  // A schema as pg_dump wrote it is data.
  const files = globSync(["*.ts", "{schema,src,layers,test,bench}/**/*.{ts,sql}"], { cwd: root }).filter(
    (file) => !/^test\/support\/schema-\d+\.sql$/.test(file)
  )

  // The formatter breaks only code.
  it(`have no line of more than ${columns} columns`, () => {
    assert.isAbove(files.length, 50)
    assert.deepStrictEqual(
      files.flatMap((file) => tooLong(file, readFileSync(path.join(root, file), "utf8"))),
      []
    )
  })

  const words = "word ".repeat(columns / 5)
  const address = `https://${"a".repeat(columns)}`

  it.each([
    ["a block", "a.ts", `/**\n * ${words}\n */`, ["a.ts:2"]],
    ["a line", "a.ts", `\n\n  // ${words}`, ["a.ts:3"]],
    ["the end of a line", "a.ts", `const a = 1 // ${words}`, ["a.ts:1"]],
    ["SQL", "a.sql", `select 1;\n-- ${words}\n`, ["a.sql:2"]],
    ["an address", "a.ts", `/**\n * ${address}\n */`, []],
    ["an address in SQL", "a.sql", `-- ${address}`, []],
    ["a string", "a.ts", `const a = "// ${words}"`, []],
    ["a string in SQL", "a.sql", `select '${words}'`, []]
  ])("are measured in %s", (_, file, text, found) => {
    assert.deepStrictEqual(tooLong(file, text), found)
  })
})
