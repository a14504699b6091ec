import type { BundleVote } from "../../../../schema/bundle-people.ts"
import type { VoteOption } from "../../../../schema/vote.ts"
import { voteId } from "../ids.ts"
import { found, type Item, type Origin, rejected, warning } from "../item.ts"
import { ballotOf, resultOf } from "../legistar/decisions.ts"
import { tidy, webAddress } from "../text.ts"
import { eventOf, type VoteKey } from "./bills.ts"
import { dayFrom } from "./days.ts"
import type { Settled } from "./directory.ts"
import { stableId } from "./people.ts"
import { refOf, type Vote } from "./things.ts"

const optionOf = (word: string): VoteOption => ballotOf(tidy(word))?.option ?? "other"

/** The sums as written, by our options. */
const countsOf = ({ counts }: Vote) =>
  [...Map.groupBy(counts ?? [], ({ option }) => optionOf(option))].flatMap(([option, those]) => {
    const value = those.reduce((sum, one) => sum + Math.max(0, one.value), 0)
    return value === 0 ? [] : [{ option, value }]
  })

/** The bill that a vote is on, as it names it: an id of the source, or a number. */
export const billOf = (vote: Vote): string | undefined => {
  const said = refOf(vote.bill, vote.bill_id)
  return said.id ?? said.identifier ?? (tidy(vote.bill_identifier) || undefined)
}

/** When and in which body a vote was taken, which is what finds its meeting and the action it decides. */
export const keyOf = (vote: Vote, settled: Settled): VoteKey | undefined => {
  const [by, date] = [
    settled.organizationOf(vote.organization, vote.organization_id),
    dayFrom(vote.start_date || vote.date, "start")
  ]
  if (date === undefined) return undefined
  return {
    agency: by === undefined ? undefined : settled.agencyNamed(by.name).slug,
    date,
    action: tidy(vote.bill_action)
  }
}

/** A bill by its slug and its number. */
export interface KnownBill {
  readonly slug: string
  readonly identifier: string
}

export const voteItems = (
  vote: Vote,
  bill: KnownBill | undefined,
  settled: Settled,
  origin: Origin,
  /** How many votes of the source have been alike, by what tells them apart. */
  alike: Map<string, number>
): ReadonlyArray<Item> => {
  const key = keyOf(vote, settled)
  if (key === undefined) return [rejected(origin, "start_date", "is no day; write it as YYYY-MM-DD")]
  const { agency, date } = key
  if (agency === undefined)
    return [rejected(origin, "organization", "is missing, or none of those in the source; name the body that voted")]
  const motion = tidy(vote.motion_text) || tidy(vote.text)
  const natural = [agency, date, bill?.slug ?? billOf(vote) ?? "", tidy(vote.identifier), motion]
  const nth = alike.get(natural.join("\n")) ?? 0
  alike.set(natural.join("\n"), nth + 1)
  const silent: Array<string> = []
  const ballots = (vote.votes ?? []).flatMap(({ option, voter, voter_id, voter_name, note }): BundleVote["ballots"] => {
    const said = refOf(voter, voter_id)
    const name = tidy(voter_name) || (said.name ?? settled.nameOf(said.id) ?? "")
    const ballot = ballotOf(tidy(option))
    if (ballot === undefined || name === "") {
      silent.push(name || (said.id ?? "somebody"))
      return []
    }
    const [person, more] = [settled.whoIs(said.id, name), tidy(note)]
    // Why somebody was excused is nobody's business, and not kept.
    const kept = more === "" || ballot.option === "excused" ? {} : { note: more }
    return [{ ...(person === undefined ? {} : { person }), name, ...ballot, ...kept }]
  })
  const [result, counts] = [resultOf(vote.result), countsOf(vote)]
  const source = (vote.sources ?? []).flatMap(({ url }) => webAddress(url) ?? [])[0]
  const identified: BundleVote = {
    type: "vote",
    id: voteId("popolo", settled.place.slug, ...(stableId(vote) ?? [...natural, String(nth)])),
    kind: "vote",
    date,
    place: settled.place.slug,
    event: eventOf(agency, date),
    ...(bill === undefined ? {} : { item: bill.identifier, matter: bill.slug }),
    ...(motion === "" ? {} : { motion }),
    ...(result === undefined ? {} : { result }),
    ...(counts.length === 0 ? {} : { counts }),
    ballots,
    from: "source",
    ...(source === undefined ? {} : { source_url: source })
  }
  return [
    ...(silent.length === 0
      ? []
      : [warning(origin, "votes", `those of ${silent.join(", ")} have no name or no word, and are left out`)]),
    ...(billOf(vote) !== undefined && bill === undefined
      ? [warning(origin, "bill", "is none of the bills in the source; the vote is kept without it")]
      : []),
    found(origin, identified)
  ]
}
