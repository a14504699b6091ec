import { dirname } from "node:path"
import { Effect, FileSystem, Path, Result } from "effect"
import { isInside, linkMessage } from "../inside.ts"
import { documentOf } from "./files.ts"
import { type Item, type ReadError, rejected } from "./item.ts"
import { decodeFacts, type MeetingFacts } from "./row.ts"

/** Facts from outside a file, or the report on the sidecar that should have given them. */
export type FactsBeside = Result.Result<MeetingFacts, Item>

/** Whether a file only says which meeting another one is of: `meeting.json`, or `talk.meeting.json` for `talk.vtt`. */
export const isSidecar = (name: string): boolean => /(^|\.)meeting\.json$/i.test(name)

/** The facts in a sidecar, if there is one; `file` is what the report calls it. */
export const factsIn = Effect.fnUntraced(function* (
  path: string,
  file: string
): Effect.fn.Return<FactsBeside, ReadError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* Effect.orElseSucceed(fs.exists(path), () => false))) return Result.succeed({})
  const origin = { file, line: 1 }
  if (!isInside(dirname(path), path)) return Result.fail(rejected(origin, "", linkMessage))
  const { value: document } = yield* documentOf(path)
  if (Result.isFailure(document)) return Result.fail(rejected(origin, "", document.failure))
  return Result.mapError(decodeFacts(document.success), (fault) => rejected(origin, fault.field, fault.message))
})

/** The facts in `meeting.json` of a folder. */
export const factsInFolder = Effect.fnUntraced(function* (folder: string, prefix: string) {
  const paths = yield* Path.Path
  return yield* factsIn(paths.join(folder, "meeting.json"), `${prefix}meeting.json`)
})

/** Facts from two places; the nearer ones win. */
export const nearer = (far: FactsBeside, near: FactsBeside): FactsBeside =>
  Result.flatMap(far, (above) => Result.map(near, (own) => ({ ...above, ...own })))
