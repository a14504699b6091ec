import type { BundleMeeting, BundleRecap } from "../../../schema/bundle.ts"
import type { Action } from "../roll-calls/motions.ts"
import type { SpokenVote } from "../roll-calls/roll-calls.ts"

type Item = Pick<BundleMeeting["agenda_items"][number], "id" | "number" | "outcome" | "start" | "title">
type Agenda = ReadonlyArray<Item>
type Decision = BundleRecap["decisions"][number]

/** A decision in plain words, and the vote that it rests on; none where only the source tells the outcome. */
export interface Known {
  readonly decision: Decision
  readonly vote: SpokenVote | undefined
}

const done: Readonly<Record<Action, string>> = {
  approve: "Approved",
  deny: "Denied",
  postpone: "Postponed",
  table: "Tabled",
  withdraw: "Withdrawn",
  refer: "Referred",
  amend: "Motion to amend carried",
  adjourn: "Adjourned",
  reconsider: "Motion to reconsider carried"
}

/** The result of a vote in plain words, without its counts: `Approved`, `Motion to postpone failed`. */
const outcomeOf = ({ action, result }: SpokenVote): string | undefined => {
  if (result === "passed") return action === undefined ? "Motion carried" : done[action]
  if (result === "failed") return action === undefined ? "Motion failed" : `Motion to ${action} failed`
  return undefined
}

/** The most members against that are named. */
const mostNamed = 4

/** The counts of a vote, with who was against if the roll was called: `4-1 (Councilman Alvarez no)`. */
const countOf = ({ counts, ballots }: SpokenVote): string | undefined => {
  if (counts?.yes === undefined || counts.no === undefined) return undefined
  const against = ballots.filter(({ option }) => option === "no").map(({ name }) => name)
  const abstained = counts.abstain ?? 0
  return [
    `${counts.yes}-${counts.no}`,
    ...(abstained > 0 ? [`with ${abstained} abstaining`] : []),
    ...(against.length > 0 && against.length <= mostNamed && against.length === counts.no
      ? [`(${against.join(", ")} no)`]
      : [])
  ].join(" ")
}

/**
 * The item that a vote decides. An item of which nobody knows when it began lies somewhere in the stretch of the one
 * before it, and all but the first vote there may belong to either.
 */
export const decidedItem = (agenda: Agenda, votes: ReadonlyArray<SpokenVote>, vote: SpokenVote): Item | undefined => {
  const { item } = vote
  const next = agenda[(item ?? 0) + 1]
  if (item === undefined) return undefined
  const isSure = next === undefined || next.start !== undefined
  return isSure || votes.find((other) => other.item === item) === vote ? agenda[item] : undefined
}

/** The most decisions of a meeting. */
const most = 100

/**
 * What was decided, in plain words: the votes that were heard, in order, each with its second. A vote that belongs to
 * no item is told only with its count. An item whose outcome is on record and that was not voted on aloud comes last.
 */
export const decisionsOf = (agenda: Agenda, votes: ReadonlyArray<SpokenVote>): ReadonlyArray<Known> => {
  const heard = votes.flatMap((vote): ReadonlyArray<Known> => {
    const [item, outcome, count] = [decidedItem(agenda, votes, vote), outcomeOf(vote), countOf(vote)]
    if (outcome === undefined || (item === undefined && count === undefined)) return []
    const decision = {
      ...(item === undefined ? {} : { agenda_item: item.id }),
      outcome,
      ...(count === undefined ? {} : { vote: count }),
      start: vote.start
    }
    return [{ decision, vote }]
  })
  const known = new Set(heard.map(({ decision }) => decision.agenda_item))
  const listed = agenda.flatMap(
    ({ id, outcome }): ReadonlyArray<Known> =>
      outcome === undefined || known.has(id) ? [] : [{ decision: { agenda_item: id, outcome }, vote: undefined }]
  )
  return [...heard, ...listed].slice(0, most)
}

/** Numbers up to this length follow the word `Item`; longer ones are those of files. */
const longestNumber = 6
const longestTitle = 110

const cut = (title: string): string =>
  title.length <= longestTitle ? title : `${title.slice(0, longestTitle).replace(/\s+\S*$/u, "")}…`

/** An item in plain words: `Item 7: Quarry Road bridge contract`. */
export const itemInWords = ({ number, title }: Pick<Item, "number" | "title">): string => {
  const plain = number?.trim().replace(/[.:)]+$/u, "") ?? ""
  const whole = cut(title.trim().replace(/[.\s]+$/u, ""))
  return plain === ""
    ? whole
    : `${plain.length <= longestNumber && !/^item/iu.test(plain) ? "Item " : ""}${plain}: ${whole}`
}

/** A decision in one line: `Item 7: Quarry Road bridge contract. Approved 4-1`. */
export const decisionInWords = (agenda: Agenda, { outcome, agenda_item, vote = "" }: Decision): string => {
  const item = agenda.find(({ id }) => id === agenda_item)
  const count = /^\d+-\d+/u.exec(vote)?.[0]
  return [
    ...(item === undefined ? [] : [`${itemInWords(item)}.`]),
    outcome,
    ...(count === undefined ? [] : [count])
  ].join(" ")
}

/** The most decisions in a summary. */
const summarized = 3

/** The first decisions in plain words, as a summary where nobody wrote a briefing; empty if none is of an item. */
export const plainSummary = (agenda: Agenda, decisions: ReadonlyArray<Decision>): string =>
  decisions
    .filter(({ agenda_item }) => agenda_item !== undefined)
    .slice(0, summarized)
    .map((decision) => `${decisionInWords(agenda, decision)}.`)
    .join(" ")

/** How long each item was discussed, in seconds; 0 where that is not known. */
const lengthOf = (agenda: Agenda, { start }: Item): number =>
  start === undefined
    ? 0
    : Math.min(...agenda.flatMap((other) => (other.start !== undefined && other.start > start ? [other.start] : []))) -
      start

/**
 * A headline in plain words: the decision on an item that divided the vote, or else the one discussed longest.
 * Undefined if nothing was decided about an item.
 */
export const plainHeadline = (agenda: Agenda, known: ReadonlyArray<Known>): Known | undefined => {
  const ranked = known.flatMap((one) => {
    const item = agenda.find(({ id }) => id === one.decision.agenda_item)
    if (item === undefined) return []
    return [{ one, isDivided: (one.vote?.counts?.no ?? 0) > 0, length: lengthOf(agenda, item) }]
  })
  return ranked.toSorted(
    (a, b) =>
      Number(b.isDivided) - Number(a.isDivided) ||
      (Number.isFinite(b.length) ? b.length : 0) - (Number.isFinite(a.length) ? a.length : 0)
  )[0]?.one
}
