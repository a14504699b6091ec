import { closingAt, countAlone, isJustAsked, sentenceFrom, voiceCallsIn, wordsBetween } from "./closings.ts"
import { type Tally, tallyAt } from "./tallies.ts"
import type { Token } from "./tokens.ts"

/** An announced result, with its tally if one goes with it: `from` up to but not including `to`. */
export interface Announcement {
  readonly from: number
  readonly to: number
  /** Undefined where only the numbers are read out: `Eight in favor, none opposed`. */
  readonly result: "passed" | "failed" | undefined
  readonly tally: Tally | undefined
  /** Whether it can only be about the vote just taken, and not tell of another. */
  readonly isPresent: boolean
}

const passes = new Set("carries passes caries cares carry pass".split(" "))
const passed = new Set("carried passed adopted approved ordered moved".split(" "))
const fails = new Set("fails dies".split(" "))
const failed = new Set("failed defeated".split(" "))

/** What carries or fails. Recognizers hear `motion` as `mission`. */
const subject =
  /^(?:motions?|mission|amendments?|ordinances?|resolutions?|items?|bill|substitute|minutes|postponement|it|that|this|they|vote|ayes|agenda|appointments?|rezoning|request)$/u

/** Words before which, in one sentence, nothing is announced. */
const unsettled =
  /^(?:if|when|whether|until|once|unless|provid(?:ing|ed)|assuming|should|could|would|will|may|might|can|before|after|because|since|how|why|what|which|who|hope|see|let|lets|need|needs|want|to|not|ever|never|had|was|were|been|previously|already|last|earlier|yesterday|though|mpc|planning|county|city|state)$/u

/** Words that may stand before the announcement in its sentence. */
const opening =
  /^(?:okay|ok|so|well|alright|all|right|then|and|thank|thanks|you|aye|i|the|now|yes|no|good|seeing|none|very|again|hearing|think|believe|opposed|any|same|sign|um|uh|oh|great|that|this|it|great|therefore|madam|mr|clerk|chair|so)$/u

/** The most words between a tally and the result that it goes with. */
const reach = 9

/** Whether numbers name what comes next: `11-0 is a resolution` is item 11-O. */
const isItem = (tokens: ReadonlyArray<Token>, { from, to, named }: Tally): boolean =>
  named === undefined && tokens[from]?.opens === true && /^(?:is|an?|the|this|was)$/u.test(tokens[to]?.word ?? "")

/** The tally that belongs to a result: right after it, or shortly before. */
const tallyBeside = (tokens: ReadonlyArray<Token>, from: number, to: number): Tally | undefined => {
  let at = to
  while (
    at - to < 7 &&
    /^(?:unanimously|as|amended|again|by|on|a|an|vote|votes|of|with|at|and|is|it|the|was|count|okay|its|thats)$/u.test(
      tokens[at]?.word ?? ""
    )
  )
    at++
  const after = tallyAt(tokens, at)
  if (after !== undefined && !isItem(tokens, after)) return after
  for (let start = from - 2; start >= Math.max(0, from - reach - 4); start--) {
    const before = tallyAt(tokens, start)
    if (before !== undefined && before.to <= from && from - before.to <= reach) {
      // The words of a longer count begin further ahead.
      const longer = [1, 2, 3, 4]
        .flatMap((back) => tallyAt(tokens, start - back) ?? [])
        .filter((one) => one.to === before.to)
      return longer.at(-1) ?? before
    }
  }
  return undefined
}

/** Words after which something passes by, or fails in something, rather than in a vote. */
const elsewhere = /^(?:to|for|away|on|by|out|over|along|through|from|in|into)$/u

/** What a motion that passes asks for: `motion passes to postpone`. */
const asksFor =
  /^(?:make|postpone|table|deny|denial|approve|approval|defer|deferral|refer|amend|send|withdraw|reconsider)$/u

