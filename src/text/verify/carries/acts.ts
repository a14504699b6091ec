import type { Word } from "../words.ts"
import type { Span } from "./binding.ts"

/** What a member does at a meeting that goes on record with the member's name. */
type Act = "move" | "second" | "yes" | "no" | "absent"

const acts: ReadonlyMap<string, Act> = new Map([
  ..."move moved moves mover motion motions motioned".split(" ").map((word) => [word, "move"] as const),
  ..."second seconded seconds seconder".split(" ").map((word) => [word, "second"] as const)
])

const answers: ReadonlyMap<string, Act> = new Map([
  ..."yes aye yea yeah yay".split(" ").map((word) => [word, "yes"] as const),
  ..."no nay".split(" ").map((word) => [word, "no"] as const),
  ..."absent abstain abstains abstained pass recused".split(" ").map((word) => [word, "absent"] as const)
])

/** What a claim says that somebody voted: `voted no`, `voted for it`, `cast the only vote against`. */
const votedIn = (claim: ReadonlyArray<Word>): Act | undefined => {
  if (!claim.some(({ word }) => /^(?:vote[sd]?|voting|ballots?|dissented|abstained)$/u.test(word))) return undefined
  if (claim.some(({ word }) => /^(?:against|no|nay|opposed|dissented)$/u.test(word))) return "no"
  if (claim.some(({ word }) => /^(?:yes|aye|favor|for)$/u.test(word))) return "yes"
  return undefined
}

const isBy = (word: Word | undefined): boolean => /^(?:by|from|made|of)$/u.test(word?.word ?? "")

/** The farthest that an act stands before who did it: `a motion made to approve by Vice Mayor Lee`. */
const farthest = 7

/** The act of a person whose name stands at a place: the nearest word of one, `by` and `from` binding before others. */
const movedAt = (words: ReadonlyArray<Word>, { from, to }: Span): Act | undefined => {
  // `Smith's motion`, but not `Smith, second by Lee`.
  const next = acts.get(words[to]?.word ?? "")
  if (next !== undefined && !isBy(words[to + 1])) return next
  for (let back = 1; back <= farthest && from - back >= 0; back++) {
    const act = acts.get(words[from - back]?.word ?? "")
    if (act === undefined) continue
    if (words.slice(from - back + 1, from).some(isBy) || back <= 2) return act
    break
  }
  for (let after = 0; after < 4; after++) {
    const word = words[to + after]
    if (word === undefined || (after > 0 && isBy(word))) break
    const act = acts.get(word.word)
    // `Smith seconds the motion`: what comes first is what was done.
    if (act !== undefined) return act
  }
  return undefined
}

/** The answer of a person whose name was called at a place. */
const answeredAt = (words: ReadonlyArray<Word>, { to }: Span): Act | undefined => {
  for (const { word } of words.slice(to, to + 2)) {
    const answer = answers.get(word)
    if (answer !== undefined) return answer
  }
  return undefined
}

/**
 * Whether a claim has a person do what was only said of others: move, second, or vote one way. `places` are where the
 * person is named in what was said.
 */
export const lacksAct = (
  claim: ReadonlyArray<Word>,
  name: Span,
  words: ReadonlyArray<Word>,
  places: ReadonlyArray<Span>
): boolean => {
  const voted = votedIn(claim)
  if (voted !== undefined) {
    const answered = places.flatMap((place) => answeredAt(words, place) ?? [])
    if (answered.length > 0) return !answered.includes(voted)
  }
  const act = movedAt(claim, name)
  if (act === undefined) return false
  const done = places.flatMap((place) => movedAt(words, place) ?? [])
  return !done.includes(act)
}
