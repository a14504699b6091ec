import { Array as Arr, Context, Duration, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { EmbeddingModel, textsAtOnce } from "../../../../layers/cloud-model/embedding-model.ts"
import type { CloudModelUnavailable } from "../../../../layers/cloud-model/failure.ts"
import { Db } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { addCell, bytesOf, cellsOf, nearest, splitCells } from "./cells.ts"
import { digestOf, type MeantText, textsOf } from "./texts.ts"
import { packed, sketchOf, unpacked, type Vector } from "./vectors.ts"

/** Meetings that are made at a time. */
const mostAtOnce = 8

/** Minutes for which a meeting is held: one whose process was killed is made by another after that. */
const heldFor = 5

/** How long the cells may be remembered; a vector in another than the nearest is found a little less often. */
const cellsFor = Duration.minutes(1)

/** A text that no model declines. */
const harmless = "A meeting of the city council"

const knownRows = rowsBy(Schema.Struct({ digest: Schema.String, vector: Schema.Uint8Array }))

/** Keeps the vectors of what meetings are about, for searches by meaning. */
export class Embeddings extends Context.Service<
  Embeddings,
  {
    /**
     * Makes the vectors of a few meetings that have none of this model, or of whose texts some have changed, the last
     * changed first, and deletes those of texts that are gone. Only new texts are sent. Returns how many meetings; 0 if
     * there is nothing to do, or no model.
     */
    readonly next: Effect.Effect<number, SqlError.SqlError | CloudModelUnavailable>
  }
>()("civic-record/Embeddings") {
  static readonly layer = Layer.effect(
    Embeddings,
    Effect.gen(function* () {
      const db = yield* Db
      const model = yield* EmbeddingModel
      if (model === undefined) return { next: Effect.succeed(0) }
      const { place, embed } = model
      const [cells, forget] = yield* Effect.cachedInvalidateWithTTL(cellsOf(db, place), cellsFor)
      /** Everything changed before this is done, so that the whole record is looked through once. */
      let since = "-infinity"

      const due = db<{ id: MeetingId }>`
        insert into embedded_meeting as e (meeting_id, held_until)
        select m.id, now() + ${heldFor}::int * interval '1 minute' from meeting m
        left join embedded_meeting d on d.meeting_id = m.id
        where m.status = 'held' and m.updated_at >= ${since}::timestamptz
          and (d.meeting_id is null or d.model is distinct from ${place} or d.made_of is distinct from m.updated_at)
          and (d.held_until is null or d.held_until < now())
        order by m.updated_at desc, m.id limit ${mostAtOnce}
        on conflict (meeting_id) do update set held_until = excluded.held_until
        where e.held_until is null or e.held_until < now()
        returning meeting_id as id`

      /** The vectors of texts, of those that the model does not decline. */
      const vectorsOf = (
        texts: ReadonlyArray<string>
      ): Effect.Effect<ReadonlyArray<Vector | undefined>, CloudModelUnavailable> =>
        Effect.catchTag(
          Effect.map(embed(texts), (vectors) => vectors.map(packed)),
          "CloudModelUnavailable",
          (failure) => {
            // One of them is declined, or too long for it: which, halves tell.
            if (failure.reason !== "declined" || texts.length === 0) return Effect.fail(failure)
            if (texts.length === 1) return Effect.succeed([undefined])
            const middle = texts.length >> 1
            return Effect.zipWith(vectorsOf(texts.slice(0, middle)), vectorsOf(texts.slice(middle)), (a, b) => [
              ...a,
              ...b
            ])
          }
        )

      /** The vector of each digest, from the record if any of its texts is the same, else from the model. */
      const found = Effect.fnUntraced(function* (texts: ReadonlyMap<string, string>) {
        const known = yield* knownRows(db`
          select distinct on (digest) encode(digest, 'hex') as digest, vector from embedding
          where digest in (select decode(d, 'hex') from unnest(${[...texts.keys()]}::text[]) d)`)
        const vectors = new Map(known.map(({ digest, vector }) => [digest, unpacked(vector)]))
        const fresh = [...texts].filter(([digest]) => !vectors.has(digest))
        let isAnyNew = false
        for (const some of Arr.chunksOf(fresh, textsAtOnce)) {
          const made = yield* vectorsOf(some.map(([, text]) => text))
          for (const [at, [digest]] of some.entries()) {
            const vector = made[at]
            if (vector === undefined) continue
            isAnyNew = true
            vectors.set(digest, vector)
          }
        }
        // Does it decline these, or whatever it is asked, for a wrong name, say?
        if (fresh.length > 0 && !isAnyNew) yield* embed([harmless])
        return vectors
      })

      /** The nearest cell of each vector. */
      const cellFor = Effect.fnUntraced(function* (vector: Vector) {
        const [cell] = nearest(yield* cells, vector, 1)
        if (cell !== undefined) return cell
        yield* Effect.andThen(addCell(db, place, vector), forget)
        return nearest(yield* cells, vector, 1)[0]
      })

      /** Puts the vectors of meetings that have not changed since they were read in the place of those they have. */
      const put = Effect.fnUntraced(function* (
        read: ReadonlyMap<string, string>,
        wanted: ReadonlyArray<MeantText & { readonly digest: string }>,
        vectors: ReadonlyMap<string, Vector>
      ) {
        const same = yield* db<{ id: string }>`
          select m.id::text as id from meeting m
          join unnest(${[...read.keys()]}::uuid[], ${[...read.values()]}::text[]) r (id, updated_at)
            on r.id = m.id and r.updated_at::timestamptz = m.updated_at
          order by m.id for share of m`
        const ids = same.map(({ id }) => id)
        const keyOf = (meeting: string, digest: string, isPublic: boolean) => `${meeting} ${digest} ${isPublic}`
        // Of two equal texts of a meeting the public one counts.
        const rows = new Map(
          wanted
            .filter(({ meeting }) => ids.includes(meeting))
            .toSorted((a, b) => Number(a.isPublic) - Number(b.isPublic))
            .map((text) => [`${text.meeting} ${text.digest}`, text])
        )
        const kept = new Set(
          [...rows.values()].map(({ meeting, digest, isPublic }) => keyOf(meeting, digest, isPublic))
        )
        const there = yield* db<{ meeting: string; digest: string; is_public: boolean }>`
          select meeting_id::text as meeting, encode(digest, 'hex') as digest, is_public from embedding
          where meeting_id = any(${ids}::uuid[])`
        const isThere = new Set(there.map(({ meeting, digest, is_public }) => keyOf(meeting, digest, is_public)))
        const gone = there.filter(({ meeting, digest, is_public }) => !kept.has(keyOf(meeting, digest, is_public)))
        const added = [...rows.values()].flatMap((text) => {
          const vector = vectors.get(text.digest)
          return vector === undefined || isThere.has(keyOf(text.meeting, text.digest, text.isPublic))
            ? []
            : [{ ...text, vector }]
        })
        // Each statement tells caches that answers have changed.
        if (gone.length > 0) {
          yield* db`
            delete from embedding e
            using unnest(${gone.map(({ meeting }) => meeting)}::uuid[], ${gone.map(({ digest }) => digest)}::text[])
              g (meeting_id, digest)
            where e.meeting_id = g.meeting_id and e.digest = decode(g.digest, 'hex')`
        }
        const touched = new Set<number>()
        const lines: Array<object> = []
        for (const { meeting, digest, isPublic, vector } of added) {
          const cell = yield* cellFor(vector)
          if (cell === undefined) continue
          touched.add(cell)
          lines.push({
            ...{ meeting, digest, isPublic, cell },
            vector: bytesOf(vector).toString("hex"),
            sketch: sketchOf(vector)
          })
        }
        if (lines.length > 0) {
          yield* db`
            insert into embedding (meeting_id, digest, is_public, cell, vector, sketch)
            select meeting, decode(digest, 'hex'), "isPublic", cell, decode(vector, 'hex'), sketch::varbit
            from json_to_recordset(${JSON.stringify(lines)}::json)
              as (meeting uuid, digest text, "isPublic" boolean, cell int, vector text, sketch text)`
        }
        yield* db`
          update embedded_meeting e set held_until = null, model = ${place}, made_of = m.updated_at
          from meeting m where m.id = e.meeting_id and e.meeting_id = any(${ids}::uuid[])`
        return touched
      })

      const next = Effect.gen(function* () {
        const [now] = yield* db<{ at: string }>`select (now() - interval '1 hour')::text as at`
        const taken = (yield* due).map(({ id }) => id)
        if (taken.length === 0) {
          const [held] = yield* db`select from embedded_meeting where held_until is not null limit 1`
          if (held === undefined && now !== undefined) since = now.at
          return 0
        }
        const stamped = yield* db<{ id: string; at: string }>`
          select id::text as id, updated_at::text as at from meeting where id = any(${taken}::uuid[])`
        const texts = (yield* textsOf(db, taken)).map((text) => ({ ...text, digest: digestOf(place, text) }))
        const vectors = yield* found(new Map(texts.map(({ digest, text }) => [digest, text])))
        const read = new Map(stamped.map(({ id, at }) => [id, at]))
        const touched = yield* db.withTransaction(put(read, texts, vectors))
        // What changed meanwhile is due again.
        yield* db`update embedded_meeting set held_until = null where meeting_id = any(${taken}::uuid[])`
        if ((yield* splitCells(db, place, [...touched])) > 0) yield* forget
        return taken.length
      })

      return { next: Effect.withSpan(next, "Embeddings.next") }
    })
  )
}