/** What a word at a place announces, as far as its sentence lets it. */
const outcomeAt = (
  tokens: ReadonlyArray<Token>,
  at: number
): Pick<Announcement, "from" | "isPresent" | "result"> | undefined => {
  const word = tokens[at]?.word ?? ""
  const before = tokens[at - 1]?.word ?? ""
  // Captions without punctuation run on from the call for the vote to its result.
  const sentence = sentenceFrom(tokens, at, 12)
  const asked = wordsBetween(tokens, sentence, at).findLastIndex((one) =>
    /^(?:ayes?|opposed|against|nays?|noes|nos|yeses|favor)$/u.test(one)
  )
  const from = /^(?:ayes|eyes|yeas)$/u.test(before) ? sentence : sentence + asked + 1
  if (word === "have" && /^(?:ayes|eyes|yeas)$/u.test(before) && /^it$/u.test(tokens[at + 1]?.word ?? ""))
    return { from: at - 1, result: "passed", isPresent: true }
  const isDenied = before === "not" && /^(?:does|did)$/u.test(tokens[at - 2]?.word ?? "")
  const lead = wordsBetween(tokens, from, at)
  if (isDenied && /^(?:pass|carry)$/u.test(word) && !lead.slice(0, -2).some((one) => unsettled.test(one)))
    return { from, result: "failed", isPresent: true }
  const isPresent = (passes.has(word) && !/^(?:pass|carry)$/u.test(word)) || fails.has(word)
  const result =
    passes.has(word) || passed.has(word) ? "passed" : fails.has(word) || failed.has(word) ? "failed" : undefined
  if (result === undefined || /^(?:pass|carry)$/u.test(word)) return undefined
  if (/^(?:ordered|moved)$/u.test(word) && before !== "so") return undefined
  // A chair's `so moved` ends a vote; a member's makes a motion.
  if (word === "moved") {
    const isEnd = wordsBetween(tokens, at - 10, at).includes("opposed")
    const isMotion = wordsBetween(tokens, at + 1, at + 4).some((one) => /^second/u.test(one))
    return isEnd && !isMotion ? { from: at - 1, result: "passed", isPresent: false } : undefined
  }
  if (/^(?:caries|cares)$/u.test(word) && !/^(?:motion|mission)$/u.test(before)) return undefined
  const [next = "", then = ""] = wordsBetween(tokens, at + 1, at + 3)
  const isMotion = /^(?:motion|mission)$/u.test(before) && (next === "to" || next === "for") && asksFor.test(then)
  const isSaid = /^(?:by|on)$/u.test(next) || (fails.has(word) && next === "to" && /^(?:pass|carry)$/u.test(then))
  if (elsewhere.test(next) && !isMotion && !isSaid) return undefined
  if (lead.some((one) => unsettled.test(one) && !/^to$/u.test(one))) return undefined
  const subjectAt = lead.findLastIndex((one) => subject.test(one))
  const others = (subjectAt === -1 ? lead : lead.slice(0, subjectAt)).filter(
    (one, place) =>
      !opening.test(one) &&
      tallyAt(tokens, from + place) === undefined &&
      !/^\d|^(?:to|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen)$/u.test(
        one
      )
  )
  if (others.length > 1 || (subjectAt !== -1 && lead.length - subjectAt > 7)) return undefined
  // Without a subject it stands at the head of its sentence: `Passes unanimously`.
  const isWhole = isPresent || word === "ordered" || next === "unanimously" || before === "unanimously"
  if (subjectAt === -1 && (lead.length > 3 || !isWhole)) return undefined
  return { from: subjectAt === -1 ? at : from + subjectAt, result, isPresent }
}

/** The most words from a count to the result, if nothing else begins in between. */
const soon = 30

/** Every result that is announced, in order. A count goes with the result that follows it. */
export const announcementsIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<Announcement> => {
  const all = toldIn(tokens)
  return all.flatMap((one, at) => {
    const [before, next] = [all[at - 1], all[at + 1]]
    const isCount = (count: Announcement | undefined, result: Announcement | undefined): boolean =>
      count !== undefined &&
      result !== undefined &&
      count.result === undefined &&
      result.tally === undefined &&
      result.from - count.to < soon &&
      !wordsBetween(tokens, count.to, result.from).some((word) => /^(?:favor|second|seconded|roll|next)$/u.test(word))
    if (isCount(one, next)) return []
    return isCount(before, one) && before !== undefined ? [{ ...one, from: before.from, tally: before.tally }] : [one]
  })
}

/** Words before a count: `I heard six ayes and two noes`. */
const counting = /^(?:heard|have|had|got|so|was|that|me)$/u

const toldIn = (tokens: ReadonlyArray<Token>): ReadonlyArray<Announcement> => {
  const found: Array<Announcement> = []
  const calls = voiceCallsIn(tokens)
  for (let at = 0; at < tokens.length; at++) {
    const outcome = outcomeAt(tokens, at)
    if (outcome !== undefined) {
      const tally = tallyBeside(tokens, outcome.from, at + 1)
      const before = found.at(-1)
      const from = Math.min(outcome.from, tally?.from ?? outcome.from)
      if (before !== undefined && before.result === undefined && from <= before.to) found.pop()
      found.push({
        from,
        to: Math.max(at + 1, tally?.to ?? 0),
        result: outcome.result,
        tally,
        isPresent: outcome.isPresent || (tally !== undefined && /^(?:is|are)$/u.test(tokens[at - 1]?.word ?? ""))
      })
      continue
    }
    const asked = isJustAsked(tokens, calls, at)
    const closing = asked ? closingAt(tokens, at) : undefined
    if (closing !== undefined) {
      found.push({
        ...closing,
        result: "passed",
        tally: tallyBeside(tokens, closing.from, closing.to),
        isPresent: false
      })
      continue
    }
    const isHead = tokens[at]?.opens || tokens[at]?.leads || tokens[at - 1]?.word === "is"
    const told = isHead || counting.test(tokens[at - 1]?.word ?? "") ? tallyAt(tokens, at) : undefined
    const tally = told?.named === undefined && asked ? countAlone(tokens, at) : told
    if (tally?.named === undefined) continue
    const last = found.at(-1)
    if (last !== undefined && isCorrected(tokens, calls, last, tally)) found.pop()
    if ((found.at(-1)?.to ?? 0) <= at)
      found.push({ from: tally.from, to: tally.to, result: undefined, tally, isPresent: isHead === true })
  }
  return found
}

/** Whether a count stands in place of one just before: `I heard six ayes and three noes. Five ayes and four noes.` */
const isCorrected = (
  tokens: ReadonlyArray<Token>,
  calls: ReadonlyArray<number>,
  before: Announcement,
  tally: Tally
): boolean =>
  before.result === undefined &&
  tally.from >= before.to &&
  tally.from - before.to < soon &&
  !calls.some((call) => call >= before.to && call < tally.from) &&
  !wordsBetween(tokens, before.to, tally.from).some((word) => /^(?:second|seconded|roll|next|item)$/u.test(word))
