import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { bodyOfTitle } from "../../src/pipeline/sources/body-of-title.ts"

const here = import.meta.dirname
/** The archive with the names, beside the project. */
export const archive = path.join(here, "../../../shared/data/places.tar.gz")

/** The fields of a line of CSV. */
const fieldsOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ""
  )

/** The strings of a list as Python writes it. */
const stringsOf = (list: string): ReadonlyArray<string> =>
  [...list.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(([, single, double]) =>
    (single ?? double ?? "").replace(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gi,
      (_, two?: string, four?: string, one = "") =>
        one === "" ? String.fromCharCode(Number.parseInt(two ?? four ?? "", 16)) : /[nrt]/.test(one) ? " " : one
    )
  )

/** What 1,527 American governments call the sections of their agenda centers, in the order of the file. */
export const realNames = (file = archive): ReadonlyArray<string> =>
  execFileSync("tar", ["xzOf", file, "places/civicplus/civicplus_sites.csv"], { maxBuffer: 1 << 26 })
    .toString()
    .split("\n")
    .slice(1)
    .map(fieldsOf)
    .filter((fields) => fields[7] === "USA")
    .flatMap((fields) => stringsOf(fields[9] ?? ""))

const linesOf = (name: string): ReadonlyArray<string> =>
  fs.readFileSync(path.join(here, name), "utf8").trim().split("\n")

export const halves = ["tuned on", "held out"] as const

/** Titles that are no meeting of a public body, of each half. */
export const nonMeetings = halves.map((_, half) => linesOf("non-meetings.txt").filter((_, at) => at % 2 === half))

/** Those of them that are taken for a meeting. */
export const mistaken = (titles: ReadonlyArray<string>): ReadonlyArray<string> =>
  titles.filter((title) => bodyOfTitle(title) !== undefined)

/**
 * How many of the names are known as a body's: of all, and of those that name one. `no-body.txt` has the positions,
 * among the different names, of those that do not.
 */
export const scoreOf = (names: ReadonlyArray<string>) => {
  const without = new Set(linesOf("no-body.txt").flatMap((line) => line.split(" ").map(Number)))
  const different = [...new Set(names)]
  const known = new Set(different.filter((name) => bodyOfTitle(name) !== undefined))
  const named = new Set(different.filter((_, at) => !without.has(at)))
  const bodies = names.filter((name) => named.has(name))
  return {
    names: names.length,
    known: names.filter((name) => known.has(name)).length,
    bodies: bodies.length,
    knownBodies: bodies.filter((name) => known.has(name)).length,
    missed: [...named].filter((name) => !known.has(name))
  }
}
