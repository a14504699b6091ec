import { Context, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import type { Claim, Claims, EditedNewsletter, Newsletter, Verdict } from "../../../schema/briefing.ts"
import type { BundleBriefing } from "../../../schema/bundle.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { given } from "../wire.ts"
import { MissingPart } from "./missing-part.ts"
import { standing } from "./newsletter-teaser.ts"

interface BriefingRow {
  readonly headline: string
  readonly content: Pick<BundleBriefing, "worth_watching" | "topics">
  readonly generator: string | null
  readonly published_at: Date
  readonly published: boolean
  readonly verification: EditedNewsletter["verification"]
  readonly verdicts: Readonly<Record<string, Verdict>>
}

interface StandingRow {
  readonly enabled: boolean
  readonly verified: boolean
}

interface ClaimRow extends Omit<Claim, "checked_at" | "kept"> {
  readonly checked_at: Date
}

/**
 * Turns a briefing as written into what is served. Once it is verified, it keeps the sentences that make no claim or
 * a supported one. While the check is disabled, or if nobody here checked it, it also keeps claims without a verdict, but
 * never one that an earlier check did not support (spec section 2). A topic that loses every sentence is left out.
 */
export const edited = (meetingId: MeetingId, row: BriefingRow): Newsletter => {
  const claimed = row.content.topics.flatMap((topic) => topic.sentences.flatMap(({ claim }) => claim ?? []))
  const fallen = claimed.filter(
    (claim) => (row.verdicts[claim] ?? (row.verification === "verified" ? undefined : "supported")) !== "supported"
  )
  const topics = row.content.topics.map((topic) => ({ ...topic, standing: standing(topic, fallen) }))
  return {
    meeting_id: meetingId,
    pending_verification: false,
    verification: row.verification,
    headline: row.headline,
    worth_watching: row.content.worth_watching,
    topics: topics
      .filter((topic) => topic.standing.length > 0 || topic.sentences.length === 0)
      .map(({ title, standing, figures }) => ({
        title,
        sentences: standing.map(({ text, citations }) => ({ text, citations })),
        figures
      })),
    removed_sentences: topics.reduce((sum, topic) => sum + topic.sentences.length - topic.standing.length, 0),
    ...given("generator", row.generator),
    published_at: row.published_at.toISOString()
  }
}

/** A meeting's written briefing, and what checking it against the recording found. */
export class Briefings extends Context.Service<
  Briefings,
  {
    /** The edited briefing, or word that its claims are still to be checked. */
    readonly newsletter: (meetingId: MeetingId) => Effect.Effect<Newsletter, MissingPart>
    /** The claims checked so far: all of them once `status` is `verified`, which needs at least one. */
    readonly claims: (meetingId: MeetingId) => Effect.Effect<Claims, MissingPart>
  }
>()("civic-record/Briefings") {
  static readonly layer = Layer.effect(
    Briefings,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const isChecked = db.literal(
        `coalesce((select value <> 'false' from setting where name = 'pipeline.ClaimCheck'), true)`
      )

      const newsletter = Effect.fn("Briefings.newsletter")(function* (meetingId: MeetingId) {
        const [row] = yield* db<BriefingRow>`
          select b.headline, b.content, b.generator, b.published_at,
            case when not ${isChecked} then 'disabled'
              when exists (select from claim c where c.meeting_id = b.meeting_id) then 'verified'
              else 'unchecked' end as verification,
            exists (select from published_briefing p where p.meeting_id = b.meeting_id) as published,
            coalesce((select json_object_agg(c.id, c.verdict) from claim c
              where c.meeting_id = b.meeting_id and c.verdict is not null), '{}') as verdicts
          from briefing b where b.meeting_id = ${meetingId}`
        if (row === undefined) return yield* new MissingPart({ meetingId, part: "briefing" })
        return row.published
          ? edited(meetingId, row)
          : ({ meeting_id: meetingId, pending_verification: true } satisfies Newsletter)
      }, dbDies)

      const claims = Effect.fn("Briefings.claims")(function* (meetingId: MeetingId) {
        const [found] = yield* db<StandingRow>`
          select ${isChecked} as enabled,
            exists (select from claim c where c.meeting_id = b.meeting_id) and not exists
              (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null) as verified
          from briefing b where b.meeting_id = ${meetingId}`
        if (found === undefined) return yield* new MissingPart({ meetingId, part: "briefing" })
        const rows = yield* db<ClaimRow>`
          select id, topic, text, verdict, evidence, checked_at from claim
          where meeting_id = ${meetingId} and verdict is not null order by position`
        return {
          meeting_id: meetingId,
          enabled: found.enabled,
          status: found.verified ? "verified" : "pending",
          claims: rows.map(
            ({ id, topic, text, verdict, evidence, checked_at }): Claim => ({
              id,
              topic,
              text,
              verdict,
              kept: verdict === "supported",
              evidence,
              checked_at: checked_at.toISOString()
            })
          )
        } satisfies Claims
      }, dbDies)

      return { newsletter, claims }
    })
  )
}
