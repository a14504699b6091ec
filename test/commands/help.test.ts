import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { commandLine } from "../../src/cli.ts"

const loads = new URL("loads.mjs", import.meta.url)

/** Runs the command line as an operator does; the loaded modules are listed after its output. */
const run = async (...args: ReadonlyArray<string>) => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--import", loads.href, "src/main.ts", ...args],
    { env: { PATH: process.env.PATH } }
  )
  const [printed, loaded = ""] = stdout.split("\0")
  return { printed: printed ?? "", stderr, loaded: loaded.split("\n") }
}

/** The lines of a help text under the given headings. */
const linesUnder = (help: string, ...headings: ReadonlyArray<string>): ReadonlyArray<string> =>
  help
    .split("\n\n")
    .map((part) => part.trimEnd().split("\n"))
    .filter(([heading = ""]) => headings.includes(heading))
    .flatMap(([, ...lines]) => lines)

/** The names under SUBCOMMANDS, each with its description. */
const subcommandsIn = (help: string): ReadonlyArray<readonly [name: string, about: string]> =>
  linesUnder(help, "SUBCOMMANDS").map((line) => {
    const [name = "", ...about] = line.trim().split(/ {2,}/)
    return [name, about.join(" ")] as const
  })

/** The output of the command line, run in this process. */
const printedBy = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const say = (...line: ReadonlyArray<unknown>) => void lines.push(line.join(" "))
  const command = yield* commandLine(args[0] ?? "")
  yield* Command.runWith(command, { version: "test" })(args).pipe(
    Effect.provideService(Console.Console, { ...globalThis.console, log: say, error: say })
  )
  return lines.join("\n")
})

/** The help of a command and of every command below it, keyed by the words that an operator types. */
const helpBelow = (
  ...path: ReadonlyArray<string>
): Effect.Effect<ReadonlyMap<string, string>, unknown, NodeServices.NodeServices> =>
  Effect.gen(function* () {
    const printed = yield* printedBy(...path, "--help")
    const below = yield* Effect.forEach(subcommandsIn(printed), ([name]) => helpBelow(...path, name))
    return new Map([[path.join(" "), printed] as const, ...below.flatMap((helps) => [...helps])])
  })

describe("the command line", () => {
  it.effect("has help on every command, which says what the command does and describes each argument", () =>
    Effect.gen(function* () {
      const all = yield* helpBelow()
      assert.includeMembers(
        [...all.keys()],
        ["serve", "worker", "import", "export", "backup", "restore", "sample", "migrate", "doctor"].concat(
          ["settings get", "settings set", "agency merge", "clip publish", "clip dismiss", "media add"],
          ["remove meeting", "remove transcript", "remove agency", "meeting correct", "task retry", "task cancel"],
          ["source add", "source list", "source crawl", "run start", "token mint", "token list", "token revoke"]
        )
      )
      for (const [command, help] of all) {
        assert.match(help, /^DESCRIPTION\n {2}\S/m, command)
        for (const [name, about] of subcommandsIn(help)) assert.isNotEmpty(about, `${command} ${name}`)
        for (const line of linesUnder(help, "ARGUMENTS", "FLAGS")) assert.match(line, /\S {2,}\S/, command)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.each([
    ["settings", /\/src\/(http|pages|record|pipeline)\/|vega|oidc-provider|redis|nodemailer|opentelemetry/],
    ["import", /\/src\/(http|pages|pipeline)\/|vega|oidc-provider|redis|nodemailer|opentelemetry/],
    ["worker", /\/src\/(http|pages)\/|feedsmith|vega|oidc-provider|redis|nodemailer|opentelemetry/],
    ["serve", /\/(feedsmith|vega|vega-lite|oidc-provider|redis|@redis|pdfkit|libphonenumber-js|zxcvbn[^/]*|@resvg)\//]
  ])("loads for %s only what it needs, and starts with V8 flags that exist", async (command, unneeded) => {
    const { loaded, stderr } = await run(command, "--help")
    assert.strictEqual(stderr, "")
    assert.isAbove(loaded.length, 100)
    assert.deepStrictEqual(
      loaded.filter((url) => unneeded.test(url)),
      []
    )
  })
})
