import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { splitAddress } from "../../text/address-credentials.ts"
import { type NotFound, placeNotFound, sourceNotFound } from "../failures.ts"
import { recordAction } from "../history.ts"
import { idOf } from "../meetings/sql.ts"

/** Another source of the same kind has the address. */
export class SourceKnown extends Data.TaggedError("SourceKnown")<{ readonly id: string }> {}

interface SourceRow {
  readonly id: string
  readonly kind: string
  readonly url: string
  readonly place: string
  readonly every: number
}

/** What a source brought, and what becomes of it when the source goes. */
export interface Brought {
  readonly url: string
  /** Its meetings that are on record, and stay. */
  readonly meetings: number
  /** Meetings that it lists and that are not on record; they are forgotten. */
  readonly notImported: number
  /** Bodies that it lists, whose mapping is forgotten. */
  readonly bodies: number
}

/** Corrects sources and removes them. */
export class SourceChanges extends Context.Service<
  SourceChanges,
  {
    /**
     * Corrects a source; what is not given stays. At another address it is read as a new calendar, and is due at once
     * unless it is paused; its credentials go with it only if it names new ones or stays at its origin, and so
     * does the word that its site may be read. `everySeconds`
     * is at least 60. Returns whether anything changed.
     */
    readonly edit: (
      id: string,
      to: {
        readonly url?: string | undefined
        readonly place?: string | undefined
        readonly everySeconds?: number | undefined
      }
    ) => Effect.Effect<boolean, NotFound | SourceKnown>
    /** What would become of what it brought. */
    readonly brought: (id: string) => Effect.Effect<Brought, NotFound>
    /** Removes a source. Its meetings stay on record as they are; no calendar changes them any more. */
    readonly remove: (id: string) => Effect.Effect<Brought, NotFound>
  }
>()("civic-record/SourceChanges") {
  static readonly layer = Layer.effect(
    SourceChanges,
    Effect.gen(function* () {
      const db = yield* Db

      const edit = Effect.fn("SourceChanges.edit")(
        function* (
          ref: string,
          to: {
            readonly url?: string | undefined
            readonly place?: string | undefined
            readonly everySeconds?: number | undefined
          }
        ) {
          const [before] = yield* db<SourceRow>`
            select s.id, s.kind, s.url, p.slug as place, extract(epoch from s.every)::int as every
            from source s join place p on p.id = s.place_id where s.id = ${idOf(ref)} for no key update of s`
          if (before === undefined) return yield* sourceNotFound(ref)
          const { id, kind } = before
          const typed = to.url === undefined ? { url: before.url } : splitAddress(to.url)
          const after = {
            url: typed.url,
            place: to.place ?? before.place,
            every: to.everySeconds ?? before.every
          }
          const [place] = yield* db<{ id: number }>`select id from place where slug = ${after.place}`
          if (place === undefined) return yield* placeNotFound(after.place)
          const [other] = yield* db<{ id: string }>`
            select id from source where kind = ${kind} and url = ${after.url} and id <> ${id}`
          if (other !== undefined) return yield* new SourceKnown({ id: other.id })
          const credentials = typed.credentials === undefined ? null : JSON.stringify(typed.credentials)
          const moved = after.url !== before.url
          const isSame = !moved && after.place === before.place && after.every === before.every
          if (isSame && credentials === null) return false
          const staysThere = URL.parse(after.url)?.origin === URL.parse(before.url)?.origin
          yield* db`
            update source set url = ${after.url}, place_id = ${place.id},
              every = ${after.every}::int * interval '1 second',
              credentials = coalesce(${credentials}::jsonb, case when ${staysThere}::boolean then credentials end),
              permitted_by = case when ${staysThere}::boolean then permitted_by end,
              permitted_at = case when ${staysThere}::boolean then permitted_at end,
              permitted_why = case when ${staysThere}::boolean then permitted_why end
            where id = ${id}`
          if (moved || credentials !== null || after.place !== before.place) {
            // Even a calendar that has not changed is read again.
            yield* db`
              update source set etag = null, last_modified = null,
                crawl_at = case when crawl_at is not null then clock_timestamp() end
              where id = ${id}`
          }
          yield* recordAction(db, "source.edit", id, {
            ...(moved ? { url: after.url, was: before.url } : {}),
            ...(after.place === before.place ? {} : { place: after.place }),
            ...(after.every === before.every ? {} : { hours: after.every / 3600 })
          })
          return true
        },
        (edited) => dbDies(db.withTransaction(edited))
      )

      const broughtBy = Effect.fnUntraced(function* (ref: string) {
        const [found] = yield* db<Brought>`
          select s.url, count(*) filter (where m.id is not null)::int as meetings,
            count(*) filter (where d.id is not null and m.id is null)::int as "notImported",
            (select count(*)::int from source_body sb where sb.source_id = s.id) as bodies
          from source s left join discovered d on d.source_id = s.id left join meeting m on m.id = d.id
          where s.id = ${idOf(ref)} group by s.id`
        return found ?? (yield* sourceNotFound(ref))
      })

      const remove = Effect.fn("SourceChanges.remove")(
        function* (ref: string) {
          const [source] = yield* db<SourceRow>`
            select s.id, s.kind, s.url, p.slug as place from source s join place p on p.id = s.place_id
            where s.id = ${idOf(ref)} for update of s`
          if (source === undefined) return yield* sourceNotFound(ref)
          const { id, kind, url, place } = source
          const brought = yield* broughtBy(id)
          yield* db`delete from source where id = ${id}`
          yield* recordAction(db, "source.remove", id, { kind, url, place, meetings: brought.meetings })
          return brought
        },
        (removed) => dbDies(db.withTransaction(removed))
      )

      return { edit, brought: Effect.fn("SourceChanges.brought")(broughtBy, dbDies), remove }
    })
  )
}
