import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { Data, Effect, type Scope } from "effect"

/** Another process of this service is using the data folder; `holder` is its self-description. */
export class DataInUse extends Data.TaggedError("DataInUse")<{ readonly dataDir: string; readonly holder: string }> {
  override get message() {
    return `${this.dataDir} is in use by ${this.holder}. Stop it first, or set DATA_DIR to another folder.`
  }
}

/**
 * A socket rather than a lock file: the kernel closes it with its process, so a killed process leaves no lock behind.
 * On Linux it is in the abstract namespace and never touches a disk.
 */
const lockAddress = (dataDir: string): string => {
  const name = `civic-record-${createHash("sha256").update(fs.realpathSync(dataDir)).digest("hex").slice(0, 24)}`
  return process.platform === "linux" ? `\0${name}` : path.join(os.tmpdir(), `${name}.sock`)
}

const listen = (address: string, description: string) =>
  Effect.callback<net.Server | undefined>((resume) => {
    const server = net.createServer((socket) => socket.end(description))
    server.once("error", () => resume(Effect.succeed(undefined)))
    server.listen(address, () => resume(Effect.succeed(server.unref())))
  })

/** The holder's self-description, or undefined if nobody answers. */
const askHolder = (address: string) =>
  Effect.callback<string | undefined>((resume) => {
    let description = ""
    const socket = net.connect(address)
    socket.setEncoding("utf8").setTimeout(2000, () => socket.destroy(new Error("silent")))
    socket.on("data", (part) => {
      description += part
    })
    socket.on("end", () => resume(Effect.succeed(description)))
    socket.on("error", () => resume(Effect.succeed(undefined)))
  })

const acquire = Effect.fnUntraced(function* (dataDir: string, description: string) {
  const address = lockAddress(dataDir)
  const first = yield* listen(address, description)
  if (first !== undefined) return first
  const holder = yield* askHolder(address)
  if (holder === undefined && !address.startsWith("\0")) {
    // A stale socket file: its process died without closing it.
    fs.rmSync(address, { force: true })
    const second = yield* listen(address, description)
    if (second !== undefined) return second
  }
  return yield* new DataInUse({ dataDir, holder: holder ?? "another process" })
})

/** Locks the data folder for one process until the scope closes. Another process that tries is shown `description`. */
export const lockData = (dataDir: string, description: string): Effect.Effect<void, DataInUse, Scope.Scope> =>
  Effect.acquireRelease(acquire(dataDir, description), (server) => Effect.sync(() => server.close())).pipe(
    Effect.asVoid
  )
