import type { BundleEntity } from "../../schema/bundle.ts"

/** The facts about a line that determine its place in the order of writes. */
export interface Line {
  readonly entity: BundleEntity
}

/** Lines written in one transaction, in order. */
export interface Part<L> {
  readonly lines: ReadonlyArray<L>
  /**
   * Keys that no other transaction may write concurrently: its meetings, and the ids in them that no two meetings may
   * share. Missing if it must be written alone.
   */
  readonly claims: ReadonlySet<string> | undefined
}

const isDirectory = ({ entity }: Line): boolean => entity.type === "place" || entity.type === "agency"

/** Whether a line is about people, matters or votes, which may name anything on record, and one another. */
const isOfDecisions = ({ entity }: Line): boolean =>
  entity.type === "person" || entity.type === "membership" || entity.type === "matter" || entity.type === "vote"

/** The meeting that a line belongs to; two whose short ids might collide count as one. */
export const meetingKey = (entity: BundleEntity): string | undefined => {
  const id = entity.type === "meeting" ? entity.id : "meeting_id" in entity ? entity.meeting_id : undefined
  return id?.slice(0, 8).toLowerCase()
}

/** The ids in an entity that no two meetings may share. Which of two meetings keeps one depends on their order. */
const ownIds = (entity: BundleEntity): ReadonlyArray<string> => {
  if (entity.type === "clip" || entity.type === "document") return [entity.id]
  return entity.type === "claims" ? entity.claims.map(({ id }) => id) : []
}

/** Whether every place and body that a line names comes before it; a line that refers forward would be refused. */
const comesFirst = (lines: ReadonlyArray<Line>): boolean => {
  const named = new Set<string>()
  for (const { entity } of lines) {
    if (entity.type === "meeting") named.add(`agency ${entity.agency}`)
    if (entity.type === "agency") {
      if ([entity.slug, ...(entity.retired_slugs ?? [])].some((slug) => named.has(`agency ${slug}`))) return false
      for (const slug of entity.places) named.add(`place ${slug}`)
    }
    if (entity.type === "place" && named.has(`place ${entity.slug}`)) return false
  }
  return true
}

const claimsOf = (lines: ReadonlyArray<Line>): ReadonlySet<string> =>
  new Set(lines.flatMap(({ entity }) => [meetingKey(entity) ?? "", ...ownIds(entity)]))

/** One transaction for all of these lines, written alone. */
export const inOrder = <L extends Line>(lines: ReadonlyArray<L>): Part<L> => ({ lines, claims: undefined })

/**
 * Divides lines into transactions that several writers can put on record with the outcome of a single writer. Meetings
 * may name any place or body, so the directory comes first, alone; removals and forward references are written alone,
 * in line order.
 */
export const partsOf = <L extends Line>(lines: ReadonlyArray<L>): ReadonlyArray<Part<L>> => {
  const directory = lines.filter(isDirectory)
  const others = lines.filter((line) => !isDirectory(line))
  if (directory.length > 0 && (others.length === 0 || !comesFirst(lines))) return [inOrder(lines)]
  const claims = lines.some((line) => line.entity.type === "removed" || isOfDecisions(line))
    ? undefined
    : claimsOf(others)
  return [...(directory.length > 0 ? [inOrder(directory)] : []), { lines: others, claims }]
}

/** Whether the later of two parts has to wait until the earlier one is on record. */
export const mustWait = <L>(later: Part<L>, earlier: Part<L>): boolean =>
  later.claims === undefined || [...later.claims].some((claim) => earlier.claims?.has(claim) !== false)
