import { Context, Effect, Exit, Layer, Option, Stream } from "effect"
import type { Statement } from "effect/sql"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { meetingPath } from "../meetings/cards.ts"
import { documentPath } from "../meetings/documents.ts"
import { bodyPath, matterPath, personPath, placePath } from "../meetings/refs.ts"

/** An address of the record, as a path, and when its content last changed: ISO 8601 in UTC. */
export interface SitemapEntry {
  readonly path: string
  readonly changed?: string
}

/** One file of a sitemap. */
export interface SitemapPart {
  readonly of: "pages" | "places" | "bodies" | "people" | "matters" | "meetings" | "documents"
  /** The first id, and the id to stop before; the last part of its kind has no end. */
  readonly from: string
  readonly until: string | undefined
  readonly entries: number
  /** When anything in it last changed. */
  readonly changed: string | undefined
}

interface Index {
  readonly parts: ReadonlyArray<SitemapPart>
  /** When a meeting of a body last changed, by the body's id. */
  readonly changes: ReadonlyMap<number, Date>
}

/**
 * `most` addresses of a file: 50,000 is the maximum (sitemaps.org); all but meetings cannot outgrow it, because their
 * ids are numbers. `meetings` of a file when the index is made; those that come on record before it is made again fit
 * in as well. They are read `rows` at a time. Tests use smaller sizes.
 */
export const SitemapSizes = Context.Reference("civic-record/SitemapSizes", {
  defaultValue: () => ({ most: 50_000, meetings: 40_000, rows: 1000 })
})

/** Making the index reads every meeting once: a second for a million. */
const indexLife = "5 minutes"

const iso = (date: Date | undefined): string | undefined => date?.toISOString()
const newest = (dates: ReadonlyArray<Date | undefined>): Date | undefined =>
  dates.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
const entry = (path: string, changed: Date | undefined): SitemapEntry =>
  changed === undefined ? { path } : { path, changed: changed.toISOString() }

/**
 * Addresses for search engines: the pages that list the record, and every place, body, person, matter, meeting and
 * document once.
 */
export class Sitemaps extends Context.Service<
  Sitemaps,
  {
    /** The files, numbered from 1. */
    readonly parts: Effect.Effect<ReadonlyArray<SitemapPart>>
    /**
     * The addresses of a file, a thousand at a time; read on demand, by key and without an offset. `pages` are the
     * addresses of the first file, all of which change whenever the record does.
     */
    readonly entries: (part: SitemapPart, pages: ReadonlyArray<string>) => Stream.Stream<ReadonlyArray<SitemapEntry>>
  }
