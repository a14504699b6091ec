import { Context, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import type { Claim, Claims, EditedNewsletter, Newsletter } from "../../../schema/briefing.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { ServedBriefing } from "../../text/served-briefing.ts"
import { given } from "../wire.ts"
import { MissingPart } from "./missing-part.ts"
import { isClaimChecked, isUncheckedServed, verificationOf } from "./serving.ts"

interface BriefingRow {
  readonly served: ServedBriefing | null
  readonly title: string
  readonly generator: string | null
  readonly published_at: Date
  readonly verification: EditedNewsletter["verification"]
}

interface StandingRow {
  readonly enabled: boolean
  readonly verified: boolean
  readonly imported: boolean
  readonly unchecked_served: boolean
}

interface ClaimRow extends Omit<Claim, "checked_at" | "kept"> {
  readonly checked_at: Date
}

/** A meeting's briefing, and the results of checking it against the recording. */
export class Briefings extends Context.Service<
  Briefings,
  {
    /** The briefing as served, or its status while its claims are still to be checked. */
    readonly newsletter: (meetingId: MeetingId) => Effect.Effect<Newsletter, MissingPart>
    /** The claims checked so far: all of them once `status` is `verified`, which needs at least one. */
    readonly claims: (meetingId: MeetingId) => Effect.Effect<Claims, MissingPart>
  }
>()("civic-record/Briefings") {
  static readonly layer = Layer.effect(
    Briefings,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const isChecked = isClaimChecked(db)

      const newsletter = Effect.fn("Briefings.newsletter")(function* (meetingId: MeetingId) {
        const [row] = yield* db<BriefingRow>`
          select f.served, m.title, f.generator, f.published_at, ${verificationOf(db)} as verification
          from briefing f join meeting m on m.id = f.meeting_id where f.meeting_id = ${meetingId}`
        if (row === undefined) return yield* new MissingPart({ meetingId, part: "briefing" })
        const { served, title, generator, published_at, verification } = row
        if (served === null) return { meeting_id: meetingId, pending_verification: true } satisfies Newsletter
        return {
          meeting_id: meetingId,
          pending_verification: false,
          verification,
          headline: title,
          ...served,
          ...given("generator", generator),
          published_at: published_at.toISOString()
        } satisfies Newsletter
      }, dbDies)

      const claims = Effect.fn("Briefings.claims")(function* (meetingId: MeetingId) {
        const [found] = yield* db<StandingRow>`
          select ${isChecked} as enabled, (${isUncheckedServed(db)} or not ${isChecked}) as unchecked_served,
            exists (select from claim c where c.meeting_id = b.meeting_id) and not exists
              (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null) as verified,
            exists (select from claims c where c.meeting_id = b.meeting_id and c.checked_by is null) as imported
          from briefing b where b.meeting_id = ${meetingId}`
        if (found === undefined) return yield* new MissingPart({ meetingId, part: "briefing" })
        const rows = yield* db<ClaimRow>`
          select id, topic, text, verdict, evidence, checked_at from claim
          where meeting_id = ${meetingId} and verdict is not null order by position`
        return {
          meeting_id: meetingId,
          enabled: found.enabled,
          status: found.verified ? "verified" : "pending",
          imported: found.imported,
          claims: rows.map(
            ({ id, topic, text, verdict, evidence, checked_at }): Claim => ({
              id,
              topic,
              text,
              verdict,
              kept: verdict === "supported" || (verdict === "unchecked" && found.unchecked_served),
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
