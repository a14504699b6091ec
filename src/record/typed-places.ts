import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Db, dbDies } from "../../layers/db/db.ts"
import { placeTyped } from "../geocoder/geocoder.ts"
import { PlaceUnclear, type TypedPlace, TypedPlaces } from "../services/sources/typed-places.ts"
import { slugify } from "./slug.ts"
import { writeBatch } from "./write/batch.ts"
import { unchanged } from "./write/outcome.ts"

/** The most places of one name that are told apart, and of those that may be meant. */
const mostOfName = 10
const mostNear = 5

/** Places on record and in the gazetteer, by what people type. */
export const TypedPlacesLive = Layer.effect(
  TypedPlaces,
  Effect.gen(function* () {
    const db = yield* Db

    const known = (condition: Statement.Fragment) =>
      db<TypedPlace>`
        select id, slug, name, kind, state, county from place where ${condition} order by id limit ${mostOfName}`

    /** The places on record that are a place of the gazetteer; if there is none, itself with a slug that is free. */
    const placed = Effect.fnUntraced(function* (place: Pick<TypedPlace, "name" | "kind" | "state" | "county">) {
      const { name, kind, state } = place
      const own = yield* known(db`fold(name) = fold(${name}) and state = ${state} and kind = ${kind}`)
      if (own.length > 0) return own
      const slug = slugify(name)
      const taken = yield* known(db`slug = ${slug}`)
      return [{ ...place, id: 0, slug: taken.length === 0 ? slug : `${slug}-${state.toLowerCase()}` }]
    })

    const meant = Effect.fn("TypedPlaces.meant")(function* (typed: string) {
      const [own] = yield* known(db`slug = ${typed.trim().toLowerCase()}`)
      if (own !== undefined) return own
      const { name, state = null, found, near } = yield* placeTyped(typed)
      const called =
        found === undefined
          ? yield* known(db`fold(name) = fold(${name}) and state = coalesce(${state}::text, state)`)
          : yield* placed({ ...found, name, county: found.county ?? null })
      const [only] = called
      if (only !== undefined && called.length === 1) return only
      const slugs = called.map(({ slug }) => slug)
      return yield* new PlaceUnclear({ typed, near: slugs.length > 0 ? slugs : near.slice(0, mostNear) })
    }, dbDies)

    const onRecord = Effect.fn("TypedPlaces.onRecord")(function* (place: TypedPlace) {
      if (place.id !== 0) return { slug: place.slug, isNew: false }
      // It may have come on record since, or its slug was given away.
      const { id, slug, name, kind, state, county } = (yield* placed(place))[0] ?? place
      if (id !== 0) return { slug, isNew: false }
      const written = { type: "place" as const, slug, name, kind, state, ...(county === null ? {} : { county }) }
      yield* Effect.provideService(
        writeBatch([written], () => Effect.succeed(unchanged)),
        Db,
        db
      )
      return { slug, isNew: true }
    }, dbDies)

    return { meant, onRecord }
  })
)
