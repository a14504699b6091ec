import { Effect, Result, Schema } from "effect"
import type { BundleVote } from "../../../../schema/bundle-people.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { isJsonObject } from "../../../record/formats/format.ts"
import { voteId } from "../../../record/formats/ids.ts"
import { ballotOf, personSlug, resultOf } from "../../../record/formats/legistar/decisions.ts"
import type { LegistarItem } from "../../../record/formats/legistar/event.ts"
import { tidy } from "../../../record/formats/text.ts"
import type { ItemVote } from "../../sources/calendar.ts"
import { jsonPage, orWithout } from "../../sources/json-page.ts"
import type { PoliteWeb } from "../../web/polite-web.ts"

/** The most requests for the votes of one meeting. A council takes some hundred votes on its longest day. */
const mostRequests = 300

const decodeList = Schema.decodeUnknownResult(Schema.Array(Schema.Unknown))

/** The votes that a vendor lists beside the items, under the ids of those and by their order. */
export const votesOfItems = (votes: ReadonlyArray<ItemVote>, meeting: MeetingId, place: string) => {
  const seen = new Map<string, number>()
  return votes.flatMap(({ item, ballots, ...said }): ReadonlyArray<BundleVote> => {
    const at = (seen.get(item) ?? 0) + 1
    seen.set(item, at)
    const cast = ballots.flatMap(({ name, word }) => {
      const ballot = ballotOf(word)
      return ballot === undefined ? [] : [{ person: personSlug({ slug: place }, { FullName: name }), name, ...ballot }]
    })
    // That something passed, and nothing else, is an outcome and no vote.
    if (cast.length === 0) return []
    const id = voteId("vendor", item, String(at))
    return [
      { type: "vote", id, kind: "vote", meeting_id: meeting, agenda_item: item, ...said, ballots: cast, from: "source" }
    ]
  })
}

/** The address of an item's votes or roll calls, from that of the event's items; undefined if that is no Web API's. */
const addressOf = (items: string, item: number, list: "rollcalls" | "votes"): string | undefined => {
  const address = new URL(items)
  const path = address.pathname.replace(/\/events\/\d+\/eventitems$/i, `/eventitems/${item}/${list}`)
  if (path === address.pathname) return undefined
  address.pathname = path
  address.search = ""
  return address.href
}

const textIn = (value: unknown): string => (typeof value === "string" ? tidy(value) : "")

/** The ballots of a list of `VotePersonName VoteValueName`, or `RollCallPersonName RollCallValueName`. */
const ballotsIn = (list: ReadonlyArray<unknown>, prefix: "RollCall" | "Vote", place: string): BundleVote["ballots"] =>
  list.flatMap((row) => {
    if (!isJsonObject(row)) return []
    const [name, ballot] = [textIn(row[`${prefix}PersonName`]), ballotOf(textIn(row[`${prefix}ValueName`]))]
    return name === "" || ballot === undefined
      ? []
      : [{ person: personSlug({ slug: place }, { FullName: name }), name, ...ballot }]
  })

/** The counts of a tally, `7:0`. */
const countsIn = (tally: string): BundleVote["counts"] => {
  const [, yes, no] = /^(\d{1,3})\s*[:-]\s*(\d{1,3})$/.exec(tally) ?? []
  return yes === undefined || no === undefined
    ? undefined
    : [
        { option: "yes", value: Number(yes) },
        { option: "no", value: Number(no) }
      ]
}

const voteOf = (
  { ID, ActionName, PassedFlagName, Tally, Mover, Seconder }: LegistarItem,
  ballots: BundleVote["ballots"],
  meeting: MeetingId,
  place: string
): ReadonlyArray<BundleVote> => {
  const [counts, result] = [countsIn(tidy(Tally)), resultOf(PassedFlagName)]
  const [motion, mover, seconder] = [tidy(ActionName), tidy(Mover), tidy(Seconder)]
  // That something passed, and nothing else, is an outcome and no vote.
  if (ballots.length === 0 && counts === undefined) return []
  return [
    {
      type: "vote",
      // The same id that an imported archive of these events would give it.
      id: voteId("legistar", place, "vote", String(ID)),
      kind: "vote",
      meeting_id: meeting,
      item: String(ID),
      ...(motion === "" ? {} : { motion }),
      ...(result === undefined ? {} : { result }),
      ...(ballots.length > 0 || counts === undefined ? {} : { counts }),
      ballots,
      ...(mover === "" ? {} : { moved_by: mover }),
      ...(seconder === "" ? {} : { seconded_by: seconder }),
      from: "source"
    }
  ]
}

const rollCallOf = (item: number, ballots: BundleVote["ballots"], meeting: MeetingId, place: string) =>
  ballots.length === 0
    ? []
    : [
        {
          ...{ type: "vote" as const, id: voteId("legistar", place, "roll call", String(item)) },
          ...{ kind: "roll_call" as const, meeting_id: meeting, item: String(item), ballots, from: "source" as const }
        }
      ]

/**
 * The votes and roll calls that Legistar's Web API lists for the items of an event: `/EventItems/{id}/Votes` of those
 * with a result or a tally, and `/RollCalls` of those with attendance. `address` is that of the items. Fails only where
 * the server is to be asked again later; a list that cannot be read is left out.
 */
export const listedVotes = Effect.fn("FetchStage.listedVotes")(function* (
  web: PoliteWeb["Service"],
  address: string,
  place: string,
  meeting: MeetingId,
  items: ReadonlyArray<LegistarItem>
) {
  const list = Effect.fnUntraced(
    function* (from: string) {
      const page = yield* jsonPage(web, from)
      const rows = decodeList(page?.value)
      if (Result.isFailure(rows)) yield* Effect.logWarning("The votes of an item are not a list and are left out")
      return Result.getOrElse(rows, () => [])
    },
    orWithout<ReadonlyArray<unknown>>("The votes of an item are", [])
  )
  const wanted = items.flatMap((item) => {
    const isVoted = tidy(item.PassedFlagName) !== "" || tidy(item.Tally) !== ""
    const lists = [...(item.RollCallFlag === 1 ? (["rollcalls"] as const) : []), ...(isVoted ? ["votes" as const] : [])]
    return lists.flatMap((kind) => {
      const from = addressOf(address, item.ID, kind)
      return from === undefined ? [] : [{ item, kind, from }]
    })
  })
  if (wanted.length > mostRequests) {
    yield* Effect.logWarning(`The votes of ${wanted.length - mostRequests} items are left out: there are too many`)
  }
  const votes = yield* Effect.forEach(wanted.slice(0, mostRequests), ({ item, kind, from }) =>
    Effect.map(
      list(from),
      (rows): ReadonlyArray<BundleVote> =>
        kind === "votes"
          ? voteOf(item, ballotsIn(rows, "Vote", place), meeting, place)
          : rollCallOf(item.ID, ballotsIn(rows, "RollCall", place), meeting, place)
    )
  )
  return votes.flat()
})
