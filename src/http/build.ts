import { readFileSync } from "node:fs"
import * as path from "node:path"
import { Context, DateTime, Effect, Layer } from "effect"
import manifest from "../../package.json" with { type: "json" }

const root = path.join(import.meta.dirname, "..", "..")

const read = (...file: ReadonlyArray<string>): string | undefined => {
  try {
    return readFileSync(path.join(root, ...file), "utf8").trim()
  } catch {
    return undefined
  }
}

/**
 * The commit of this tree: from the file `COMMIT`, which an image has instead of a repository, or from the repository.
 */
const findCommit = (): string | undefined => {
  const head = read("COMMIT") ?? read(".git", "HEAD")
  const ref = head?.startsWith("ref: ") ? head.slice(5) : undefined
  const commit =
    ref === undefined
      ? head
      : (read(".git", ref) ??
        read(".git", "packed-refs")
          ?.split("\n")
          .find((line) => line.endsWith(` ${ref}`))
          ?.split(" ")[0])
  return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined
}

/** Which build this is: its version, followed by the first digits of its commit if known. */
export class Build extends Context.Service<
  Build,
  {
    readonly id: string
    readonly commit: string | undefined
    /** When this process started, ISO 8601 in UTC. */
    readonly startedAt: string
  }
>()("civic-record/Build") {
  static readonly layer = Layer.effect(
    Build,
    Effect.map(DateTime.now, (now) => {
      const commit = findCommit()
      return {
        id: commit === undefined ? manifest.version : `${manifest.version}+${commit.slice(0, 8)}`,
        commit,
        startedAt: DateTime.formatIso(now)
      }
    })
  )
}
