import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { programPath, root } from "./needs.ts"
import { answers, program } from "./program.ts"

/** What a process of ours is started with, read at each start. */
export interface Build {
  /** The folder of the build that it runs: this one, or another version's. */
  readonly from: () => string
  readonly env: () => Readonly<Record<string, string>>
}

/** What the units of docs/operations tell the C library of memory. */
const ofMemory = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "32768", MALLOC_TRIM_THRESHOLD_: "131072" }

/** The heap that Node allows itself under the unit's `MemoryMax=1G`, in megabytes; here it sees the whole machine. */
const heap = 368

const ours = (build: Build, args: ReadonlyArray<string>, dataDir: string, more: Readonly<Record<string, string>>) => {
  fs.mkdirSync(dataDir, { recursive: true })
  return (log: number) =>
    spawn(
      process.execPath,
      [
        "--disable-warning=ExperimentalWarning",
        `--max-old-space-size=${heap}`,
        path.join(build.from(), "src/main.ts"),
        ...args
      ],
      {
        cwd: build.from(),
        env: { PATH: programPath, DATA_DIR: dataDir, NODE_ENV: "production", ...ofMemory, ...build.env(), ...more },
        stdio: ["ignore", log, log],
        detached: true
      }
    )
}

/** A node of the service. */
export const node = (build: Build, name: string, folder: string, logs: string, port: number, operatorPort: number) =>
  program({
    name,
    logs,
    nice: -10,
    spawn: ours(build, ["serve", "--jobs", "0"], path.join(folder, name), {
      HOST: "127.0.0.1",
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      LOCAL_IDENTITY_PORT: "0"
    }),
    isReady: answers(`http://127.0.0.1:${operatorPort}/health/ready`)
  })

/** A worker beside the nodes. It listens nowhere: that it works shows in what it does. */
export const worker = (build: Build, name: string, folder: string, logs: string) =>
  program({
    name,
    logs,
    spawn: ours(build, ["worker", "--jobs", "2"], path.join(folder, name), {}),
    isReady: Effect.succeed(true)
  })

/** This build. */
export const thisBuild = root
