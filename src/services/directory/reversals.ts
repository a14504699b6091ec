import { Context, Data, DateTime, Effect, Layer, Schema } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { announceStale } from "../feed/stale-meetings.ts"
import { recordAction } from "../history.ts"
import { idOf } from "../meetings/sql.ts"

/** Days for which a merge or a move can be undone. */
export const undoneWithin = 90

const Kept = Schema.Struct({
  id: Schema.String,
  at: Schema.Date,
  operator: Schema.String,
  kind: Schema.Literals(["merge", "move"]),
  from_slug: Schema.String,
  into_slug: Schema.String,
  undone_at: Schema.NullOr(Schema.Date),
  meetings: Schema.Finite,
  sources: Schema.Finite
})
/** A merge or a move: what went where, by whom, and how many meetings and names of sources went with it. */
export interface Reversal extends Schema.Schema.Type<typeof Kept> {}

const kept = rowsBy(Kept)

/** There is no merge or move with the id, or it is more than 90 days old. */
export class ReversalNotFound extends Data.TaggedError("ReversalNotFound")<{ readonly id: string }> {}

/** The body that something was merged into, or moved to, was itself merged since: that comes first. */
export class MergedSince extends Data.TaggedError("MergedSince")<{ readonly slug: string }> {}

/** Undoes merges of bodies and moves of meetings, for 90 days. */
export class Reversals extends Context.Service<
  Reversals,
  {
    /** The last 200 that can be undone, or were, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<Reversal>>
    /**
     * Undoes one, in one transaction, and announces its meetings. What was moved elsewhere since stays where it is.
     * Undone already, it changes nothing. Returns how many meetings went back.
     */
    readonly undo: (
      id: string
    ) => Effect.Effect<Reversal & { readonly returned: number }, ReversalNotFound | MergedSince>
  }
>()("civic-record/Reversals") {
  static readonly layer = Layer.effect(
    Reversals,
    Effect.gen(function* () {
      const db = yield* Db

      const columns = db`r.id, r.at, r.operator, r.kind, r.from_slug, r.into_slug, r.undone_at,
        (select count(*)::int from reversal_meeting m where m.reversal_id = r.id) as meetings,
        (select count(*)::int from reversal_source s where s.reversal_id = r.id) as sources`

      /** Puts the body back under its own id, with its slugs and addresses. */
      const restoreBody = Effect.fnUntraced(function* (id: string) {
        const now = db`(select body from reversal where id = ${id})`
        yield* db`delete from retired_slug where slug = (${now} ->> 'slug') and body_id = (${now} ->> 'into')::int`
        yield* db`
          insert into body (id, slug, segment, name, kind, website, content_hash) overriding system value
          select kept.id, kept.slug, kept.segment, kept.name, kept.kind, kept.website, kept.content_hash
          from jsonb_to_record(${now}) as kept
            (id int, slug text, segment text, name text, kind text, website text, content_hash text)`
        yield* db`
          update body_address a set body_id = (${now} ->> 'id')::int
          from jsonb_to_recordset(${now} -> 'addresses') as kept (place int, segment text)
          where a.place_id = kept.place and a.segment = kept.segment and a.body_id = (${now} ->> 'into')::int`
        yield* db`
          insert into body_place (body_id, place_id, position)
          select (${now} ->> 'id')::int, p.id, kept.position - 1
          from jsonb_array_elements_text(${now} -> 'places') with ordinality kept (place, position)
          join place p on p.id = kept.place::int`
        yield* db`
          update retired_slug set body_id = (${now} ->> 'id')::int
          where slug in (select jsonb_array_elements_text(${now} -> 'retired')) and body_id = (${now} ->> 'into')::int`
        yield* db`
          update discovered set same_as = (${now} ->> 'id')::int
          where id in (select jsonb_array_elements_text(${now} -> 'same_as')::uuid)`
        yield* db`
          insert into followed_body (account_id, body_id)
          select account_id, (${now} ->> 'id')::int from reversal_follower where reversal_id = ${id}
          on conflict do nothing`
        yield* db`
          delete from followed_body f using reversal_follower r
          where r.reversal_id = ${id} and not r.both_followed and f.account_id = r.account_id
            and f.body_id = (${now} ->> 'into')::int`
      })

      const undone = Effect.fnUntraced(function* (ref: string) {
        const id = idOf(ref)
        yield* db`select from reversal where id = ${id} for update`
        const [found] = yield* kept(db`select ${columns} from reversal r where r.id = ${id}`)
        if (found === undefined) return yield* new ReversalNotFound({ id: ref })
        if (found.undone_at !== null) return { ...found, returned: 0 }
        const gone = yield* db`
          select from reversal_meeting m where m.reversal_id = ${id}
            and not exists (select from body b where b.id = m.into_body)
          union all
          select from reversal r where r.id = ${id}
            and r.body is not null and not exists (select from body b where b.id = (r.body ->> 'into')::int) limit 1`
        if (gone.length > 0) return yield* new MergedSince({ slug: found.into_slug })
        if (found.kind === "merge") yield* restoreBody(found.id)
        const [moved] = yield* db<{ meetings: number }>`
          with moved as (
            update meeting m set body_id = r.from_body from reversal_meeting r
            where r.reversal_id = ${id} and m.id = r.meeting_id and m.body_id = r.into_body
              and exists (select from body b where b.id = r.from_body)
            returning m.id, m.body_id),
          searched as (
            update meeting_search s set body_id = moved.body_id from moved where s.meeting_id = moved.id),
          stale as (
            insert into stale_meeting (meeting_id, briefing)
            select id, false from moved order by id on conflict do nothing)
          select count(*)::int as meetings from moved`
        yield* db`
          update source_body s set body_id = r.from_body from reversal_source r
          where r.reversal_id = ${id} and s.source_id = r.source_id and s.source_body = r.source_body
            and s.body_id = r.into_body and (r.from_body is null or exists (select from body b where b.id = r.from_body))`
        const at = DateTime.formatIso(yield* DateTime.now)
        yield* db`update reversal set undone_at = ${at} where id = ${id}`
        const returned = moved?.meetings ?? 0
        const { kind, from_slug, into_slug } = found
        yield* recordAction(db, `${kind}.undo`, from_slug, { into: into_slug, meetings: returned })
        return { ...found, returned }
      })

      return {
        list: dbDies(kept(db`select ${columns} from reversal r order by r.id desc limit 200`)),
        undo: Effect.fn("Reversals.undo")(function* (id: string) {
          const result = yield* db.withTransaction(undone(id))
          yield* Effect.provideService(announceStale, Db, db)
          return result
        }, dbDies)
      }
    })
  )
}
