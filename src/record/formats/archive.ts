import * as fs from "node:fs"
import * as path from "node:path"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { Effect, type FileSystem, type Scope } from "effect"
import { extract } from "tar-stream"
import { openPromise } from "yauzl"
import { ReadError } from "./item.ts"
import { scratchFolder } from "./scratch.ts"
import { zstdBytes } from "./zst.ts"

/** How large an archive may be before it counts as an attack or a mistake. */
interface ArchiveLimits {
  readonly members: number
  /** Bytes of one member, unpacked. */
  readonly memberBytes: number
  /** Bytes of all members, unpacked. */
  readonly totalBytes: number
}

const usualLimits: ArchiveLimits = { members: 500_000, memberBytes: 16 * 1024 ** 3, totalBytes: 64 * 1024 ** 3 }

interface Member {
  readonly name: string
  readonly kind: "file" | "folder" | "other"
  readonly open: () => Promise<AsyncIterable<unknown>>
  /** Skips a member that will not be opened. */
  readonly skip: () => void
}

const ending = /\.(tar|tar\.gz|tgz|tar\.zst|tzst|zip)$/i

/** Whether a name is that of a supported archive. */
export const isArchive = (name: string): boolean => ending.test(name)

/** The name of an archive without its ending. */
export const archiveStem = (name: string): string => name.replace(ending, "")

async function* tarMembers(archive: string, signal: AbortSignal): AsyncGenerator<Member> {
  const unpacked = extract()
  const packed = /zst$/i.test(archive) ? zstdBytes(archive) : fs.createReadStream(archive)
  const fed = /gz$/i.test(archive)
    ? pipeline(packed, createGunzip(), unpacked, { signal })
    : pipeline(packed, unpacked, { signal })
  // A failure also reaches the reader of `unpacked`, which reports it.
  fed.catch(() => undefined)
  for await (const entry of unpacked) {
    const { name, type } = entry.header
    yield {
      name,
      kind: type === "file" || type === "contiguous-file" ? "file" : type === "directory" ? "folder" : "other",
      open: () => Promise.resolve(entry),
      skip: () => entry.resume()
    }
  }
  await fed
}

const isFolderName = (name: string): boolean => name.endsWith("/")

/** The file type bits of the Unix mode in a zip; 0 if it has none. */
const unixType = (attributes: number): number => (attributes >>> 16) & 0o170000

async function* zipMembers(archive: string): AsyncGenerator<Member> {
  const zip = await openPromise(archive, { lazyEntries: true, strictFileNames: false })
  try {
    for await (const entry of zip.eachEntry()) {
      const type = unixType(entry.externalFileAttributes)
      const isPlain = type === 0 || type === 0o100000
      yield {
        name: entry.fileName,
        kind: isFolderName(entry.fileName) ? "folder" : isPlain ? "file" : "other",
        open: () => zip.openReadStreamPromise(entry),
        skip: () => undefined
      }
    }
  } finally {
    zip.close()
  }
}

/** Why a member must not be unpacked; undefined if it may be. */
const objection = ({ name, kind }: Member): string | undefined => {
  if (/^([/\\]|[a-z]:)/i.test(name) || name.split(/[/\\]/).includes(".."))
    return "would be outside the archive's folder"
  if (name.includes("\0") || name.includes("\\")) return "has a name that is not a path"
  return kind === "other" ? "is a link or a device, not a file" : undefined
}

const unpack = async (archive: string, folder: string, limits: ArchiveLimits, signal: AbortSignal): Promise<void> => {
  let count = 0
  let total = 0
  for await (const member of /\.zip$/i.test(archive) ? zipMembers(archive) : tarMembers(archive, signal)) {
    signal.throwIfAborted()
    const problem = objection(member)
    if (problem !== undefined) throw new Error(`its member ${JSON.stringify(member.name.slice(0, 200))} ${problem}`)
    if (++count > limits.members) throw new Error(`it has more than ${limits.members} members`)
    const target = path.join(folder, member.name)
    if (member.kind === "folder") {
      await fs.promises.mkdir(target, { recursive: true })
      member.skip()
      continue
    }
    await fs.promises.mkdir(path.dirname(target), { recursive: true })
    let size = 0
    const measure = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        size += chunk.length
        total += chunk.length
        const tooLarge = size > limits.memberBytes || total > limits.totalBytes
        done(tooLarge ? new Error(`its member ${member.name} is too large`) : null, chunk)
      }
    })
    await pipeline(await member.open(), measure, fs.createWriteStream(target), { signal })
  }
}

/**
 * Unpacks a tar (also .gz or .zst) or zip archive into a temporary folder, which is removed with the scope, and returns
 * the folder. Captions may come before the manifest that names them, so an archive cannot be read in one pass. Fails
 * and leaves nothing behind if a member is a link or a device, would be outside the folder, or exceeds the limits.
 */
export const unpackArchive = Effect.fn("Records.unpackArchive")(function* (
  archive: string,
  limits: ArchiveLimits = usualLimits
): Effect.fn.Return<string, ReadError, FileSystem.FileSystem | Scope.Scope> {
  const problem = (cause: unknown) =>
    new ReadError({
      path: archive,
      problem: `cannot be unpacked: ${cause instanceof Error ? cause.message : String(cause)}`
    })
  const folder = yield* Effect.mapError(scratchFolder, problem)
  yield* Effect.tryPromise({ try: (signal) => unpack(archive, folder, limits, signal), catch: problem })
  return folder
})
