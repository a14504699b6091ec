import { Context, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { anonymous, type Viewer } from "../../../schema/viewer.ts"
import type { PersonVotes, PersonVotesQuery, Votes as VotesPage } from "../../../schema/vote.ts"
import { type NotFound, personNotFound } from "../failures.ts"
import { stands } from "../meetings/matter-actions.ts"
import { given } from "../wire.ts"
import { personWithSlug } from "./people.ts"
import { ballotsOf, voteOf, votesById } from "./vote-rows.ts"

/** The most votes of one meeting that are sent. */
const mostOfMeeting = 1000

/** Votes and roll calls. They are the city's own record and open to all; the moments and the words stay gated. */
export class Votes extends Context.Service<
  Votes,
  {
    /** All votes and roll calls of a meeting, in the order of its agenda. */
    readonly ofMeeting: (meetingId: MeetingId, viewer?: Viewer) => Effect.Effect<VotesPage>
    /** One person's votes, the newest first. */
    readonly ofPerson: (slug: string, query: PersonVotesQuery, viewer?: Viewer) => Effect.Effect<PersonVotes, NotFound>
  }
>()("civic-record/Votes") {
  static readonly layer = Layer.effect(
    Votes,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const ofMeeting = Effect.fn("Votes.ofMeeting")(function* (meetingId: MeetingId, viewer: Viewer = anonymous) {
        const found = yield* db<{ id: string }>`
          select v.id from vote v
          left join agenda_item i on i.meeting_id = v.meeting_id and i.id = v.agenda_item_id
          where v.meeting_id = ${meetingId} and ${stands(db)}
          order by coalesce(v.start, i.start), v.kind <> 'roll_call', i.position, v.id limit ${mostOfMeeting}`
        const ids = found.map(({ id }) => id)
        const [rows, ballots] = [yield* votesById(db, ids), yield* ballotsOf(db, ids)]
        const votes = rows.map((row) => ({ ...voteOf(row, viewer), ballots: ballots.get(row.id) ?? [] }))
        return { total: votes.length, page: 1, page_size: mostOfMeeting, votes }
      }, dbDies)

      const ofPerson = Effect.fn("Votes.ofPerson")(function* (
        slug: string,
        query: PersonVotesQuery,
        viewer: Viewer = anonymous
      ) {
        const [person] = yield* personWithSlug(db, slug)
        if (person === undefined) return yield* personNotFound(slug)
        const { year, kind = "vote", option, majority, divided, updated_since, page = 1, page_size = 20 } = query
        const conditions = db.and([
          db`t.person_id = any(${person.ids}::int[]) and t.is_roll_call = ${kind === "roll_call"}`,
          ...(year === undefined ? [] : [db`t.date between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date`]),
          ...(option === undefined ? [] : [db`t.option = ${option}`]),
          ...(majority === undefined ? [] : [db`t.with_majority = ${majority === "with"}`]),
          ...(divided === "1" ? [db`t.is_divided`] : []),
          ...(updated_since === undefined
            ? []
            : [db`t.vote_id in (select v.id from vote v where v.updated_at >= ${updated_since}::timestamptz)`])
        ])
        const [counted] = yield* db<{ total: number }>`select count(*)::int as total from ballot t where ${conditions}`
        const found = yield* db<{
          id: string
          option: PersonVotes["votes"][number]["option"]
          with_majority: boolean | null
        }>`
          select t.vote_id as id, t.option, t.with_majority from ballot t where ${conditions}
          order by t.date desc, t.vote_id limit ${page_size} offset ${(page - 1) * page_size}`
        const own = new Map(found.map((row) => [row.id, row]))
        const rows = yield* votesById(
          db,
          found.map(({ id }) => id)
        )
        const votes = rows.flatMap((row) => {
          const ballot = own.get(row.id)
          return ballot === undefined
            ? []
            : [{ ...voteOf(row, viewer), option: ballot.option, ...given("with_majority", ballot.with_majority) }]
        })
        return { total: counted?.total ?? 0, page, page_size, votes }
      }, dbDies)

      return { ofMeeting, ofPerson }
    })
  )
}
