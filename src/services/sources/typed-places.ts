import { Context, Data, type Effect } from "effect"

/** What was typed is no place that is known, or may be several. `near` can be typed instead. */
export class PlaceUnclear extends Data.TaggedError("PlaceUnclear")<{
  readonly typed: string
  readonly near: ReadonlyArray<string>
}> {}

/** A city or county, on record or not. */
export interface TypedPlace {
  /** 0 if it is not on record. */
  readonly id: number
  /** Its own, or the one that it gets. */
  readonly slug: string
  readonly name: string
  readonly kind: "city" | "county"
  readonly state: string
  readonly county: string | null
}

/** Places as people type them where a form or a command asks for one. */
export class TypedPlaces extends Context.Service<
  TypedPlaces,
  {
    /**
     * The place that is meant: a slug or name on record, or a city or county of the gazetteer with its state, "Emporia,
     * KS". Changes nothing.
     */
    readonly meant: (typed: string) => Effect.Effect<TypedPlace, PlaceUnclear>
    /** Puts a place on record that is not there; returns its slug, and whether it came on record. */
    readonly onRecord: (place: TypedPlace) => Effect.Effect<{ readonly slug: string; readonly isNew: boolean }>
  }
>()("civic-record/TypedPlaces") {}
