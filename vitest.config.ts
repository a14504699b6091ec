import * as fs from "node:fs"
import * as path from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type Reporter, type TestSpecification } from "vitest/node"

/** The run in one plain line, the last: "12 passed, 0 failed, 1 skipped". */
const closingLine: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => states.filter((found) => found === state).length
    // A file that does not load has failed too, though none of its tests has run.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length
    console.log(`${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped`)
  }
}

/** The files that took longest in a whole run, longest first. A new checkout has nothing else to know it from. */
const list = path.join(import.meta.dirname, "test/longest.json")
const longest: ReadonlyArray<string> = JSON.parse(fs.readFileSync(list, "utf8"))

const nameOf = (moduleId: string) => path.relative(import.meta.dirname, moduleId)

/** Begins with the longest files, so that no process is left alone with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const ranks = new Map(longest.map((name, rank) => [name, rank]))
    const rank = ({ moduleId }: TestSpecification) => ranks.get(nameOf(moduleId)) ?? longest.length
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/**
 * Names a file that is not listed and takes longer than half of those that are, which is so on a busy machine too.
 * `LONGEST=write` lists the longest of the run.
 */
const unlisted: Reporter = {
  onTestRunEnd(modules) {
    const took = modules
      .map((module) => ({ name: nameOf(module.moduleId), seconds: module.diagnostic().duration / 1000 }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const listed = took.filter(({ name }) => longest.includes(name))
    const usual = listed[Math.floor(listed.length / 2)]?.seconds ?? Number.POSITIVE_INFINITY
    if (process.env.LONGEST === "write") {
      const names = took.slice(0, 30).map(({ name }) => name)
      fs.writeFileSync(list, `${JSON.stringify(names, null, 2)}\n`)
      return
    }
    for (const { name, seconds } of took) {
      if (seconds > Math.max(15, usual) && !longest.includes(name)) {
        console.log(`${name} took ${seconds.toFixed(0)} s and begins late. List it: LONGEST=write npm test`)
      }
    }
  }
}

/**
 * Four processes run the files, one file after another, so that a module is loaded once per process: a test restores
 * what it changes of its process. Tests wait for a third of their time, so four keep two cores busy. Each file that
 * needs a database has one of its own. Bounds are for a busy machine.
 *
 * Node loads the modules itself, as in production: it strips the types and keeps what it compiled. Vite would rewrite
 * each of them, and look up each name they import whenever it is used.
 */
export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    pool: "forks",
    maxWorkers: 4,
    isolate: false,
    experimental: { viteModuleRunner: false },
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, "node_modules/.cache/civic-record") },
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ["default", unlisted, closingLine]
  }
})
