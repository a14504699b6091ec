import { parse } from "csv-parse/sync"
import { Effect, Result, Stream } from "effect"
import { encodingNote } from "../encoding.ts"
import { textOf } from "../files.ts"
import type { Format, Items, SourceFile } from "../format.ts"
import { ReadError, rejected, warning } from "../item.ts"
import { factsOfTrail } from "../known-places.ts"
import { rowItems } from "../manifest.ts"
import { zoneOfPlace } from "../place-zone.ts"
import { factsOr } from "../sidecar.ts"
import { tidy } from "../text.ts"
import { type ColumnMap, guessed, readMap, written } from "./columns.ts"
import { dayIn, instantOf, minutesIn } from "./local-time.ts"
import { xlsxRows } from "./xlsx.ts"

type Row = ReadonlyArray<string>

/** What separates the fields: whatever the first line has most of. */
const delimiterOf = (text: string): string => {
  const [head = ""] = text.split(/\r?\n/, 1)
  const counts = [",", ";", "\t"].map((sign) => [sign, head.split(sign).length] as const)
  return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ","
}

const csvRows = Effect.fnUntraced(function* (path: string) {
  const { value: text, encoding } = yield* textOf(path)
  const options = {
    ...{ delimiter: delimiterOf(text), relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
    ...{ bom: true, max_record_size: 1_000_000 }
  }
  const rows = yield* Effect.try({
    try: (): Array<Array<string>> => parse(text, options),
    catch: () => new ReadError({ path, problem: "is not CSV: a quotation is never closed, or a row is too long" })
  })
  return { rows, encoding }
})

/** A row as one of a manifest, with what the flags and the folder say. */
const meetingRow = (row: Row, header: Row, map: ColumnMap, facts: Readonly<Record<string, unknown>>, zone: string) => {
  const fields = new Map([...map].map(([column, heading]) => [column, tidy(row[header.indexOf(heading)])] as const))
  const given = (name: "title" | "body") => fields.get(name) || (typeof facts[name] === "string" ? facts[name] : "")
  const date = dayIn(fields.get("date") ?? "")
  const minutes = minutesIn(fields.get("time") ?? "") ?? minutesIn(fields.get("date") ?? "")
  const startsAt = date === undefined || minutes === undefined ? undefined : instantOf(date, minutes, zone)
  const isOff = /cancel|postpone/i.test(`${fields.get("status") ?? ""} ${fields.get("title") ?? ""}`)
  const own = [...fields].filter(([name, value]) => !["date", "time", "status"].includes(name) && value !== "")
  return {
    ...facts,
    ...Object.fromEntries(own),
    title: given("title") || `${given("body")} Meeting`,
    // What is no day is shown as it is, in the report.
    ...{ date: date ?? fields.get("date") },
    ...(startsAt === undefined ? {} : { starts_at: startsAt }),
    ...(isOff ? { status: "cancelled" } : {})
  }
}

const readTable = (file: SourceFile): Items =>
  Stream.unwrap(
    Effect.gen(function* () {
      const origin = { file: file.file, line: 1 }
      const { rows, encoding } = /\.xlsx$/i.test(file.path)
        ? { rows: yield* xlsxRows(file.path), encoding: undefined }
        : yield* csvRows(file.path)
      const [first = [], ...rest] = rows.filter((row) => row.some((cell) => cell.trim() !== ""))
      const header = first.map(tidy)
      const { columns, ...facts } = { ...factsOfTrail(file.trail), ...file.facts, ...factsOr(file.beside) }
      const map = columns === undefined ? undefined : readMap(columns, header)
      if (map === undefined) {
        const guess = guessed(header)
        // A folder may hold tables of anything.
        if (!guess.has("date")) {
          const message = `is left out: no heading says which day a row is of (${header.slice(0, 20).join(", ")}); name it with --columns "date=..."`
          return Stream.make(warning(origin, "columns", message))
        }
        const message = `are guessed, and nothing is imported until you confirm them: --columns "${written(guess)}", or as "columns" in meeting.json beside it`
        return Stream.make(rejected(origin, "columns", message))
      }
      if (Result.isFailure(map)) return Stream.make(rejected(origin, "columns", map.failure))
      const { place, state } = facts
      const zone =
        facts.timezone ??
        (place === undefined || state === undefined ? undefined : yield* zoneOfPlace({ ...facts, place, state }))
      const timezone = typeof zone === "string" ? zone : (zone?.timezone ?? "America/New_York")
      const records = rest.map((row, at) => ({
        line: at + 2,
        value: Result.succeed<unknown>(meetingRow(row, header, map.success, facts, timezone)),
        encoding: undefined
      }))
      const notes = Stream.fromIterable(encodingNote(origin, encoding))
      return Stream.concat(notes, rowItems(file, Stream.fromIterable(records)))
    })
  )

/** A list of meetings as a table, whose columns are guessed and then confirmed with `--columns`. */
export const table: Format = {
  name: "table",
  about: "a list of meetings as CSV or Excel (XLSX), whose columns you confirm",
  isNamed: (name) => /\.(csv|tsv|xlsx)$/i.test(name),
  read: ([file]) => readTable(file)
}
