import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type NotFound, placeNotFound } from "../failures.ts"
import { recordAction } from "../history.ts"

/** A place is still served by bodies, or sources of it bring meetings of bodies elsewhere. */
export class PlaceInUse extends Data.TaggedError("PlaceInUse")<{
  readonly slug: string
  readonly bodies: ReadonlyArray<string>
  readonly sources: number
}> {}

/** Takes a place off the record that nothing is at any more, such as one that was put there by a mistyped name. */
export class PlaceRemoval extends Context.Service<
  PlaceRemoval,
  { readonly remove: (slug: string) => Effect.Effect<void, NotFound | PlaceInUse> }
>()("civic-record/PlaceRemoval") {
  static readonly layer = Layer.effect(
    PlaceRemoval,
    Effect.gen(function* () {
      const db = yield* Db

      const remove = Effect.fn("PlaceRemoval.remove")(
        function* (slug: string) {
          const [place] = yield* db<{ id: number }>`select id from place where slug = ${slug} for update`
          if (place === undefined) return yield* placeNotFound(slug)
          const bodies = yield* db<{ slug: string }>`
            select b.slug from body b join body_place bp on bp.body_id = b.id
            where bp.place_id = ${place.id} order by b.slug`
          const sources = yield* db`
            select from source s where s.place_id = ${place.id}
              and exists (select from source_body sb where sb.source_id = s.id and sb.body_id is not null)`
          if (bodies.length + sources.length > 0) {
            return yield* new PlaceInUse({ slug, bodies: bodies.map((body) => body.slug), sources: sources.length })
          }
          yield* db`delete from source where place_id = ${place.id}`
          yield* db`delete from place where id = ${place.id}`
          yield* recordAction(db, "place.remove", slug)
        },
        (removed) => dbDies(db.withTransaction(removed))
      )

      return { remove }
    })
  )
}
