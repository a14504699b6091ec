import {
  type DocumentSet,
  difference,
  intersect,
  intersectRanges,
  lowerBound,
  noDocuments,
  union
} from "../format/document-set.ts"
import type { Part } from "../format/part.ts"
import { bytesOfUuid, type Segment } from "../format/segment.ts"
import type { Conjunction, IndexQuery } from "../types.ts"
import { ofBodies } from "./bodies-and-years.ts"
import { documentsWithAll, documentsWithPhrase } from "./phrases.ts"

const documentsOf = (segment: Segment, ids: ReadonlyArray<Uint8Array>): DocumentSet => ({
  list: Uint32Array.from(new Set(ids.map((id) => segment.documentOf(id)).filter((document) => document >= 0))).sort()
})

type Lists = ReadonlyArray<ReadonlyArray<Uint8Array>>

/** A conjunction with its ids as bytes, converted once for all parts. */
interface Prepared extends Omit<Conjunction, "ids" | "notIds"> {
  readonly ids: Lists
  readonly notIds: Lists
}

/** Cheap conditions come first, so that few documents are searched for phrases. */
const matchConjunction = ({ segment, live }: Part, conjunction: Prepared): DocumentSet => {
  const {
    lexemes,
    marks = [],
    phrases = [],
    notWords = [],
    notPhrases = [],
    bodies,
    fromDay,
    beforeDay,
    ids,
    notIds
  } = conjunction
  const without = (from: DocumentSet, excluded: DocumentSet) => difference(from, excluded, segment.documents)
  let set: DocumentSet = { bits: live }
  if (lexemes !== undefined) set = intersect(set, documentsWithAll(segment, lexemes))
  set = marks.reduce((among, mark) => documentsWithAll(segment, [mark], among), set)
  if (fromDay !== undefined || beforeDay !== undefined) {
    const from = fromDay === undefined ? 0 : lowerBound(segment.days, fromDay, 0)
    const to = beforeDay === undefined ? segment.documents : lowerBound(segment.days, beforeDay, 0)
    set = intersectRanges(set, [{ from, to }])
  }
  set = ids.reduce((among, list) => intersect(among, documentsOf(segment, list)), set)
  set = notIds.reduce((among, list) => without(among, documentsOf(segment, list)), set)
  set = notWords.reduce((among, word) => without(among, documentsWithAll(segment, word)), set)
  if (bodies !== undefined) set = ofBodies(segment, set, bodies)
  set = phrases.reduce((among, phrase) => intersect(among, documentsWithPhrase(segment, phrase, among)), set)
  return notPhrases.reduce((among, phrase) => without(among, documentsWithPhrase(segment, phrase, among)), set)
}

/**
 * The live documents of each part that match the query. If all live documents match, the set is the part's own bitset.
 */
export const matchQuery = (parts: ReadonlyArray<Part>, query: IndexQuery): ReadonlyArray<DocumentSet> => {
  const asBytes = (lists: ReadonlyArray<ReadonlyArray<string>> = []): Lists =>
    lists.map((list) => list.map(bytesOfUuid))
  const [first, ...others] = query.either.map(
    (conjunction): Prepared => ({ ...conjunction, ids: asBytes(conjunction.ids), notIds: asBytes(conjunction.notIds) })
  )
  if (first === undefined) return parts.map(() => noDocuments)
  return parts.map((part) =>
    others.reduce(
      (set, conjunction) => union(set, matchConjunction(part, conjunction), part.segment.documents),
      matchConjunction(part, first)
    )
  )
}
