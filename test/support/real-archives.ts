import * as fs from "node:fs"
import * as path from "node:path"
import { buffer } from "node:stream/consumers"
import { promisify } from "node:util"
import { createGunzip, gunzip } from "node:zlib"
import { extract } from "tar-stream"
import { fromBufferPromise } from "yauzl"

const data = path.resolve("../shared/data")

/** Archives of real records beside the project, of which tests put a few meetings on record. */
export const archives = {
  seattle: path.join(data, "seattle-wa.tar.gz"),
  knoxville: path.join(data, "knox-tn.tar.gz"),
  events: path.join(data, "nyc-legistar-events.ndjson.gz"),
  people: path.join(data, "nyc-people.ndjson.gz"),
  matters: path.join(data, "nyc-matters.ndjson.gz")
} as const

/** Whether all of them are there. */
export const realArchivesAreThere = Object.values(archives).every((file) => fs.existsSync(file))

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

const put = (file: string, text: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

/** Writes to a folder sessions of Seattle by their names: what was said, with a time for each word. */
export const unpackSeattle = async (folder: string, sessions: ReadonlyArray<string>): Promise<void> => {
  const wanted = sessions.map((session) => `${session}/ground-truth.json`)
  for await (const { name, content } of archiveFiles(archives.seattle)) {
    if (wanted.includes(name)) put(path.join(folder, name), (await content()).toString())
  }
}

/** Writes to a folder captions of Knoxville and its county by their names, and the rows of these and other meetings. */
export const unpackKnoxville = async (
  folder: string,
  captions: ReadonlyArray<string>,
  others: (row: string) => boolean = () => false
): Promise<void> => {
  const wanted = captions.map((name) => `captions/${name}.vtt`)
  for await (const { name, content } of archiveFiles(archives.knoxville)) {
    const isList = name === "meetings.ndjson"
    if (!isList && !wanted.includes(name)) continue
    const text = (await content()).toString()
    const rows = () => text.split("\n").filter((row) => others(row) || wanted.some((one) => row.includes(one)))
    put(path.join(folder, name), isList ? rows().join("\n") : text)
  }
}

/**
 * The lines of an archive of New York, a record each, that are wanted by how they begin and by their number from the
 * end. The others, of 150 MB in all, are not decoded.
 */
export const linesOf = async (
  file: string,
  isWanted: (begin: string, fromEnd: number) => boolean
): Promise<ReadonlyArray<string>> => {
  const bytes = await promisify(gunzip)(await fs.promises.readFile(file), { chunkSize: atATime })
  const starts = [0]
  for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", end + 1)) starts.push(end + 1)
  const count = bytes.at(-1) === 10 ? starts.length - 1 : starts.length
  return starts.slice(0, count).flatMap((start, at) => {
    if (!isWanted(bytes.toString("latin1", start, start + 20), count - at)) return []
    return [bytes.toString("utf8", start, starts[at + 1] ?? bytes.length).trimEnd()]
  })
}

/** Tells the lines of the records with these numbers. */
export const numbered = (ids: ReadonlyArray<number>) => {
  const begins = ids.map((id) => `{"ID":${id},`)
  return (line: string): boolean => begins.some((begin) => line.startsWith(begin))
}
