import type { BundleMeeting } from "../../../../schema/bundle.ts"
import type { BundleVote } from "../../../../schema/bundle-people.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import type { VoteOption, VoteResult } from "../../../../schema/vote.ts"
import { voteId } from "../../../record/formats/ids.ts"
import { decidedItem } from "../../../text/plain-words/decisions.ts"
import { type Member, memberFinder, withPersons } from "../../../text/roll-calls/members.ts"
import type { SpokenVote } from "../../../text/roll-calls/roll-calls.ts"

/** The most characters of a quote. The result is announced at its end. */
const longestQuote = 1000

const results: Readonly<Record<SpokenVote["result"], VoteResult>> = { passed: "pass", failed: "fail", other: "other" }

const options: ReadonlyArray<VoteOption & keyof NonNullable<SpokenVote["counts"]>> = ["yes", "no", "abstain", "absent"]

const quoteOf = (segments: ReadonlyArray<Segment>, { quote }: SpokenVote): string => {
  const said = quote.map(({ segment, from, to }) => segments[segment]?.text.slice(from, to) ?? "").join(" ")
  return said.length <= longestQuote ? said : `… ${said.slice(-longestQuote).replace(/^\S*\s/u, "")}`
}

/**
 * The votes that are read from what is said at a meeting. One of which neither the item, nor the count, nor anybody's
 * ballot is known tells nothing and is left out. The words of a motion are those of the transcript, which not everybody
 * may read: only what it asks for is told.
 */
export const votesOnRecord = (
  meeting: MeetingId,
  agenda: BundleMeeting["agenda_items"],
  segments: ReadonlyArray<Segment>,
  spoken: ReadonlyArray<SpokenVote>,
  members: ReadonlyArray<Member>,
  matters: ReadonlyMap<string, string>
): ReadonlyArray<BundleVote> => {
  const memberNamed = memberFinder(members)
  const known = new Set<string>()
  return spoken.flatMap((vote) => {
    const { action, counts, ballots, mover, seconder } = vote
    const item = decidedItem(agenda, spoken, vote)
    if (item === undefined && counts === undefined && ballots.length === 0) return []
    const id = voteId("transcript", meeting, item?.id ?? "", String(vote.start))
    // One caption may announce two.
    if (known.has(id)) return []
    known.add(id)
    const matter = matters.get(item?.id ?? "")
    return [
      {
        type: "vote",
        id,
        kind: "vote",
        meeting_id: meeting,
        ...(item === undefined ? {} : { agenda_item: item.id }),
        ...(matter === undefined ? {} : { matter }),
        ...(action === undefined ? {} : { motion: `${action.slice(0, 1).toUpperCase()}${action.slice(1)}` }),
        result: results[vote.result],
        counts: options.flatMap((option) => {
          const value = counts?.[option]
          return value === undefined ? [] : [{ option, value }]
        }),
        ballots: withPersons(ballots, memberNamed),
        ...(mover === undefined ? {} : { moved_by: mover }),
        ...(seconder === undefined ? {} : { seconded_by: seconder }),
        start: vote.start,
        end: vote.end,
        quote: quoteOf(segments, vote),
        from: "transcript"
      } satisfies BundleVote
    ]
  })
}
