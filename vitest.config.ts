import { defineConfig } from "vitest/config"
import type { Reporter } from "vitest/node"

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

/**
 * Two processes run the files, one file after another, so that a module is loaded once per process: a test restores what
 * it changes of its process. Each file that needs a database has one of its own. Bounds are for a busy machine.
 */
export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", closingLine]
  }
})
