import type { BundleEntity } from "../../schema/bundle.ts"

/** What a writer needs to know of a line to give it its place. */
export interface Line {
  readonly entity: BundleEntity
}

/** Lines that are written in one transaction, in their order. */
export interface Part<L> {
  readonly lines: ReadonlyArray<L>
  /**
   * What no other transaction may write at the same time: its meetings, and the ids in them that no two meetings may share.
   * Missing where it is written while nothing else is.
   */
  readonly claims: ReadonlySet<string> | undefined
}

const isDirectory = ({ entity }: Line): boolean => entity.type === "place" || entity.type === "agency"

/** The meeting that a line belongs to; two whose short ids could be the same count as one. */
export const meetingKey = (entity: BundleEntity): string | undefined => {
  const id = entity.type === "meeting" ? entity.id : "meeting_id" in entity ? entity.meeting_id : undefined
  return id?.slice(0, 8).toLowerCase()
}

/** The ids in an entity that no two meetings may share. Which of two meetings keeps one depends on their order. */
const ownIds = (entity: BundleEntity): ReadonlyArray<string> => {
  if (entity.type === "clip") return [entity.id]
  return entity.type === "claims" ? entity.claims.map(({ id }) => id) : []
}

/** Whether no line names a place or body that only a later line brings: it would have to be refused. */
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

/** One transaction for all of these lines, while nothing else is written. */
export const inOrder = <L extends Line>(lines: ReadonlyArray<L>): Part<L> => ({ lines, claims: undefined })

/**
 * The transactions in which several writers put these lines on record with the outcome that one writer would have. Meetings
 * may name any place or body, so the directory comes first, by itself; what removes something, or names what only a later
 * line brings, is written in the order of its lines, by itself too.
 */
export const partsOf = <L extends Line>(lines: ReadonlyArray<L>): ReadonlyArray<Part<L>> => {
  const directory = lines.filter(isDirectory)
  const others = lines.filter((line) => !isDirectory(line))
  if (directory.length > 0 && (others.length === 0 || !comesFirst(lines))) return [inOrder(lines)]
  const claims = lines.some(({ entity }) => entity.type === "removed") ? undefined : claimsOf(others)
  return [...(directory.length > 0 ? [inOrder(directory)] : []), { lines: others, claims }]
}

/** Whether the later of two parts has to wait until the earlier one is on record. */
export const mustWait = <L>(later: Part<L>, earlier: Part<L>): boolean =>
  later.claims === undefined || [...later.claims].some((claim) => earlier.claims?.has(claim) !== false)
