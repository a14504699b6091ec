import * as fs from "node:fs"
import * as path from "node:path"
import { buffer } from "node:stream/consumers"
import { createGunzip } from "node:zlib"
import { extract } from "tar-stream"
import { fromBufferPromise } from "yauzl"

/**
 * The archives are large: unpacking them a megabyte at a time takes two thirds of the processor time of Node's 16 KB.
 */
const atATime = 1 << 20

interface ArchiveFile {
  readonly name: string
  /** It is in a zip inside the archive. */
  readonly isZipped: boolean
  readonly content: () => Promise<Buffer>
}

/** The files of a zip. */
async function* filesOfZip(zipped: Buffer): AsyncGenerator<ArchiveFile> {
  const zip = await fromBufferPromise(zipped, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    yield {
      name: entry.fileName,
      isZipped: true,
      content: async () => buffer(await zip.openReadStreamPromise(entry))
    }
  }
}

/** The files of a `.tar.gz`, by name, and those of each zip in it; each is read only if its content is asked for. */
export async function* archiveFiles(file: string): AsyncGenerator<ArchiveFile> {
  const unpacked = fs
    .createReadStream(file)
    .pipe(createGunzip({ chunkSize: atATime }))
    .pipe(extract())
  for await (const entry of unpacked) {
    const { name } = entry.header
    if (path.extname(name) === ".zip") yield* filesOfZip(await buffer(entry))
    else {
      yield { name, isZipped: false, content: () => buffer(entry) }
      entry.resume()
    }
  }
}
