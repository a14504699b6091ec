import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option, Schema } from "effect"
import { sealed, unsealed } from "../../../search-engine/format/checksums.ts"

/**
 * The origin of a base segment, stored beside it: its id in `search_segment`, the bodies by key, and the position in
 * the database (`Position`) from which to follow changes.
 */
export const Origin = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  /** Raise it when a build changes how lexemes are made or stored; segments of another version are rebuilt. */
  version: Schema.Literal(3),
  timeline: Schema.String,
  position: Schema.String,
  bodies: Schema.Array(Schema.Int),
  made_at: Schema.Int
})
export type Origin = typeof Origin.Type

const originFile = "origin.json"
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Origin))

/** The folder of the index. A service has exclusive use of its data folder; one of its processes builds here. */
export const indexFolder = (dataDir: string) => path.join(dataDir, "search-index")

export const baseFolder = (folder: string, id: string) => path.join(folder, id, "base")

/** Written last, so that a segment without it is known to be incomplete. */
export const writeOrigin = (folder: string, origin: Origin) =>
  Effect.sync(() => {
    const file = path.join(folder, origin.id, originFile)
    fs.writeFileSync(`${file}.new`, sealed(JSON.stringify(origin)))
    fs.renameSync(`${file}.new`, file)
  })

/** The complete segments, whether or not they are still usable. */
export const originsIn = (folder: string): Effect.Effect<ReadonlyArray<Origin>> =>
  Effect.sync(() =>
    names(folder).flatMap((name) => {
      const file = path.join(folder, name, originFile)
      return fs.existsSync(file) ? Option.toArray(decode(unsealed(fs.readFileSync(file, "utf8")))) : []
    })
  )

/** Whether a finished segment is still there; its open files stay readable where it is not. */
export const isThere = (folder: string, id: string): boolean => fs.existsSync(path.join(folder, id, originFile))

const names = (folder: string): ReadonlyArray<string> => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])

/** Removes everything in the folder but one segment. Open files stay readable. */
export const keepOnly = (folder: string, id: string | undefined) =>
  Effect.sync(() => {
    for (const name of names(folder)) {
      if (name !== id) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
    }
  })

/** A place for a small segment. Each process has its own; which one, its name says. */
export const changesFolder = (folder: string, id: string, process: number) =>
  path.join(folder, id, `changes-${process}-${randomUUID()}`)

/** Removes an earlier process's small segments: the changes since the base are read again. */
export const dropChanges = (folder: string, id: string, process: number, processes: number) =>
  Effect.sync(() => {
    for (const name of names(path.join(folder, id))) {
      const of = Number(/^changes-(\d+)-/.exec(name)?.[1] ?? Number.NaN)
      if (of !== process && of <= processes) continue
      if (name.startsWith("changes-")) fs.rmSync(path.join(folder, id, name), { recursive: true, force: true })
    }
  })
