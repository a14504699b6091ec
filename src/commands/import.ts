import * as fs from "node:fs"
import * as path from "node:path"
import { createGunzip } from "node:zlib"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store.ts"
import { bodyKinds } from "../../schema/agency.ts"
import { read, recognise } from "../record/formats/read.ts"
import { formats } from "../record/formats/recognise.ts"
import { openSource, type Source } from "../record/formats/source.ts"
import { type ImportReport, importItems, type Notice } from "../record/import.ts"
import { entityTypes } from "../record/write/entity.ts"
import { writeMediaFrom } from "../record/write/media.ts"
import { Ended } from "./ended.ts"
import { makeProgress } from "./progress.ts"

/** Notices of one kind that are printed in full; the summary counts them all. */
const mostShown = 20

const fact = (name: string, about: string) => Flag.String(name).pipe(Flag.withDescription(about), Flag.optional)

/** What the flags say of meetings whose source does not say it itself. */
const factFlags = {
  body: fact("body", "The body that met, where the source does not name it"),
  kind: Flag.Literals("kind", bodyKinds).pipe(Flag.withDescription("The kind of that body"), Flag.optional),
  place: fact("place", "The place that the bodies serve, such as Springfield"),
  place_kind: Flag.Literals("place-kind", ["city", "county"]).pipe(
    Flag.withDescription("What that place is"),
    Flag.optional
  ),
  state: fact("state", "The state of that place, two letters"),
  county: fact("county", "The county of that place"),
  title: fact("title", "The title of the meeting"),
  date: fact("date", "The day of the meeting, YYYY-MM-DD"),
  timezone: fact("timezone", "An IANA time zone; else the main one of the state"),
  language: fact("language", "A BCP 47 language tag; else en")
}

/** The flags that were set. */
const present = <R extends Readonly<Record<string, Option.Option<string>>>>(flags: R) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

/** How many lines the source has, where its lines are its records: what a progress bar is measured by. */
const countLines = (source: Source): Promise<number | undefined> => {
  const file =
    source._tag === "File"
      ? source.path
      : ["record.ndjson", "meetings.ndjson"]
          .map((name) => path.join(source.path, name))
          .find((name) => fs.existsSync(name))
  if (file === undefined || !/\.(ndjson|jsonl)(\.gz)?$/.test(file)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    let lines = 0
    const bytes = fs.createReadStream(file, { highWaterMark: 1 << 20 })
    const text = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes
    text.on("data", (part: Buffer) => {
      for (let at = part.indexOf("\n"); at !== -1; at = part.indexOf("\n", at + 1)) lines += 1
    })
    text.on("end", () => resolve(lines))
    text.on("error", () => resolve(undefined))
  })
}

const noticeLine = ({ kind, file, line, field, message }: Notice): string =>
  `${kind === "rejected" ? "left out" : kind === "warning" ? "note" : "repeated"}  ${file}:${line}  ${field === "" ? "" : `${field}: `}${message}`

const summary = (report: ImportReport, seconds: number): string => {
  const rows = entityTypes.flatMap((type) => {
    const tally = report.entities[type]
    if (tally === undefined) return []
    const parts = Object.entries(tally).filter(([, count]) => count > 0)
    return [`  ${type.padEnd(15)} ${parts.map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`]
  })
  const meetings = report.entities.meeting
  const rate = meetings === undefined ? 0 : (meetings.created + meetings.updated + meetings.unchanged) / seconds
  return [
    ...rows,
    `  ${report.rejected} left out, ${report.warnings} notes, ${report.repeated} repeated; ${seconds.toFixed(1)} s${rate > 0 ? `, ${rate.toFixed(1)} meetings/s` : ""}`
  ].join("\n")
}

export const importRecord = Command.make(
  "import",
  {
    path: Argument.String("path").pipe(
      Argument.withDescription("A file, a folder, an archive (.tar.gz, .zip), or - for a bundle on the standard input")
    ),
    format: Flag.Literals("format", formats).pipe(
      Flag.withDescription("What the source is, where it cannot be recognised"),
      Flag.optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Do everything, report, and take it back"),
      Flag.withDefault(false)
    ),
    ...factFlags
  },
  ({ path: named, format, dryRun, ...flags }) =>
    Effect.gen(function* () {
      const source = yield* openSource(named)
      const chosen = Option.isSome(format) ? format.value : yield* recognise(source)
      const lines = yield* Effect.promise(() => countLines(source))
      const progress = makeProgress("entities")
      const shown = new Map<Notice["kind"], number>()
      const folder = source._tag === "Folder" ? source.path : path.dirname(source.path)
      const report = yield* importItems(read(source, chosen, present(flags)), {
        dryRun,
        writeMedia: writeMediaFrom(folder, !dryRun),
        onNotice: (notice) => {
          const count = (shown.get(notice.kind) ?? 0) + 1
          shown.set(notice.kind, count)
          if (count > mostShown) return Effect.void
          const more = count === mostShown ? "\n          (the rest of these are only counted)" : ""
          return Effect.andThen(progress.clear, Console.error(noticeLine(notice) + more))
        },
        onProgress: (settled, line) => progress.show(settled, lines === undefined ? undefined : line / lines)
      }).pipe(
        Effect.ensuring(progress.clear),
        Effect.onInterrupt(() =>
          Console.error(
            dryRun
              ? "Stopped; nothing was kept."
              : "Stopped. What was put on record so far is whole; run it again to go on."
          )
        )
      )
      yield* Console.log(`${named}, read as ${chosen}${dryRun ? " (dry run: nothing was kept)" : ""}:`)
      yield* Console.log(summary(report, progress.seconds()))
      if (report.rejected > 0) return yield* new Ended({ code: 2 })
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Put a record of meetings on record; run again it changes nothing. Ends with 2 where lines were left out."
  ),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