>()("civic-record/Sitemaps") {
  static readonly layer = Layer.effect(
    Sitemaps,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const sizes = yield* SitemapSizes

      const hasMeeting = db`exists (
        select from body_place bp join meeting m on m.body_id = bp.body_id where bp.place_id = p.id)`

      const idRanges = (
        of: "places" | "bodies" | "people" | "matters",
        rows: ReadonlyArray<{ part: number; entries: number; changed?: Date }>,
        ofAll?: Date
      ) =>
        rows.map(({ part, entries, changed = ofAll }) => ({
          of,
          from: String(part * sizes.most),
          until: String((part + 1) * sizes.most),
          entries,
          changed: iso(changed)
        }))

      const meetingChanges = db`select id, updated_at as changed from meeting`
      /** The documents that something was read of; the others are where their bodies publish them. */
      const documentChanges = db`
        select d.id, v.fetched_at as changed from document d
        join document_version v on v.document_id = d.id and v.version = d.version`

      const index: Effect.Effect<Index> = Effect.gen(function* () {
        const changes = new Map(
          (yield* db<{ body_id: number; changed: Date }>`
            select body_id, max(updated_at) as changed from meeting group by 1`).map(
            ({ body_id, changed }) => [body_id, changed] as const
          )
        )
        const changed = newest([...changes.values()])
        const places = yield* db<{ part: number; entries: number }>`
          select id / ${sizes.most}::int as part, count(*)::int as entries from place p
          where ${hasMeeting} group by 1 order by 1`
        const bodies = yield* db<{ part: number; entries: number }>`
          select id / ${sizes.most}::int as part, count(*)::int as entries from body group by 1 order by 1`
        const people = yield* db<{ part: number; entries: number; changed: Date }>`
          select id / ${sizes.most}::int as part, count(*)::int as entries, max(updated_at) as changed from person
          where merged_into is null group by 1 order by 1`
        const matters = yield* db<{ part: number; entries: number; changed: Date }>`
          select id / ${sizes.most}::int as part, count(*)::int as entries, max(updated_at) as changed from matter
          group by 1 order by 1`
        const uuidRanges = Effect.fnUntraced(function* (of: "meetings" | "documents", changes: typeof meetingChanges) {
          const rows = yield* db<{ first: string; entries: number; changed: Date }>`
            select min(id::text collate "C") as first, count(*)::int as entries, max(changed) as changed
            from (
              select id, changed, (row_number() over (order by id) - 1) / ${sizes.meetings}::int as part
              from (${changes}) changes
            ) numbered group by part order by part`
          return rows.map(({ first, entries, changed }, at) => ({
            of,
            // Those that come on record before the first one belong to it.
            from: at === 0 ? "00000000-0000-0000-0000-000000000000" : first,
            until: rows[at + 1]?.first,
            entries,
            changed: iso(changed)
          }))
        })
        const parts: ReadonlyArray<SitemapPart> = [
          { of: "pages", from: "", until: undefined, entries: 1, changed: iso(changed) },
          ...idRanges("places", places, changed),
          ...idRanges("bodies", bodies, changed),
          ...idRanges("people", people),
          ...idRanges("matters", matters),
          ...(yield* uuidRanges("meetings", meetingChanges)),
          ...(yield* uuidRanges("documents", documentChanges))
        ]
        return { parts, changes }
      }).pipe(dbDies, Effect.withSpan("Sitemaps.index"))
      const kept = yield* Effect.cachedWithTTL(index, (exit) => (Exit.isSuccess(exit) ? indexLife : 0))

      const placesFrom = Effect.fn("Sitemaps.places")(function* (from: string, { until = "" }: SitemapPart) {
        const { changes } = yield* kept
        const rows = yield* db<{ id: number; slug: string; bodies: ReadonlyArray<number> }>`
          select p.id, p.slug, array(select body_id from body_place bp where bp.place_id = p.id) as bodies from place p
          where p.id >= ${from}::int and p.id < ${until}::int and ${hasMeeting} order by p.id limit ${sizes.rows}`
        return rows.map(({ id, slug, bodies }) => ({
          next: String(id + 1),
          entry: entry(placePath(slug), newest(bodies.map((body) => changes.get(body))))
        }))
      }, dbDies)

      const firstPlace = db`(
        select p.slug from body_place bp join place p on p.id = bp.place_id
        where bp.body_id = b.id order by bp.position limit 1)`

      const bodiesFrom = Effect.fn("Sitemaps.bodies")(function* (from: string, { until = "" }: SitemapPart) {
        const { changes } = yield* kept
        const rows = yield* db<{ id: number; segment: string; place: string | null }>`
          select b.id, b.segment, ${firstPlace} as place from body b
          where b.id >= ${from}::int and b.id < ${until}::int order by b.id limit ${sizes.rows}`
        return rows.map(({ id, segment, place }) => ({
          next: String(id + 1),
          entry: entry(bodyPath(place ?? undefined, segment), changes.get(id))
        }))
      }, dbDies)

      const peopleFrom = Effect.fn("Sitemaps.people")(function* (from: string, { until = "" }: SitemapPart) {
        const rows = yield* db<{ id: number; slug: string; updated_at: Date }>`
          select id, slug, updated_at from person
          where id >= ${from}::int and id < ${until}::int and merged_into is null order by id limit ${sizes.rows}`
        return rows.map(({ id, slug, updated_at }) => ({
          next: String(id + 1),
          entry: entry(personPath(slug), updated_at)
        }))
      }, dbDies)

      const mattersFrom = Effect.fn("Sitemaps.matters")(function* (from: string, { until = "" }: SitemapPart) {
        const rows = yield* db<{ id: number; slug: string; place: string; updated_at: Date }>`
          select x.id, x.slug, l.slug as place, x.updated_at from matter x join place l on l.id = x.place_id
          where x.id >= ${from}::int and x.id < ${until}::int order by x.id limit ${sizes.rows}`
        return rows.map(({ id, slug, place, updated_at }) => ({
          next: String(id + 1),
          entry: entry(matterPath(place, slug), updated_at)
        }))
      }, dbDies)

      /** Whether a row's id is after `from`, which is the last id read or the start of the part, and in the part. */
      const within = (id: Statement.Fragment, from: string, part: SitemapPart) => db`
        ${from === part.from ? db`${id} >= ${from}::uuid` : db`${id} > ${from}::uuid`}
        and ${part.until === undefined ? db`true` : db`${id} < ${part.until}::uuid`}`

      const meetingsFrom = Effect.fn("Sitemaps.meetings")(function* (from: string, part: SitemapPart) {
        const rows = yield* db<{
          id: string
          short_id: string
          date: string
          segment: string
          place: string | null
          updated_at: Date
        }>`
          select m.id, m.short_id, m.date::text as date, b.segment, ${firstPlace} as place, m.updated_at
          from meeting m join body b on b.id = m.body_id
          where ${within(db.literal("m.id"), from, part)}
          order by m.id limit ${sizes.rows}`
        return rows.map(({ id, place, updated_at, ...row }) => ({
          next: id,
          entry: entry(meetingPath({ ...row, places: place === null ? [] : [{ slug: place }] }), updated_at)
        }))
      }, dbDies)

      const documentsFrom = Effect.fn("Sitemaps.documents")(function* (from: string, part: SitemapPart) {
        const rows = yield* db<{ id: string; changed: Date }>`
          select d.id, d.changed from (${documentChanges}) d where ${within(db.literal("d.id"), from, part)}
          order by d.id limit ${sizes.rows}`
        return rows.map(({ id, changed }) => ({ next: id, entry: entry(documentPath(id), changed) }))
      }, dbDies)

      const readers = {
        places: placesFrom,
        bodies: bodiesFrom,
        people: peopleFrom,
        matters: mattersFrom,
        meetings: meetingsFrom,
        documents: documentsFrom
      }

      const entries = (part: SitemapPart, pages: ReadonlyArray<string>) => {
        const { of, from, changed } = part
        if (of === "pages") {
          return Stream.make(pages.map((path) => (changed === undefined ? { path } : { path, changed })))
        }
        return Stream.paginate(from, (at) =>
          Effect.map(readers[of](at, part), (rows) => {
            const last = rows.length < sizes.rows ? undefined : rows.at(-1)
            return [
              [rows.map((row) => row.entry)],
              Option.map(Option.fromUndefinedOr(last), ({ next }) => next)
            ] as const
          })
        ).pipe(Stream.take(Math.ceil(sizes.most / sizes.rows)))
      }

      return { parts: Effect.map(kept, ({ parts }) => parts), entries }
    })
  )
}
