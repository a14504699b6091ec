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

/** The files that take longest, longest first; the first of them spends a minute waiting for mail. */
const longest = [
  ...["pipeline/whole-way", "record/formats/real-data", "bench/reads", "drills/drill", "record/backup"],
  ...["browser/console", "wire/operations", "record/sample", "browser/account", "pipeline/clip-worker"],
  ...["pipeline/chaos", "browser/reference", "services/search/index-equals-sql", "browser/pages", "record/command"],
  ...["record/writers", "record/import", "http/redacted-words", "services/search/index-killed", "wire/access-matrix"],
  ...["pipeline/verify/seeded", "pipeline/render", "browser/meeting", "services/meetings/passage-vectors"],
  ...["http/pages/pages", "http/media", "http/account", "layers/renderer", "pipeline/worker-killed"]
].map((name) => `/test/${name}.test.ts`)

/**
 * Begins with the longest files, so that no process is left alone with one of them at the end. Vitest itself knows how long
 * a file took, but not in a new checkout.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((end) => moduleId.endsWith(end))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/**
 * Four processes run the files, one file after another, so that a module is loaded once per process: a test restores what
 * it changes of its process. Tests wait for a third of their time, so four keep two cores busy. Each file that needs a
 * database has one of its own. Bounds are for a busy machine.
 *
 * Node loads the modules itself, as in production: it strips the types and keeps what it compiled. Vite would rewrite each
 * of them, and look up each name they import whenever it is used.
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
    reporters: ["default", closingLine]
  }
})
