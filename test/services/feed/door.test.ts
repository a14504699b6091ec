import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { textsOf } from "../../support/texts.ts"

const root = path.join(import.meta.dirname, "../../..")

/** The door, and the benchmarks, which load and change records that nobody follows. */
const isDoor = (file: string) =>
  file === "src/services/feed/changed.ts" || ["bench/load/load.ts", "bench/reads/changes.ts"].includes(file)

/** Statements for the door alone, which indexes and deletes meetings. */
const doors = [/\bindex_meetings\s*\(/i, /\bdelete\s+from\s+(only\s+)?("?public"?\s*\.\s*)?"?meeting/i, /\btruncate\b/i]

const around = (file: string, code: string): ReadonlyArray<string> =>
  isDoor(file) ? [] : textsOf(file, code).filter((text) => doors.some((door) => door.test(text)))

describe("the door through which a meeting changes", () => {
  it("is the only one", () => {
    const files = globSync("{src,layers,bench}/**/*.ts", { cwd: root })
    assert.include(files, "src/services/feed/changed.ts")
    assert.deepStrictEqual(
      files.flatMap((file) => around(file, readFileSync(path.join(root, file), "utf8")).map((text) => [file, text])),
      []
    )
  })

  it.each([
    "db`select index_meetings(array[1]::uuid[])`",
    "db`select index_meetings (array(select id from meeting))`",
    "db`DELETE  FROM\n  Meeting where title is null`",
    'db`delete from "meeting"`',
    "db`with gone as (delete from only public.meeting returning id) select * from gone`",
    `db\`delete from \${db("meeting")} where id = \${id}\``,
    "db`delete from meeting_search where true`",
    'db.unsafe("delete from meeting")',
    "db`truncate meeting cascade`"
  ])("notices a way around it: %s", (statement) => {
    const code = `const gone = (id: string) => ${statement}`
    assert.strictEqual(around("src/record/x.ts", code).length, 1)
    assert.deepStrictEqual(around("src/services/feed/changed.ts", code), [])
  })

  it.each([
    "// delete from meeting, and index_meetings(ids)\ndb`select id from meeting`",
    `db\`delete from media where meeting_id = \${id}\``,
    "db`update meeting set body_id = 1`"
  ])("allows everything else: %s", (code) => {
    assert.deepStrictEqual(around("src/record/x.ts", code), [])
  })
})
