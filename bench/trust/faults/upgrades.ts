import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { programPath, root } from "../stand/needs.ts"
import { thisBuild } from "../stand/nodes.ts"
import type { Fault } from "./fault.ts"
import { rolled } from "./rolling.ts"

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-C", root, ...args], { env: { PATH: programPath }, stdio: ["ignore", "pipe", "ignore"] })

/** The files of another version, with this one's packages, for as long as the scope is open. */
const checkedOut = (folder: string, version: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = path.join(folder, "before")
      git("worktree", "add", "--detach", made, version)
      fs.symlinkSync(path.join(root, "node_modules"), path.join(made, "node_modules"))
      return made
    }),
    (made) => Effect.sync(() => git("worktree", "remove", "--force", made))
  )

/** Puts every process back to the version before, on this version's schema, one by one, and forward again. */
export const upgrades = (version: string): Fault => ({
  name: `back to ${version} and forward, one process at a time`,
  run: ({ stand }) =>
    Effect.gen(function* () {
      stand.settings.build = yield* checkedOut(stand.folder, version)
      yield* rolled(stand)
      yield* Effect.sleep("3 seconds")
      stand.settings.build = thisBuild
      yield* rolled(stand)
      return "two versions side by side, twice"
    }).pipe(Effect.scoped)
})
