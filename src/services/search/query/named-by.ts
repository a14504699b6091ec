import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { type BrowsePage, mostNamed } from "../../../../schema/browse.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { Slug } from "../../../../schema/primitives.ts"
import { parseSearchQuery } from "../../../../schema/search-query.ts"
import { matterRef, personPath } from "../../meetings/refs.ts"
import { mattersNamed, mattersWithSlugs, peopleNamed, peopleWithSlugs } from "./who-and-what.ts"

type Named = NonNullable<BrowsePage["named"]>[number]

const personRows = rowsBy(Schema.Struct({ slug: Slug, name: Schema.String, total: Schema.Finite }))
const matterRows = rowsBy(
  Schema.Struct({
    slug: Slug,
    identifier: Schema.String,
    title: Schema.String,
    place: Schema.String,
    total: Schema.Finite
  })
)

const told = {
  person: (db: ReadSql, value: string, isSlug: boolean) =>
    Effect.map(
      personRows(db`
        select p.slug, p.name, count(*) over ()::int as total from person p
        where p.merged_into is null and p.id in (${isSlug ? peopleWithSlugs(db, [value]) : peopleNamed(db, value)})
        order by p.name, p.id limit ${mostNamed}`),
      (rows) => ({
        total: rows[0]?.total ?? 0,
        found: rows.map(({ slug, name }) => ({ slug, label: name, path: personPath(slug) }))
      })
    ),
  matter: (db: ReadSql, value: string, isSlug: boolean) =>
    Effect.map(
      matterRows(db`
        select x.slug, x.identifier, x.title, l.slug as place, count(*) over ()::int as total
        from matter x join place l on l.id = x.place_id
        where x.id in (${isSlug ? mattersWithSlugs(db, [value]) : mattersNamed(db, value)})
        order by x.introduced_on desc nulls last, x.id desc limit ${mostNamed}`),
      (rows) => ({
        total: rows[0]?.total ?? 0,
        found: rows.map(({ slug, ...row }) => ({
          slug,
          label: `${row.identifier}: ${row.title}`,
          path: matterRef({ slug, ...row }).path
        }))
      })
    )
}

/** Who and what a query names, by `person:` and `matter:` among its words and by its filters; undefined if nothing. */
export const namedBy = Effect.fn("Browse.named")(function* (
  db: ReadSql,
  { q = "", person = [], matter = [] }: BrowseQuery
) {
  const scopes = parseSearchQuery(q).either.flatMap((one) => one.scopes)
  const wanted = [
    ...scopes.flatMap(({ name, text }) =>
      name === "person" || name === "matter" ? [{ name, value: text, isSlug: false }] : []
    ),
    ...person.map((value) => ({ name: "person" as const, value, isSlug: true })),
    ...matter.map((value) => ({ name: "matter" as const, value, isSlug: true }))
  ]
  if (wanted.length === 0) return undefined
  return yield* Effect.forEach(wanted, ({ name, value, isSlug }) =>
    Effect.map(told[name](db, value, isSlug), (found): Named => ({ name, value, ...found }))
  )
})
