import * as path from "node:path"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { bodyKinds } from "../../schema/agency.ts"
import { lineCount, plainName } from "../record/formats/files.ts"
import type { Format } from "../record/formats/format.ts"
import { formats } from "../record/formats/formats.ts"
import { read, recognize } from "../record/formats/read.ts"
import { openSource, type Source } from "../record/formats/source.ts"
import { type ImportReport, importItems, type Notice, usefulWriters } from "../record/import.ts"
import type { Spent } from "../record/import-clock.ts"
import { refuseMoves } from "../record/moves.ts"
import { entityTypes } from "../record/write/entity.ts"
import { writeMediaFrom } from "../record/write/media.ts"
import { RemovedMedia } from "../services/clips/removed-media.ts"
import { Ended } from "./ended.ts"
import { makeProgress } from "./progress.ts"

/** How many notices of one kind are printed in full; the summary counts them all. */
const mostShown = 20

const fact = (name: string, about: string) => Flag.String(name).pipe(Flag.withDescription(about), Flag.optional)

/** Facts about meetings whose source does not state them. */
const factFlags = {
  body: fact("body", "The body that met, where the source does not name it"),
  kind: Flag.Literals("kind", bodyKinds).pipe(Flag.withDescription("The kind of that body"), Flag.optional),
  place: fact("place", "The place that the body serves, such as Springfield"),
  place_kind: Flag.Literals("place-kind", ["city", "county"]).pipe(
    Flag.withDescription("Whether that place is a city or a county"),
    Flag.optional
  ),
  state: fact("state", "The state of that place, two letters"),
  county: fact("county", "The county of that place"),
  title: fact("title", "The title of the meeting"),
  date: fact("date", "The day of the meeting, YYYY-MM-DD"),
  timezone: fact("timezone", "An IANA time zone; by default that of the county or state"),
  columns: fact("columns", "Which column of a table is what, such as date=Meeting Date; body=Committee"),
  language: fact("language", "A BCP 47 language tag; by default en"),
  transcript_version: Flag.Literals("transcript-version", ["refined", "raw"]).pipe(
    Flag.withDescription(
      "Whether captions are corrected (refined) or a recognizer's own (raw); by default the file decides"
    ),
    Flag.optional
  )
}

/** The flags that were set. */
const present = <R extends Readonly<Record<string, Option.Option<string>>>>(flags: R) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

const formatFlag = Flag.Literals(
  "format",
  formats.map(({ name }) => name)
).pipe(
  Flag.withDescription("What the source is, where it cannot be recognized"),
  Flag.map((name) => formats.find((format) => format.name === name)),
  Flag.optional
)

/** The number of lines in the source, for formats with one record per line; the progress bar needs it. */
const countLines = Effect.fnUntraced(function* (source: Source, format: Format | undefined) {
  const file = source._tag === "File" ? source.path : path.join(source.path, format?.index ?? "")
  if (!/\.(ndjson|jsonl)$/i.test(plainName(file))) return undefined
  return yield* Effect.orElseSucceed(lineCount(file), () => undefined)
})

const noticeLine = ({ kind, file, line, field, message }: Notice): string =>
  `${kind === "rejected" ? "left out" : kind === "warning" ? "note" : "repeated"}  ${file}:${line}  ${field === "" ? "" : `${field}: `}${message}`

/** The slowest part of an import, for its progress bar. */
const slowest = ({ reading, writing, database, media }: Spent): string => {
  const kinds = [
    ["reading", reading],
    ["preparing", writing],
    ["waiting for the database", database],
    ["measuring and storing media", media]
  ] as const
  const [name, share] = kinds.reduce((most, kind) => (kind[1] > most[1] ? kind : most))
  return `${Math.round(share * 100)}% ${name}`
}

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
      Argument.withDescription(
        "A file, a folder, an archive (.tar.gz, .tar.zst, .zip), or - for a bundle on the standard input"
      )
    ),
    format: formatFlag,
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Do everything, report it, and roll it back"),
      Flag.withDefault(false)
    ),
    move: Flag.Boolean("move").pipe(
      Flag.withDescription("Move meetings on record to the bodies and places that the source names"),
      Flag.withDefault(false)
    ),
    ...factFlags
  },
  ({ path: named, format, dryRun, move, ...flags }) =>
    Effect.gen(function* () {
      const source = yield* openSource(named)
      const chosen = Option.isSome(format) ? format.value : yield* recognize(source)
      const lines = yield* countLines(source, chosen)
      const progress = makeProgress("entities")
      const shown = new Map<Notice["kind"], number>()
      const folder = source._tag === "Folder" ? source.path : path.dirname(source.path)
      // The standard input can be read only once.
      if (!move && named !== "-") yield* refuseMoves(read(source, chosen, present(flags)))
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
        onProgress: (settled, line, spent) =>
          progress.show(settled, lines === undefined ? undefined : line / lines, slowest(spent)),
        writers: usefulWriters
      }).pipe(
        Effect.ensuring(progress.clear),
        Effect.onInterrupt(() =>
          Console.error(
            dryRun
              ? "Stopped; nothing was kept."
              : "Stopped. Everything imported so far is complete; run it again to continue."
          )
        )
      )
      if (!dryRun && report.entities.removed !== undefined) yield* RemovedMedia.use(({ sweep }) => sweep)
      yield* Console.log(
        `${named}, read ${chosen === undefined ? "file by file" : `as ${chosen.name}`}${dryRun ? " (dry run: nothing was kept)" : ""}:`
      )
      yield* Console.log(summary(report, progress.seconds()))
      const { entities, rejected, repeated } = report
      if (chosen === undefined && rejected === 0 && repeated === 0 && Object.keys(entities).length === 0) {
        yield* Console.error(
          `civic-record: ${named}: nothing in it was recognized; civic-record import --help lists what is read.`
        )
        return yield* new Ended({ code: 1 })
      }
      if (report.rejected > 0) return yield* new Ended({ code: 2 })
    }).pipe(Effect.scoped)
).pipe(
  Command.withShortDescription("Put a record of meetings on record"),
  Command.withDescription(
    [
      "Put a record of meetings on record. Running it again changes nothing. Where it would move meetings on record to another body or place, it changes nothing and says so, unless --move is given or it reads the standard input. Exits with 2 when lines were left out, and with 1 when nothing was recognized.",
      "",
      "  It reads, from files, folders and archives:",
      ...formats.map(({ name, about }) => `    ${name.padEnd(10)} ${about}`)
    ].join("\n")
  ),
  Command.provide(RemovedMedia.layer),
  Command.provide(Renderer.layer),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
