import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.join(import.meta.dirname, "..")

/** What is not written, and why; `where` has the files that may. */
const rules: ReadonlyArray<{
  readonly what: string
  readonly form: RegExp
  readonly where?: ReadonlyArray<string>
}> = [
  {
    what: "SQL that is text, whose values are no parameters",
    form: /\.unsafe\(/,
    // The names of tables and of databases, and files of SQL: all of them ours.
    where: [
      "layers/db/migrate.ts",
      "src/record/backup/dump.ts",
      "src/record/backup/load.ts",
      "src/services/operators/drills.ts"
    ]
  },
  { what: "code made of text", form: /\beval\(|\bnew Function\(|\bsetTimeout\(\s*["'`]/ },
  {
    what: "HTML made by a script",
    form: /\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|createContextualFragment/
  },
  {
    what: "a command line for a shell",
    form: /\bshell:\s*true|\bexecSync\(|import \{[^}]*\bexec\b[^}]*\} from "node:child_process"/
  },
  { what: "a certificate that nobody checks", form: /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/ },
  { what: "a number that can be guessed", form: /Math\.random/ },
  { what: "a hash that can be forged", form: /createHash\(\s*["'](?:md5|sha1)["']/ }
]

describe("the code has nowhere", () => {
  const files = globSync("{layers,schema,src}/**/*.ts", { cwd: root }).map(
    (file) => [file, readFileSync(path.join(root, file), "utf8")] as const
  )

  it.each(rules)("$what", ({ form, where = [] }) => {
    assert.isAbove(files.length, 500)
    const found = files.filter(([, code]) => form.test(code)).map(([file]) => file)
    assert.deepStrictEqual(found.sort(), [...where])
  })
})
