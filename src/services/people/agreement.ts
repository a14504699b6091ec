import { Effect } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { personRef } from "../meetings/refs.ts"

/** The latest divided votes that are compared: those of about one term. */
const lastCompared = 300

/** Those with whom a person's votes are compared, at most. */
const mostCompared = 60

/**
 * How often a person, of whom these are all rows, and each of their colleagues voted alike in the latest divided
 * votes, who agreed most often first. Some twelve thousand ballots are counted here: PostgreSQL takes far longer.
 */
export const agreementOf = Effect.fnUntraced(function* (db: ReadSql, id: number, ids: ReadonlyArray<number>) {
  /** Who voted so, in a vote that an earlier build wrote. */
  const ballotsFor = (side: "yes" | "no") => db`array(
    select b.person_id from ballot b where b.vote_id = v.id and b.option = ${side} and b.person_id is not null)`
  // Without the offset, each vote on record would be read to find these.
  const votes = yield* db<{ isYes: boolean; yes: ReadonlyArray<number>; no: ReadonlyArray<number> }>`
    select mine.option = 'yes' as "isYes", beside.yes, beside.no from (
      select vote_id, option from ballot
      where person_id = any(${ids}::int[]) and is_divided and option in ('yes', 'no')
      order by date desc limit ${lastCompared}) mine
    cross join lateral (
      select coalesce(v.voted_yes, ${ballotsFor("yes")}) as yes, coalesce(v.voted_no, ${ballotsFor("no")}) as no
      from vote v where v.id = mine.vote_id offset 0) beside`
  const [agreed, differed] = [new Map<number, number>(), new Map<number, number>()]
  const count = (counts: Map<number, number>, voters: ReadonlyArray<number>) => {
    for (const voter of voters) counts.set(voter, (counts.get(voter) ?? 0) + 1)
  }
  for (const { isYes, yes, no } of votes) {
    count(isYes ? agreed : differed, yes)
    count(isYes ? differed : agreed, no)
  }
  const voters = [...new Set([...agreed.keys(), ...differed.keys()])]
  const people = yield* db<{ rows: ReadonlyArray<number>; slug: string; name: string }>`
    select array_agg(o.id) as rows, p.slug, p.name from person o join person p on p.id = coalesce(o.merged_into, o.id)
    where o.id = any(${voters}::int[]) and p.id <> ${id} group by p.id order by p.name, p.id`
  const sum = (counts: Map<number, number>, rows: ReadonlyArray<number>) =>
    rows.reduce((all, row) => all + (counts.get(row) ?? 0), 0)
  return people
    .map(({ rows, slug, name }) => ({
      person: personRef({ slug, name }),
      agree: sum(agreed, rows),
      differ: sum(differed, rows)
    }))
    .toSorted((one, other) => other.agree + other.differ - (one.agree + one.differ))
    .slice(0, mostCompared)
    .toSorted(
      (one, other) =>
        other.agree / (other.agree + other.differ) - one.agree / (one.agree + one.differ) || other.agree - one.agree
    )
})
