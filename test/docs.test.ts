import { existsSync, globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import manifest from "../package.json" with { type: "json" }

const root = path.join(import.meta.dirname, "..")
const documents = globSync("{*.md,docs/**/*.md,src/**/*.md,bench/**/*.md}", { cwd: root })
const text = (file: string) => readFileSync(path.join(root, file), "utf8")
const isThere = (file: string) => existsSync(path.join(root, file))

/** Text between backticks, on one line. */
const quoted = (file: string) => [...text(file).matchAll(/`([^`\n]+)`/g)].map(([, written = ""]) => written)

/** File names of modules and SQL files, without their folder. */
const fileNames = new Set(
  globSync(["*.ts", "{src,layers,schema,test,bench}/**/*.{ts,sql}"], { cwd: root }).map((file) => path.basename(file))
)

/** The headings of a document, each with the lines below it. */
const sections = (file: string) =>
  text(file)
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ title: section.split("\n", 1)[0], below: section.split("\n").slice(1) }))

const decisions = globSync("docs/decisions/*.md", { cwd: root }).filter((file) => path.basename(file) !== "README.md")

describe("the documents", () => {
  it("name only files and folders of the project that exist", () => {
    const missing = documents.flatMap((file) =>
      quoted(file)
        .filter((name) => /^(?:src|layers|schema|test|docs|bench|docker|\.ci)\/[\w./-]*$/.test(name))
        .filter((name) => !isThere(name))
        .map((name) => `${file} names ${name}`)
    )
    assert.isAbove(documents.length, 30)
    assert.deepStrictEqual(missing, [])
  })

  it("name only modules that exist where they leave out the folder", () => {
    const missing = documents.flatMap((file) =>
      quoted(file)
        .filter((name) => /^[a-z0-9][a-z0-9_.-]*\.(?:ts|sql)$/.test(name) && !fileNames.has(name))
        .map((name) => `${file} names ${name}`)
    )
    assert.deepStrictEqual(missing, [])
  })

  it("link only to documents, and headings in them, that exist", () => {
    const anchorsOf = (file: string) =>
      [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, "")
          .replace(/\s/g, "-")
      )
    const broken = documents.flatMap((file) =>
      [...text(file).matchAll(/\]\(([^)#:\s]*)(?:#([^)]*))?\)/g)].flatMap(([, link = "", anchor]) => {
        if (link.startsWith("/")) return []
        const to = link === "" ? file : path.join(path.dirname(file), link)
        const isBroken = !isThere(to) || (anchor !== undefined && !anchorsOf(to).includes(anchor))
        return isBroken ? [`${file} links to ${link}${anchor === undefined ? "" : `#${anchor}`}`] : []
      })
    )
    assert.deepStrictEqual(broken, [])
  })
})

describe("the list of what ASVS asks for", () => {
  const rows = [...text("docs/security/asvs.md").matchAll(/^\| V(\S+) \| ([12]) \| (.*) \| (\w+) \| (.*) \|$/gm)].map(
    ([, number = "", level, , state = "", by = ""]) => ({ number, level, state, by })
  )

  it("has each requirement of levels 1 and 2 of version 5.0.0 once, in order", () => {
    const parts = rows.map(({ number }) => number.split(".").map(Number))
    const place = ([chapter = 0, section = 0, one = 0]: ReadonlyArray<number>) => chapter * 10_000 + section * 100 + one
    const places = parts.map(place)
    assert.deepStrictEqual(
      places,
      [...new Set(places)].sort((a, b) => a - b)
    )
    assert.deepStrictEqual(
      ["1", "2"].map((level) => rows.filter((row) => row.level === level).length),
      [70, 183]
    )
  })

  it("says of each how it stands, and by what it is kept", () => {
    const wrong = rows.filter(
      ({ state, by }) =>
        !["kept", "partly", "missing", "none"].includes(state) ||
        by.trim() === "" ||
        (state === "missing" && by.length < 40)
    )
    assert.deepStrictEqual(wrong, [])
  })
})

describe("the list of what grows", () => {
  it("has every table of the database, with what bounds it", () => {
    const listed = new Set(quoted("docs/operations/retention.md"))
    const migrations = globSync("layers/db/migrations/*.sql", { cwd: root }).map(text)
    const named = (statement: RegExp) =>
      migrations.flatMap((migration) => [...migration.matchAll(statement)].map(([, table = ""]) => table))
    const tables = named(/^create table (?:if not exists )?(\w+)/gm)
    const dropped = new Set(named(/^drop table (\w+)/gm))
    assert.isAbove(tables.length, 80)
    assert.deepStrictEqual(
      tables.filter((table) => !dropped.has(table) && !listed.has(table)),
      []
    )
  })
})

describe("the decisions", () => {
  it("each have a status with a date below their heading", () => {
    const all = decisions.flatMap((file) => sections(file).map((section) => ({ file, ...section })))
    const undated = all
      .filter(({ below }) => !/^\*\*Status\*\*: accepted \d{4}-\d{2}-\d{2}(?:;|$)/.test(below[1] ?? ""))
      .map(({ file, title }) => `${file}: ${title}`)
    assert.isAbove(all.length, 100)
    assert.deepStrictEqual(undated, [])
  })

  it("are indexed by file, with the purpose of each package", () => {
    const index = text("docs/decisions/README.md")
    const unlisted = decisions.filter((file) => !index.includes(`](${path.basename(file)})`))
    const named = new Set(quoted("docs/decisions/dependencies.md"))
    const packages = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]
    const unexplained = packages.filter((name) => !name.startsWith("@types/") && !named.has(name))
    assert.deepStrictEqual({ unlisted, unexplained }, { unlisted: [], unexplained: [] })
  })
})
