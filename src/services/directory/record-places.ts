import { Effect } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import type { GeoSuggestions } from "../../../schema/geo.ts"
import type { PlaceKind } from "../../../schema/place.ts"
import { normalizeName } from "../../geocoder/names.ts"
import type { PlaceRow } from "../meetings/refs.ts"
import { namesAtEnd, type PlaceText } from "./place-text.ts"

/** A place on record, with its coordinates if the record has them; degrees, WGS 84. */
export interface RecordPlace extends PlaceRow {
  readonly latitude: number | null
  readonly longitude: number | null
}

type Suggestion = GeoSuggestions["suggestions"][number]

/** How similar a misspelled name must be to be suggested: pg_trgm's similarity, from 0 to 1. */
const leastSimilarity = 0.5

/** `plain` holds a name's words as `PlaceText` has them. */
const columns = (db: ReadSql) => db`p.slug, p.name, p.kind, p.state, p.county, p.latitude, p.longitude`

const inStateOf = (db: ReadSql, { inState }: PlaceText) =>
  inState === undefined ? db`true` : db`p.state = ${inState.state}`

/** The place of a kind that has this name, however it is spelled. */
export const placeNamed = Effect.fnUntraced(function* (db: ReadSql, kind: PlaceKind, name: string, state: string) {
  const [row] = yield* db<RecordPlace>`
    select ${columns(db)} from place p
    where p.kind = ${kind} and p.state = ${state} and fold(p.name) = fold(${name}) order by p.slug limit 1`
  return row
})

/** The place on record that an address ends with, and whether anything precedes its name. */
export const placeAtEnd = Effect.fnUntraced(function* (db: ReadSql, text: PlaceText) {
  const [row] = yield* db<RecordPlace & { name_in_text: string }>`
    select ${columns(db)}, p.plain as name_in_text from place p
    where p.plain = any(${namesAtEnd(text)}::text[]) and ${inStateOf(db, text)}
    order by length(p.name) desc, p.kind = 'city' desc, p.slug limit 1`
  if (row === undefined) return undefined
  const words = (text.inState?.words ?? text.words).length
  return { place: row, isAddress: words > row.name_in_text.split(" ").length }
})

/** The id of a suggested place; the gazetteer uses the same ids. */
const placeId = ({ kind, state, name }: PlaceRow): string =>
  `${kind}:${state}:${normalizeName(name).replaceAll(" ", "-")}`

/**
 * The places on record that a text may mean while it is being typed, best first and at most `limit`: the place of an
 * address, one whose name or ZIP code begins like it, or one whose name is like it.
 */
export const suggestOnRecord = Effect.fnUntraced(function* (
  db: ReadSql,
  text: PlaceText,
  typed: string,
  limit: number
) {
  const name = (text.inState?.words ?? text.words).join(" ")
  const digits = /^\d{2,5}$/.exec(typed.trim())?.[0] ?? null
  const rows = yield* db<RecordPlace>`
    select * from (
      select ${columns(db)}, p.plain from place p where ${inStateOf(db, text)}
        and (${digits}::text is null or exists (select from unnest(p.zips) zip where starts_with(zip, ${digits})))
    ) p
    where ${digits}::text is not null or ${name} <> '' and (
      starts_with(plain, ${name}) or plain = any(${namesAtEnd(text)}::text[])
      or similarity(plain, ${name}) >= ${leastSimilarity})
    order by plain = ${name} desc, starts_with(plain, ${name}) desc, kind = 'city' desc, similarity(plain, ${name}) desc, slug
    limit ${limit}`
  return rows.map((row): Suggestion => ({ place_id: placeId(row), label: `${row.name}, ${row.state}`, kind: row.kind }))
})

/** The place on record behind a suggestion's id; for a ZIP code, its city rather than its county. */
export const resolveOnRecord = Effect.fnUntraced(function* (db: ReadSql, id: string) {
  const [, zip] = /^zip:(\d{5})$/.exec(id) ?? []
  if (zip !== undefined) {
    const [row] = yield* db<RecordPlace>`
      select ${columns(db)} from place p where p.zips @> array[${zip}]::text[]
      order by p.kind = 'city' desc, p.slug limit 1`
    return row === undefined ? undefined : { ...row, zip }
  }
  const [, kind, state] = /^(city|county):([A-Z]{2}):/.exec(id) ?? []
  if (kind === undefined || state === undefined) return undefined
  const rows = yield* db<RecordPlace>`
    select ${columns(db)} from place p where p.kind = ${kind} and p.state = ${state} order by p.slug`
  const found = rows.find((row) => placeId(row) === id)
  return found === undefined ? undefined : { ...found, zip: undefined }
})
