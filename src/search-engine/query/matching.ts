import {
  type DocumentSet,
  intersect,
  lowerBound,
  noDocuments,
  subtract,
  unite,
  within
} from "../format/document-set.ts"
import type { Part } from "../format/part.ts"
import { bytesOfUuid, type Segment } from "../format/segment.ts"
import type { Conjunction, IndexQuery } from "../types.ts"
import { ofBodies } from "./bodies-and-years.ts"
import { holdingAll, holdingPhrase } from "./phrases.ts"

const meetings = (segment: Segment, ids: ReadonlyArray<Uint8Array>): DocumentSet => ({
  list: Uint32Array.from(new Set(ids.map((id) => segment.find(id)).filter((document) => document >= 0))).sort()
})

type Lists = ReadonlyArray<ReadonlyArray<Uint8Array>>

/** A conjunction with its ids as bytes, which every part looks up. */
interface Asked extends Omit<Conjunction, "ids" | "notIds"> {
  readonly ids: Lists
  readonly notIds: Lists
}

/** The cheap parts come first, so that phrases are looked for in few documents. */
const fitsConjunction = ({ segment, living }: Part, asked: Asked): DocumentSet => {
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
  } = asked
  const without = (from: DocumentSet, away: DocumentSet) => subtract(from, away, segment.documents)
  let set: DocumentSet = { bits: living }
  if (lexemes !== undefined) set = intersect(set, holdingAll(segment, lexemes))
  set = marks.reduce((among, mark) => holdingAll(segment, [mark], among), set)
  if (fromDay !== undefined || beforeDay !== undefined) {
    const from = fromDay === undefined ? 0 : lowerBound(segment.days, fromDay, 0)
    const to = beforeDay === undefined ? segment.documents : lowerBound(segment.days, beforeDay, 0)
    set = within(set, [{ from, to }])
  }
  set = ids.reduce((among, list) => intersect(among, meetings(segment, list)), set)
  set = notIds.reduce((among, list) => without(among, meetings(segment, list)), set)
  set = notWords.reduce((among, word) => without(among, holdingAll(segment, word)), set)
  if (bodies !== undefined) set = ofBodies(segment, set, bodies)
  set = phrases.reduce((among, phrase) => intersect(among, holdingPhrase(segment, phrase, among)), set)
  return notPhrases.reduce((among, phrase) => without(among, holdingPhrase(segment, phrase, among)), set)
}

/** The living documents of each part that fit the query. A part of which every living document fits has its own bitset. */
export const fitting = (parts: ReadonlyArray<Part>, query: IndexQuery): ReadonlyArray<DocumentSet> => {
  const inBytes = (lists: ReadonlyArray<ReadonlyArray<string>> = []): Lists =>
    lists.map((list) => list.map(bytesOfUuid))
  const [first, ...others] = query.either.map(
    (asked): Asked => ({ ...asked, ids: inBytes(asked.ids), notIds: inBytes(asked.notIds) })
  )
  if (first === undefined) return parts.map(() => noDocuments)
  return parts.map((part) =>
    others.reduce(
      (either, asked) => unite(either, fitsConjunction(part, asked), part.segment.documents),
      fitsConjunction(part, first)
    )
  )
}
