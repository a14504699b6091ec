import type { Segment } from "../../../schema/transcript.ts"
import { type Part, placesOf, type Removal } from "./redact.ts"
import { type Kept, type Place, saidIn, type Taken, takenFrom, wordsOf } from "./taken.ts"
import { tokensOf } from "./tokens.ts"

/** Whether the rules took words out, a person put them back, or a person took them out. */
export type RemovalState = "removed" | "restored" | "added"

/** A removal on record; its words are missing once they are no longer kept. */
export interface Held extends Omit<Taken, "kept"> {
  readonly id: string
  readonly state: RemovalState
  readonly kept?: Kept | undefined
}

/** A removal of a transcript that was made again, with the one on record that it was before. */
export interface Judged extends Taken {
  readonly state: RemovalState
  readonly was?: Held | undefined
}

/** How far a line may move when it is recognized again, in seconds. */
const moves = 30

const keyOf = (text: string): string =>
  tokensOf(text, 0)
    .map(({ word }) => word)
    .join(" ")

const overlaps = (one: Part, other: Part): boolean => one.from < other.to && other.from < one.to
const isAtOnce = (one: Pick<Taken, "start" | "end">, other: Pick<Taken, "start" | "end">): boolean =>
  one.start <= other.end && other.start <= one.end
const isNear = (one: Pick<Taken, "start">, other: Pick<Taken, "start">) => Math.abs(one.start - other.start) <= moves

/** Whether at least half of the words are the same: one address, recognized differently. */
const isLike = (one: string, other: string): boolean => {
  const [a, b] = [new Set(one.split(" ")), new Set(other.split(" "))]
  return [...a].filter((word) => b.has(word)).length * 2 >= Math.max(a.size, b.size)
}

/** Each removal that was found with the one on record that it is: by its words, or by most of them at the same time. */
const matched = (found: ReadonlyArray<Taken>, held: ReadonlyArray<Held>): ReadonlyMap<Taken, Held> => {
  const matches = new Map<Taken, Held>()
  const free = new Set(held)
  const match = (isSame: (taken: Taken, held: Held) => boolean) => {
    for (const taken of found) {
      if (matches.has(taken)) continue
      const same = [...free].find((one) => isSame(taken, one))
      if (same === undefined) continue
      matches.set(taken, same)
      free.delete(same)
    }
  }
  const key = ({ kept }: Pick<Held, "kept">) => (kept === undefined ? "" : keyOf(wordsOf(kept)))
  match((taken, one) => isNear(taken, one) && key(taken) === key(one))
  match((taken, one) => isAtOnce(taken, one) && isLike(key(taken), key(one)))
  return matches
}

/** The places nearest to a removal at which its words are said. */
const saidAgain = (segments: ReadonlyArray<Segment>, { start, end, kept }: Held): ReadonlyArray<Place> | undefined => {
  if (kept === undefined) return undefined
  const from = segments.findIndex((segment) => segment.end >= start - moves)
  const to = segments.findLastIndex((segment) => segment.start <= end + moves) + 1
  if (from === -1) return undefined
  const away = (places: ReadonlyArray<Place>) => Math.abs((segments[places[0]?.segment ?? 0]?.start ?? 0) - start)
  return saidIn(segments, wordsOf(kept), from, to).toSorted((a, b) => away(a) - away(b))[0]
}

/** All that is said during a removal: those words of a line that are timed, or else the whole line. */
const saidDuring = (segments: ReadonlyArray<Segment>, { start, end }: Held): ReadonlyArray<Place> =>
  segments.flatMap(({ text, words, ...line }, segment) => {
    if (line.end <= start || line.start >= end) return []
    const places = words === undefined ? undefined : placesOf(text, words)
    if (words === undefined || places === undefined) return [{ segment, from: 0, to: text.length }]
    const during = places.filter((_, at) => (words[at]?.end ?? 0) > start && (words[at]?.start ?? 0) < end)
    const [first, last] = [during[0], during.at(-1)]
    return first === undefined || last === undefined ? [] : [{ segment, from: first.from, to: last.to }]
  })

/** The removals without overlaps: where two meet, the one that comes first has both places. */
const apart = (removals: ReadonlyArray<Removal & { readonly was?: Held | undefined }>) => {
  const kept: Array<Removal & { readonly was?: Held | undefined; parts: Array<Place> }> = []
  for (const removal of removals) {
    const own = removal.parts.filter((part) => {
      for (const { parts } of kept) {
        const at = parts.findIndex((other) => other.segment === part.segment && overlaps(other, part))
        const other = parts[at]
        if (other === undefined) continue
        parts[at] = { ...other, from: Math.min(other.from, part.from), to: Math.max(other.to, part.to) }
        return false
      }
      return true
    })
    if (own.length > 0) kept.push({ ...removal, parts: own })
  }
  return kept
}

/**
 * What is taken out of a transcript that was made again: what the rules found, as people have judged it. Words that a
 * person put back stay, and words that a person took out are taken out again: where the same words are said at about
 * the same time or, if nobody can tell which they are, all that is said at that time.
 */
export const judged = (
  segments: ReadonlyArray<Segment>,
  found: ReadonlyArray<Removal>,
  held: ReadonlyArray<Held>
): ReadonlyArray<Judged> => {
  const taken = found.map((removal) => takenFrom(segments, removal))
  // What a person took out is looked for by itself, and has the rules' places where they overlap.
  const matches = matched(
    taken,
    held.filter(({ state }) => state !== "added")
  )
  const matchedBy = new Set(matches.values())
  const isRestored = (removal: Taken) => matches.get(removal)?.state === "restored"
  const added = held.flatMap((was) =>
    was.state === "added"
      ? [{ kind: was.kind, rule: was.rule, was, parts: saidAgain(segments, was) ?? saidDuring(segments, was) }]
      : []
  )
  const ruled = taken.flatMap((removal) =>
    isRestored(removal)
      ? []
      : [{ kind: removal.kind, rule: removal.rule, parts: removal.parts, was: matches.get(removal) }]
  )
  const standing = apart([...added, ...ruled]).map(
    ({ was, ...removal }): Judged => ({
      ...takenFrom(segments, removal),
      ...(was === undefined ? {} : { was }),
      state: was?.state ?? "removed"
    })
  )
  const restored = taken
    .filter(isRestored)
    .map((removal): Judged => ({ ...removal, was: matches.get(removal), state: "restored" }))
  // Not found this time, but perhaps the next.
  const unmatched = held.flatMap((was): ReadonlyArray<Judged> => {
    const parts = was.state === "restored" && !matchedBy.has(was) ? saidAgain(segments, was) : undefined
    return parts === undefined
      ? []
      : [{ ...takenFrom(segments, { kind: was.kind, rule: was.rule, parts }), was, state: "restored" }]
  })
  return [...standing, ...restored, ...unmatched].toSorted((a, b) => a.start - b.start)
}
