import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"
import type { BundleMatter, BundleVote } from "../../../schema/bundle-people.ts"
import { writeMatters } from "./matters.ts"
import type { Hashed } from "./named.ts"
import type { Outcome } from "./outcome.ts"
import { writeVotes } from "./votes.ts"

export type Decision = BundleMatter | BundleVote

export const isDecision = (entity: BundleEntity): entity is Decision =>
  entity.type === "matter" || entity.type === "vote"

const keyOf = (entity: Decision): string => `${entity.type} ${entity.type === "matter" ? entity.slug : entity.id}`

/**
 * The lines of a batch in groups that are written at once: matters and votes that follow one another, of which none
 * replaces another and no vote comes before its matter. Every other line is a group of its own. The numbers are places
 * in the batch.
 */
export const groupsOf = (entities: ReadonlyArray<BundleEntity>): ReadonlyArray<ReadonlyArray<number>> => {
  const groups: Array<Array<number>> = []
  const named = new Set<string>()
  for (const [at, entity] of entities.entries()) {
    const last = groups.at(-1)
    const key = isDecision(entity) ? keyOf(entity).toLowerCase() : undefined
    if (key !== undefined && last !== undefined && named.size > 0 && !named.has(key)) last.push(at)
    else {
      groups.push([at])
      named.clear()
    }
    if (key !== undefined) named.add(key)
    if (entity.type === "vote" && entity.matter !== undefined) named.add(`matter ${entity.matter.toLowerCase()}`)
  }
  return groups
}

/** Writes the matters and then the votes of a group; returns an outcome for each line. */
export const writeDecisions = Effect.fnUntraced(function* (
  db: Sql,
  lines: ReadonlyArray<Hashed<Decision>>,
  now: string
) {
  const matters = lines.flatMap(({ entity, hash }, at) => (entity.type === "matter" ? [{ entity, hash, at }] : []))
  const votes = lines.flatMap(({ entity, hash }, at) => (entity.type === "vote" ? [{ entity, hash, at }] : []))
  const outcomes: Array<Outcome> = []
  for (const [these, written] of [
    [matters, yield* writeMatters(db, matters, now)],
    [votes, yield* writeVotes(db, votes, now)]
  ] as const) {
    for (const [at, outcome] of written.entries()) {
      const place = these[at]?.at
      if (place !== undefined) outcomes[place] = outcome
    }
  }
  return outcomes
})
