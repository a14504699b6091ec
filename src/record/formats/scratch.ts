import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, FileSystem } from "effect"

/** The prefix of every temporary folder of an import on this machine; the process id and a random part follow. */
const prefix = `civic-record-import-${os.hostname()}-`

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user is alive, too.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Removes the temporary folders of imports that were killed. */
export const clearScratch = Effect.sync(() => {
  const folder = os.tmpdir()
  for (const name of fs.readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid === undefined || isAlive(Number(pid))) continue
    fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}).pipe(Effect.withSpan("Records.clearScratch"))

/** A temporary folder that is removed with the scope, or by the next import if this process is killed. */
export const scratchFolder = FileSystem.FileSystem.use((files) =>
  files.makeTempDirectoryScoped({ prefix: `${prefix}${process.pid}-` })
)
