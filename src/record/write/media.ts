import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Result } from "effect"
import { Db, type Sql } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import type { BundleEntity, BundleMedia } from "../../../schema/bundle.ts"
import { ClipId, FigureId } from "../../../schema/primitives.ts"
import {
  agendaKey,
  clipKey,
  figureKey,
  posterKey,
  renditionKey,
  sourceKey
} from "../../services/meetings/media-tier.ts"
import { isInside, linkMessage } from "../inside.ts"
import { settled } from "./directory.ts"
import { measureMedia } from "./measure.ts"
import { refused, unchanged } from "./outcome.ts"

/** The key that a media file of a meeting is stored under, by its role; undefined if its subject is missing. */
const keyOf = (media: BundleMedia): string | undefined => {
  const { meeting_id: meeting, subject, role } = media
  switch (role) {
    case "poster":
      return posterKey(meeting)
    case "rendition":
      return renditionKey(meeting)
    case "agenda":
      return agendaKey(meeting)
    case "source":
      return sourceKey(meeting, path.extname(media.path).slice(1) || "bin")
    case "clip":
      return subject === undefined ? undefined : clipKey(meeting, ClipId.make(subject))
    case "figure":
      return subject === undefined ? undefined : figureKey(meeting, FigureId.make(subject))
  }
}

/**
 * Notes, before the batch that writes these media begins, the keys that are not on record yet: if it is killed, the
 * sweep of removed media deletes the objects that it has put. The batch takes each key off the list before it puts the
 * object.
 */
export const noteNewKeys = (db: Sql, entities: ReadonlyArray<BundleEntity>) => {
  const keys = entities.flatMap((entity) => (entity.type === "media" ? [keyOf(entity) ?? []].flat() : []))
  return keys.length === 0
    ? Effect.void
    : db`
        insert into removed_media (key) select noted.key from unnest(${keys}::text[]) noted (key)
        where not exists (select from media m where m.key = noted.key) on conflict do nothing`
}

/**
 * Writes a media file of a bundle to the store and the record, as what it is and measures (`measureMedia`). The file is
 * in place before its row is; a file stored by an import that was then interrupted is stored again by the next one.
 * With `keep` false (a dry run) the file is only looked at.
 */
export const writeMediaFrom = (folder: string, keep: boolean) =>
  Effect.fnUntraced(function* (media: BundleMedia, hash: string) {
    const db = yield* Db
    const store = yield* ObjectStore
    const key = keyOf(media)
    if (key === undefined)
      return refused("subject", `is missing; write the id of the ${media.role} that the file shows`)
    const file = path.join(folder, ...media.path.split("/"))
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    if (!stat?.isFile()) return refused("path", `${media.path} is not a file of the bundle`)
    if (!isInside(folder, file)) return refused("path", `${media.path} ${linkMessage}`)
    const known = yield* db<{ bytes: number }>`
      select bytes::int8::float8 as bytes from media where key = ${key} and content_hash = ${hash}`
    if (known[0]?.bytes === stat.size) return unchanged
    // What an operator has replaced stays replaced, until the import has another file.
    const stale = yield* db`
      select from given_recording g where g.meeting_id = ${media.meeting_id} and ${hash} = any(g.replaced) and exists (
        select from media s join given_recording taken on taken.meeting_id = s.meeting_id and taken.mark = s.content_hash
        where s.meeting_id = g.meeting_id and s.role = 'source') limit 1`
    if (stale.length > 0) return unchanged
    const looked = yield* Effect.result(measureMedia(media, file))
    if (Result.isFailure(looked)) return refused(looked.failure.field, looked.failure.message)
    const { measured, notes } = looked.success
    // A worker that renders this meeting puts nothing between the object and its row.
    yield* db`select from meeting where id = ${media.meeting_id} for no key update`
    // Waits for a sweep that is deleting the object of a removed meeting, and keeps a later one from deleting this
    // object.
    yield* db`delete from removed_media where key = ${key}`
    if (keep) yield* store.put(key, file, media.media_type)
    // A source with another extension replaces the one before it.
    const replaced = yield* db<{ key: string }>`
      delete from media where meeting_id = ${media.meeting_id} and role = 'source' and ${media.role} = 'source'
        and key <> ${key} returning key`
    if (keep) yield* Effect.forEach(replaced, (row) => store.delete(row.key))
    const row = {
      key,
      meeting_id: media.meeting_id,
      role: media.role,
      subject: media.subject ?? null,
      media_type: media.media_type,
      bytes: stat.size,
      width: measured.width ?? null,
      height: measured.height ?? null,
      duration: measured.duration ?? null,
      content_hash: hash
    }
    const written = yield* db<{ created: boolean }>`
      insert into media as m ${db.insert(row)}
      on conflict (key) do update set
        media_type = excluded.media_type, bytes = excluded.bytes, width = excluded.width, height = excluded.height,
        duration = excluded.duration, content_hash = excluded.content_hash
      returning xmax = 0 as created`
    return { ...settled(written[0]), notes }
  })
