import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleVote } from "../../../schema/bundle-people.ts"
import type { AgendaItemId, MeetingId } from "../../../schema/primitives.ts"
import { forgetVotes, mattersAt, membersAt } from "../../services/people/spoken-votes.ts"
import { given } from "../../services/wire.ts"
import { type MinutesMotion, readMinutes } from "../../text/minutes/minutes.ts"
import { memberFinder, withPersons } from "../../text/roll-calls/members.ts"
import { voteId } from "../formats/ids.ts"
import { fingerprint } from "./entity.ts"
import { writeVotes } from "./votes.ts"

interface Item {
  readonly id: AgendaItemId
  readonly number: string | null
  readonly title: string
}

const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    keyOf(text)
      .split(" ")
      .filter((word) => word.length > 3)
  )

/**
 * The agenda's item that a heading of minutes is: the one with its number, unless their titles share no word, or the
 * only one with its title. Minutes number differently where something was added.
 */
const itemFinder =
  (items: ReadonlyArray<Item>) =>
  (heading: MinutesMotion["item"]): Item | undefined => {
    if (heading === undefined) return undefined
    const titled = items.filter(({ title }) => keyOf(title) === keyOf(heading.title))
    if (titled.length === 1) return titled[0]
    const words = wordsOf(heading.title)
    const numbered = items.filter(
      ({ number, title }) =>
        number !== null &&
        keyOf(number) === keyOf(heading.number ?? "") &&
        [...wordsOf(title)].some((word) => words.has(word))
    )
    return numbered.length === 1 ? numbered[0] : undefined
  }

/**
 * Reads a meeting's minutes, given as pages of plain text, and puts their votes and the attendance on record in place
 * of what was read from them before. They give way to the city's own data, and what was heard gives way to them. The
 * caller announces the meeting. Returns how many votes there are.
 */
export const writeMinutes = Effect.fnUntraced(function* (
  db: Sql,
  meeting: MeetingId,
  pages: ReadonlyArray<string>,
  now: string,
  source_url?: string
) {
  const { attendance, motions } = readMinutes(pages)
  const items = yield* db<Item>`select id, number, title from agenda_item where meeting_id = ${meeting}`
  const [members, matters] = [yield* membersAt(db, meeting), yield* mattersAt(db, meeting)]
  const [itemOf, memberNamed] = [itemFinder(items), memberFinder(members)]
  const shared = { type: "vote", meeting_id: meeting, from: "minutes", ...given("source_url", source_url) } as const
  const votes = motions.flatMap((motion, at): ReadonlyArray<BundleVote> => {
    // A motion of which nobody can tell how it ended is no vote.
    if (motion.result === undefined && motion.counts.length === 0) return []
    const item = itemOf(motion.item)
    return [
      {
        ...shared,
        id: voteId("minutes", meeting, String(at)),
        kind: "vote",
        ...given("agenda_item", item?.id),
        ...given("matter", matters.get(item?.id ?? "")),
        ...given("motion", motion.motion),
        ...given("result", motion.result),
        ...given("result_label", motion.result_label),
        counts: motion.counts,
        ballots: withPersons(motion.ballots, memberNamed),
        ...given("moved_by", motion.moved_by),
        ...given("seconded_by", motion.seconded_by)
      }
    ]
  })
  const roll: ReadonlyArray<BundleVote> =
    attendance.length === 0
      ? []
      : [
          {
            ...shared,
            id: voteId("minutes", meeting, "attendance"),
            kind: "roll_call",
            ballots: withPersons(attendance, memberNamed)
          }
        ]
  const all = [...roll, ...votes]
  yield* forgetVotes(
    db,
    meeting,
    "minutes",
    all.map(({ id }) => id)
  )
  yield* writeVotes(
    db,
    all.map((entity) => ({ entity, hash: fingerprint(entity) })),
    now
  )
  return all.length
})
