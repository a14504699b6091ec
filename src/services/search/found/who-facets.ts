import { Effect, Schema } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { type FacetValue, mostInAskedFacet } from "../../../../schema/browse.ts"
import type { AskedFacet } from "../../../../schema/browse-query.ts"
import { mattersWithSlugs, peopleWithSlugs, takenUp } from "../query/who-and-what.ts"

const rows = rowsBy(Schema.Struct({ value: Schema.String, label: Schema.String, count: Schema.Finite }))

/**
 * People, matters and results with the number of meetings that have them, of `fit`, a select of the matching meetings'
 * ids. They are counted by PostgreSQL for index and SQL alike, and only if asked for: a record has too many to count
 * with every search. The most first, and the chosen ones whatever their counts.
 */
const counted: {
  readonly [Name in AskedFacet]: (
    db: ReadSql,
    fit: Statement.Fragment,
    chosen: ReadonlyArray<string>
  ) => Statement.Statement<unknown>
} = {
  person: (db, fit, chosen) => db`
    with fit as materialized (${fit}),
    met as (
      select distinct v.meeting_id, coalesce(o.merged_into, o.id) as id
      from fit join vote v on v.meeting_id = fit.id join ballot t on t.vote_id = v.id join person o on o.id = t.person_id),
    numbered as (
      select p.id, count(*)::int as count, row_number() over (order by count(*) desc, p.name, p.id) as turn
      from met join person p on p.id = met.id group by p.id)
    select p.slug as value, p.name as label, coalesce(n.count, 0) as count
    from person p left join numbered n on n.id = p.id
    where p.merged_into is null and (n.turn <= ${mostInAskedFacet} or p.id in (${peopleWithSlugs(db, chosen)}))
    order by n.turn, p.name, p.id`,
  matter: (db, fit, chosen) => db`
    with fit as materialized (${fit}),
    met as (
      select distinct meeting_id, matter_id
      from (${takenUp(db, (meeting) => db`${meeting} in (select id from fit)`)}) taken),
    numbered as (
      select matter_id, count(*)::int as count, row_number() over (order by count(*) desc, matter_id desc) as turn
      from met group by matter_id)
    select x.slug as value, x.identifier || ': ' || x.title as label, coalesce(n.count, 0) as count
    from matter x left join numbered n on n.matter_id = x.id
    where n.turn <= ${mostInAskedFacet} or x.id in (${mattersWithSlugs(db, chosen)}) order by n.turn, x.id desc`,
  vote: (db, fit, chosen) => db`
    with fit as materialized (${fit}),
    met as (
      select v.result, count(distinct v.meeting_id)::int as count
      from fit join vote v on v.meeting_id = fit.id where v.kind = 'vote' group by v.result)
    select known.value, known.label, coalesce(met.count, 0) as count
    from (values ('pass', 'passed', 'Passed'), ('fail', 'failed', 'Failed')) known (result, value, label)
    left join met on met.result = known.result
    where met.count > 0 or known.value = any(${chosen}::text[]) order by known.value desc`
}

/** One of these facets. A value that is chosen stays listed at 0. */
export const askedFacet = (
  db: ReadSql,
  name: AskedFacet,
  fit: Statement.Fragment,
  chosen: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<FacetValue>, SqlError.SqlError> =>
  rows(counted[name](db, fit, chosen)).pipe(Effect.withSpan("Browse.askedFacet"))
