import * as fs from "node:fs"
import * as path from "node:path"
import { Clock, Effect } from "effect"
import { Environment } from "../../layers/config/config.ts"
import type { ClaimedTask } from "../services/queue/tasks.ts"

/** The age, in milliseconds, at which leftovers of killed processes are removed. */
const leftoverAge = 3600 * 1000

/** Removes leftovers of killed processes from a folder. */
const clearFolder = (folder: string, isStale: (name: string, age: number) => boolean) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.promise(async () => {
      for (const name of await fs.promises.readdir(folder).catch(() => [])) {
        const stat = await fs.promises.stat(path.join(folder, name)).catch(() => undefined)
        if (stat !== undefined && isStale(name, now - stat.mtimeMs)) {
          await fs.promises.rm(path.join(folder, name), { recursive: true, force: true })
        }
      }
    })
  )

/** Where stages keep unfinished files: one folder per claim of a task, removed with the scope. */
export const renderingFolders = Effect.gen(function* () {
  const { dataDir } = yield* Environment
  const scratch = path.join(dataDir, "rendering")
  yield* clearFolder(scratch, (_, age) => age > leftoverAge)
  return Effect.fnUntraced(function* (task: ClaimedTask) {
    yield* clearFolder(scratch, (name) => name.startsWith(task.id))
    const folder = path.join(scratch, `${task.id}-${task.claim}`)
    yield* Effect.acquireRelease(
      Effect.promise(() => fs.promises.mkdir(folder, { recursive: true })),
      () => Effect.promise(() => fs.promises.rm(folder, { recursive: true, force: true }))
    )
    return folder
  })
})

/** How long a partial download is kept for the task's next attempt, in milliseconds. */
const fetchedAge = 3 * 24 * 3600 * 1000

/**
 * The folders of downloads: one per claim of a task, which starts with a copy of whatever an earlier claim on this
 * machine left. The folder survives if the task is interrupted or fails; `done` removes it. Files are copied rather
 * than moved, because a frozen worker may still be writing to its own.
 */
export const fetchingFolders = Effect.gen(function* () {
  const { dataDir } = yield* Environment
  const scratch = path.join(dataDir, "fetching")
  yield* clearFolder(scratch, (_, age) => age > fetchedAge)
  return Effect.fnUntraced(function* (task: ClaimedTask) {
    const folder = path.join(scratch, `${task.id}-${task.claim}`)
    yield* Effect.promise(async () => {
      await fs.promises.mkdir(folder, { recursive: true })
      for (const name of await fs.promises.readdir(scratch)) {
        if (!name.startsWith(task.id) || name === path.basename(folder)) continue
        const earlier = path.join(scratch, name)
        await fs.promises.cp(earlier, folder, { recursive: true, mode: fs.constants.COPYFILE_FICLONE })
        await fs.promises.rm(earlier, { recursive: true, force: true })
      }
    })
    return { folder, done: Effect.promise(() => fs.promises.rm(folder, { recursive: true, force: true })) }
  })
})
