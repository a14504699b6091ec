import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { endianness } from "node:os"
import * as path from "node:path"
import { Clock, Data, Duration, Effect, Option, Schema, Stream } from "effect"
import { Environment } from "../../../../layers/config/config.ts"
import type { Sql } from "../../../../layers/db/db.ts"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import { sealed, unsealed } from "../../../search-engine/format/checksums.ts"
import { format } from "../../../search-engine/format/segment-files.ts"
import { baseFolder, Origin, writeOrigin } from "./folder.ts"
import { usableOf } from "./line.ts"

/** What a published base is, and each of its files; stored last, so a base without it is not whole. */
const Manifest = Schema.Struct({
  origin: Origin,
  format: Schema.Literal(format),
  endianness: Schema.Literal(endianness()),
  files: Schema.Array(
    Schema.Struct({
      name: Schema.String.check(Schema.isPattern(/^[a-z]+(\.[a-z]+)?$/)),
      bytes: Schema.Int,
      sha256: Schema.String
    })
  )
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Manifest))

/** The objects of all bases. No such key opens anything to readers (`mediaTier`). */
const prefix = "search-index/"
const keyOf = (id: string, name: string) => `${prefix}${id}/${name}`
const manifestName = "manifest.json"
const binary = "application/octet-stream"

/** Larger than the manifest of any record: a number for each body. */
const largestManifest = 16 * 2 ** 20
/** How many bases are looked at; more are not kept. */
const mostBases = 50
/** Longer than any database knows a base of its own (`pruningChanges`). */
const foreignKept = Duration.toMillis("8 days")

/** A file of a published base is not the one that was published. */
class Altered extends Data.TaggedError("Altered")<{ readonly file: string }> {}

const digestOf = (file: string) =>
  Effect.tryPromise(async () => {
    const hash = createHash("sha256")
    for await (const chunk of fs.createReadStream(file)) hash.update(chunk)
    return { bytes: fs.statSync(file).size, sha256: hash.digest("hex") }
  })

/**
 * Bases in the media store, which other machines take instead of reading the whole record. None where the store is the
 * data folder's own: there, every process has the base anyway.
 */
export const publishedBases = Effect.fnUntraced(function* (db: Sql, folder: string) {
  const { mediaUrl } = yield* Environment
  const found = yield* Effect.serviceOption(ObjectStore)
  if (Option.isNone(mediaUrl) || Option.isNone(found)) return Option.none()
  const store = found.value

  const names = Stream.runCollect(store.list(prefix)).pipe(
    Effect.map((keys) => Map.groupBy(keys, (key) => key.split("/")[1] ?? ""))
  )

  const manifestOf = (id: string) =>
    store.read(keyOf(id, manifestName), { end: largestManifest }).pipe(
      Stream.decodeText,
      Stream.mkString,
      Effect.map((text) => Option.filter(decode(unsealed(text)), ({ origin }) => origin.id === id)),
      Effect.catchTag("ObjectNotFound", () => Effect.succeedNone)
    )

  const manifests = Effect.flatMap(names, (ids) =>
    Effect.forEach([...ids.keys()].slice(-mostBases), (id) => Effect.map(manifestOf(id), (found) => ({ id, found })))
  )

  const download = Effect.fnUntraced(function* ({ origin, files }: typeof Manifest.Type) {
    const base = baseFolder(folder, origin.id)
    fs.rmSync(base, { recursive: true, force: true })
    fs.mkdirSync(base, { recursive: true })
    for (const { name, bytes, sha256 } of files) {
      const file = path.join(base, name)
      const target = yield* Effect.acquireRelease(
        Effect.tryPromise(() => fs.promises.open(file, "wx")),
        (target) => Effect.promise(() => target.close())
      )
      const hash = createHash("sha256")
      let written = 0
      yield* Stream.runForEach(store.read(keyOf(origin.id, name)), (chunk) => {
        hash.update(chunk)
        written += chunk.length
        return Effect.tryPromise(() => target.writeFile(chunk))
      })
      if (written !== bytes || hash.digest("hex") !== sha256) return yield* new Altered({ file: name })
      yield* Effect.tryPromise(() => target.sync())
    }
    yield* writeOrigin(folder, origin)
  }, Effect.scoped)

  /**
   * The newest base that this database knows, if it was made after `since` (in milliseconds), as a whole one on disk.
   * None if there is none, or it cannot be had as it was published.
   */
  const take = Effect.fn("SearchIndex.take")(
    function* (since: number) {
      const all = (yield* manifests).flatMap(({ found }) => Option.toArray(found))
      const origins = all.map(({ origin }) => origin).filter(({ made_at }) => made_at > since)
      const newest = yield* usableOf(db, origins)
      if (Option.isNone(newest)) return newest
      const manifest = all.find(({ origin }) => origin.id === newest.value.id)
      if (manifest === undefined) return Option.none()
      const [took] = yield* Effect.timed(download(manifest))
      yield* Effect.logInfo("The search index is taken from the media store").pipe(
        Effect.annotateLogs("seconds", Math.round(Duration.toMillis(took)) / 1000)
      )
      return newest
    },
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("No search index can be taken from the media store", cause), Option.none())
    )
  )

  /** Deletes bases that this database knows no more, and any that is older than a database knows its own. */
  const tidied = Effect.fnUntraced(function* (timeline: string) {
    const now = yield* Clock.currentTimeMillis
    const all = yield* manifests
    const known = (yield* db<{ id: string }>`
      select id from search_segment where id::text = any(${all.map(({ id }) => id)}::text[])`).map(({ id }) => id)
    for (const { id, found } of all) {
      const isGone = Option.match(found, {
        // Half of one that is being published, of another format, or altered: each makes way once it is old.
        onNone: () => false,
        onSome: ({ origin }) =>
          (origin.timeline === timeline && !known.includes(id)) || now - origin.made_at > foreignKept
      })
      if (isGone) yield* store.deletePrefix(`${prefix}${id}/`)
    }
    const torn = all.filter(({ found }) => Option.isNone(found)).map(({ id }) => id)
    const keys = yield* names
    for (const id of torn) {
      const [first = ""] = keys.get(id) ?? []
      const about = first === "" ? Option.none() : yield* store.head(first)
      if (Option.isSome(about) && now - about.value.modified.getTime() > foreignKept) {
        yield* store.deletePrefix(`${prefix}${id}/`)
      }
    }
  })

  /** Stores a base that was built here. Whatever fails, this machine has it. */
  const publish = Effect.fn("SearchIndex.publish")(
    function* (origin: Origin) {
      const base = baseFolder(folder, origin.id)
      const files: Array<(typeof Manifest.Type)["files"][number]> = []
      for (const name of fs.readdirSync(base).toSorted()) {
        const file = path.join(base, name)
        files.push({ name, ...(yield* digestOf(file)) })
        yield* store.put(keyOf(origin.id, name), file, binary)
      }
      const manifest: typeof Manifest.Type = { origin, format, endianness: endianness(), files }
      const text = Stream.encodeText(Stream.make(sealed(JSON.stringify(manifest))))
      yield* store.put(keyOf(origin.id, manifestName), text, "application/json")
      yield* tidied(origin.timeline)
    },
    Effect.catchCause((cause) => Effect.logWarning("The search index is not in the media store", cause))
  )

  return Option.some({ take, publish })
})
