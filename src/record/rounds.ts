import type { BundleEntity } from "../../schema/bundle.ts"

/** What a writer needs to know of a line to give it its place. */
export interface Line {
  readonly entity: BundleEntity
  /** About how many characters it has. */
  readonly size: number
}

/** Lines that are written in one transaction, in their order. */
type Part<L> = ReadonlyArray<L>

const isDirectory = ({ entity }: Line): boolean => entity.type === "place" || entity.type === "agency"

/** The ids in an entity that no two meetings may share. Which of two meetings keeps one depends on their order. */
const ownIds = (entity: BundleEntity): ReadonlyArray<string> => {
  if (entity.type === "clip") return [entity.id]
  return entity.type === "claims" ? entity.claims.map(({ id }) => id) : []
}

/** What lines must share to be written in order: a meeting; two meetings whose short ids could be the same count as one. */
const keyOf = (entity: BundleEntity): string => {
  const id = entity.type === "meeting" ? entity.id : "meeting_id" in entity ? entity.meeting_id : ""
  return id.slice(0, 8).toLowerCase()
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

/** Whether two meetings claim one id. */
const isContested = (lines: ReadonlyArray<Line>): boolean => {
  const owners = new Map<string, string>()
  for (const { entity } of lines) {
    const key = keyOf(entity)
    for (const id of ownIds(entity)) {
      if ((owners.get(id) ?? key) !== key) return true
      owners.set(id, key)
    }
  }
  return false
}

/** Parts lines into at most so many of about the same size, each with all lines of its meetings, in their order. */
const byMeeting = <L extends Line>(lines: ReadonlyArray<L>, most: number): ReadonlyArray<Part<L>> => {
  const sizes = new Map<string, number>()
  for (const { entity, size } of lines) sizes.set(keyOf(entity), (sizes.get(keyOf(entity)) ?? 0) + size)
  const parts = Array.from({ length: most }, () => ({ size: 0, keys: new Set<string>() }))
  for (const [key, size] of [...sizes].toSorted(([, a], [, b]) => b - a)) {
    const smallest = parts.reduce((least, part) => (part.size < least.size ? part : least))
    smallest.size += size
    smallest.keys.add(key)
  }
  return parts
    .map(({ keys }) => lines.filter(({ entity }) => keys.has(keyOf(entity))))
    .filter((part) => part.length > 0)
}

/**
 * How several writers put these lines on record with the outcome that one writer would have: the steps one after another,
 * the parts of a step side by side. The directory comes first, because all meetings may name it. Where the order of lines of
 * different meetings matters, which good sources have no reason for, everything is one part.
 */
export const stepsOf = <L extends Line>(
  lines: ReadonlyArray<L>,
  writers: number
): ReadonlyArray<ReadonlyArray<Part<L>>> => {
  const isOrdered = lines.some(({ entity }) => entity.type === "removed") || isContested(lines) || !comesFirst(lines)
  if (writers === 1 || isOrdered) return [[lines]]
  const directory = lines.filter(isDirectory)
  const others = lines.filter((line) => !isDirectory(line))
  return [...(directory.length > 0 ? [[directory]] : []), byMeeting(others, writers)]
}
