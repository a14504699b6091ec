import { dirname } from "node:path"
import { Effect, FileSystem, Path, Result } from "effect"
import { isInside, linkMessage } from "../inside.ts"
import { documentOf } from "./files.ts"
import { type Item, onceWarning, type ReadError, rejected } from "./item.ts"
import { decodeFacts, type MeetingFacts } from "./row.ts"

/** Facts from outside a file, with what was left out of them, or the report on a sidecar that cannot be read. */
export type FactsBeside = Result.Result<{ readonly facts: MeetingFacts; readonly notes: ReadonlyArray<Item> }, Item>

export const noFacts: FactsBeside = Result.succeed({ facts: {}, notes: [] })

/** Whether a file only says which meeting another one is of: `meeting.json`, or `talk.meeting.json` for `talk.vtt`. */
export const isSidecar = (name: string): boolean => /(^|\.)meeting\.json$/i.test(name)

/** The facts of sidecars, or none where one cannot be read, which is reported elsewhere. */
export const factsOr = (beside: FactsBeside): MeetingFacts => (Result.isSuccess(beside) ? beside.success.facts : {})

/** The facts in a sidecar, if there is one; `file` is what the report calls it. */
export const factsIn = Effect.fnUntraced(function* (
  path: string,
  file: string
): Effect.fn.Return<FactsBeside, ReadError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* Effect.orElseSucceed(fs.exists(path), () => false))) return noFacts
  const origin = { file, line: 1 }
  if (!isInside(dirname(path), path)) return Result.fail(rejected(origin, "", linkMessage))
  const { value: document } = yield* documentOf(path)
  if (Result.isFailure(document)) return Result.fail(rejected(origin, "", document.failure))
  return Result.mapBoth(decodeFacts(document.success), {
    onFailure: (fault) => rejected(origin, fault.field, fault.message),
    // Every recording beside the sidecar has its facts; the report has its faults once.
    onSuccess: ({ value: facts, leftOut }) => ({
      facts,
      notes: leftOut.map(({ field, message }) => onceWarning(origin, field, `${message}; it is left out of ${file}`))
    })
  })
})

/** The facts in `meeting.json` of a folder. */
export const factsInFolder = Effect.fnUntraced(function* (folder: string, prefix: string) {
  const paths = yield* Path.Path
  return yield* factsIn(paths.join(folder, "meeting.json"), `${prefix}meeting.json`)
})

/** Facts from two places; the nearer ones win. */
export const nearer = (far: FactsBeside, near: FactsBeside): FactsBeside =>
  Result.flatMap(far, (above) =>
    Result.map(near, (own) => ({ facts: { ...above.facts, ...own.facts }, notes: [...above.notes, ...own.notes] }))
  )
