import { DateTime, Effect, Schema } from "effect"
import { v5 } from "uuid"
import type { Sql } from "../../../layers/db/db.ts"
import { type AccountId, MeetingId } from "../../../schema/primitives.ts"

/** The subject of a mail; its text is written when it is sent. */
export const Content = Schema.Union([
  Schema.Struct({ list: Schema.Literal("recaps"), meetings: Schema.Array(MeetingId) }),
  Schema.Struct({
    list: Schema.Literal("saved_searches"),
    finds: Schema.Array(
      Schema.Struct({
        search: Schema.String,
        meetings: Schema.Array(MeetingId),
        /** The keys of actions on a matter (`matterActions`). */
        actions: Schema.optionalKey(Schema.Array(Schema.String))
      })
    )
  })
])
export type Content = typeof Content.Type

export interface Outgoing {
  readonly accountId: AccountId
  readonly content: Content
}

const space = "0f6f7d52-5a43-4d0c-8f0e-3a1b0a6b8e57"

/** The same id for the same mail, on every node and however often it is made. */
const idOf = ({ accountId, content }: Outgoing): string => v5(JSON.stringify([accountId, content]), space)

/** Queues mails, in this order, in the caller's transaction. */
export const putOutgoing = Effect.fn("Mail.putOutgoing")(function* (db: Sql, mails: ReadonlyArray<Outgoing>) {
  const now = DateTime.formatIso(yield* DateTime.now)
  for (const mail of mails) {
    yield* db`
      insert into outgoing_mail (id, account_id, list, content, created_at, next_try_at)
      values (${idOf(mail)}, ${mail.accountId}, ${mail.content.list}, ${JSON.stringify(mail.content)}::jsonb, ${now}, ${now})
      on conflict (id) do nothing`
  }
})

export interface DueRecap {
  readonly accountId: AccountId
  readonly meetingId: MeetingId
  /** One mail for each, or one for all. */
  readonly recaps: "each" | "daily" | "weekly"
}

/** Above this number, as after an import of years of meetings, they go into one mail. */
const eachAtMost = 10

/** What is due, in reading order, as mails. */
export const recapMails = (due: ReadonlyArray<DueRecap>): ReadonlyArray<Outgoing> =>
  [...Map.groupBy(due, ({ accountId }) => accountId)].flatMap(([accountId, owed]) => {
    const meetings = owed.map(({ meetingId }) => meetingId)
    const apart = owed[0]?.recaps === "each" && meetings.length <= eachAtMost
    return (apart ? meetings.map((meeting) => [meeting]) : [meetings]).map((together) => ({
      accountId,
      content: { list: "recaps" as const, meetings: together }
    }))
  })
