import { createHash } from "node:crypto"
import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { v5 } from "uuid"
import { Db } from "../../../layers/db/db.ts"
import type { Evidence, Span, Verdict } from "../../../schema/briefing.ts"
import { ClaimId, type MeetingId } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import type { WrittenBriefing } from "../../text/served-briefing.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { segmentsFrom } from "../meetings/packed-segments.ts"
import { holdClaimCheck, serveBriefings } from "../meetings/serving.ts"

/** A claim's id is a UUIDv5 (RFC 9562) of its meeting and position in this namespace, so it survives another check. */
const nameSpace = "0d1a6c8f-51f4-4c53-9f0e-6b6f2a3f7c55"

/** How the hash of claims begins that were checked here, not imported. */
const checkedHere = "checked-"

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()

/** A sentence of a briefing, as a claim. */
export interface ClaimToCheck {
  readonly id: ClaimId
  readonly topic: string
  readonly text: string
  readonly citations: ReadonlyArray<Span>
}

/** A briefing to be checked against the transcript that readers see. */
export interface BriefingToCheck {
  readonly meetingId: MeetingId
  /** Changes whenever the briefing or the transcript does. */
  readonly hash: string
  /** The briefing as it was written, with each part naming its claim. */
  readonly written: WrittenBriefing
  /** Its sentences in order, then its headline, then the lines of "worth watching". */
  readonly claims: ReadonlyArray<ClaimToCheck>
  readonly segments: ReadonlyArray<Segment>
  /** Where the items of the agenda begin, in seconds, in order; empty if that is not known. */
  readonly itemStarts: ReadonlyArray<number>
  /** The names of the meeting and its body, and the text of its agenda. */
  readonly about: string
}

/** A claim with its verdict. */
export interface CheckedClaim extends ClaimToCheck {
  readonly verdict: Verdict
  readonly evidence: ReadonlyArray<Evidence>
}

interface Row {
  readonly hash: string
  readonly written: WrittenBriefing
  readonly about: string
  readonly item_starts: ReadonlyArray<number>
  readonly segments: Uint8Array | null
}

/**
 * A briefing with each part naming its claim, and those claims. Every sentence, the headline and each line of "worth
 * watching" make a claim, because nothing unchecked is served. The headline rests on all citations of the sentences; a
 * line rests on the citations of the sentence that begins at the same second, or else on all of them.
 */
export const claimed = (meetingId: MeetingId, { headline, ...briefing }: WrittenBriefing) => {
  let position = 0
  const naming = <Part extends object>(part: Part) => ({
    ...part,
    claim: ClaimId.make(v5(["claim", meetingId, String(position++)].join("\n"), nameSpace))
  })
  const topics = briefing.topics.map((topic) => ({ ...topic, sentences: topic.sentences.map(naming) }))
  const { claim: headline_claim } = naming({})
  const worth_watching = briefing.worth_watching.map(naming)
  const sentences = topics.flatMap(({ title, sentences }) =>
    sentences.map(({ claim, text, citations }): ClaimToCheck => ({ id: claim, topic: title, text, citations }))
  )
  const all = sentences.flatMap(({ citations }) => citations)
  const lines = worth_watching.map(({ claim, text, start }): ClaimToCheck => {
    const own = sentences.find(({ citations }) => citations[0] !== undefined && citations[0].start === start)
    return { id: claim, topic: "Worth watching", text, citations: own?.citations ?? all }
  })
  const written: WrittenBriefing = { headline, headline_claim, worth_watching, topics }
  return {
    written,
    claims: [...sentences, { id: headline_claim, topic: "Headline", text: headline, citations: all }, ...lines]
  }
}

/** The reads and writes of a briefing's check. */
export class ClaimChecks extends Context.Service<
  ClaimChecks,
  {
    /** Undefined if the meeting has no briefing. */
    readonly wanted: (meeting: MeetingId) => Effect.Effect<BriefingToCheck | undefined, SqlError.SqlError>
    /**
     * Whether the briefing's claims were imported with their verdicts, and each quote is still in the transcript. Where
     * nobody can check them again, they stand.
     */
    readonly areSettled: (briefing: BriefingToCheck) => Effect.Effect<boolean, SqlError.SqlError>
    /**
     * Replaces the claims of the briefing, decides again what is served of it, and announces that
     * (`briefing.verified`), in the transaction that ends the task. `checkedBy` names the judges, with versions.
     * Returns false, having written nothing, if the briefing or the transcript was replaced meanwhile.
     */
    readonly keep: (
      briefing: BriefingToCheck,
      claims: ReadonlyArray<CheckedClaim>,
      checkedBy: string
    ) => Effect.Effect<boolean, SqlError.SqlError>
  }
>()("civic-record/ClaimChecks") {
  static readonly layer = Layer.effect(
    ClaimChecks,
    Effect.gen(function* () {
      const db = yield* Db

      const wanted = Effect.fn("ClaimChecks.wanted")(function* (meetingId: MeetingId) {
        const [row] = yield* db<Row>`
          select concat_ws(' ', b.content_hash, t.content_hash) as hash, b.written, t.segments,
            concat_ws(E'\n', m.title, body.name, (
              select string_agg(concat_ws(' ', i.title, i.description), E'\n') from agenda_item i
              where i.meeting_id = b.meeting_id)) as about,
            array(select start::float8 from agenda_item where meeting_id = b.meeting_id and start is not null
              order by start) as item_starts
          from briefing b join meeting m on m.id = b.meeting_id join body on body.id = m.body_id left join lateral (
            select content_hash, segments from published_transcript where meeting_id = b.meeting_id
            order by version = 'refined' desc limit 1) t on true
          where b.meeting_id = ${meetingId}`
        if (row === undefined) return undefined
        const { hash, written, about, segments, item_starts: itemStarts } = row
        const said = segments === null ? [] : yield* segmentsFrom(segments)
        return { meetingId, hash, about, itemStarts, ...claimed(meetingId, written), segments: said }
      })

      const areSettled = Effect.fn("ClaimChecks.areSettled")(function* ({
        meetingId,
        claims,
        segments
      }: BriefingToCheck) {
        const known = yield* db<{ text: string; verdict: string | null; evidence: ReadonlyArray<Evidence> }>`
          select c.text, c.verdict, c.evidence from claim c join claims all_of on all_of.meeting_id = c.meeting_id
          where c.meeting_id = ${meetingId} and not starts_with(all_of.content_hash, ${checkedHere})`
        const said = oneLine(segments.map(({ text }) => text).join(" "))
        const isHeard = ({ quote }: Evidence) => said.includes(oneLine(quote))
        const texts = new Set(known.map(({ text }) => text))
        return (
          claims.every(({ text }) => texts.has(text)) &&
          known.every(({ verdict, evidence }) => verdict !== null && evidence.every(isHeard))
        )
      })

      const keep = Effect.fn("ClaimChecks.keep")(function* (
        briefing: BriefingToCheck,
        claims: ReadonlyArray<CheckedClaim>,
        checkedBy: string
      ) {
        const { meetingId, hash } = briefing
        yield* holdClaimCheck(db)
        yield* db`select from meeting where id = ${meetingId} for no key update`
        const now = yield* wanted(meetingId)
        if (now?.hash !== hash) return false
        const at = DateTime.formatIso(yield* DateTime.now)
        const checked = JSON.stringify(claims.map((claim) => ({ ...claim, checked_at: at })))
        // Unlike the hash of any imported line, so that importing the same claims later counts as a change.
        const fingerprint = `${checkedHere}${createHash("sha256").update(checked).digest("hex")}`
        yield* db`
          insert into claims (meeting_id, content_hash, checked_by) values (${meetingId}, ${fingerprint}, ${checkedBy})
          on conflict (meeting_id) do update set content_hash = excluded.content_hash, checked_by = excluded.checked_by`
        yield* db`delete from claim where meeting_id = ${meetingId}`
        yield* db`
          insert into claim (id, meeting_id, position, topic, text, verdict, evidence, checked_at)
          select claim.id, ${meetingId}, claim.position, claim.topic, claim.text, claim.verdict, claim.evidence,
            claim.checked_at
          from rows from (json_to_recordset(${checked}::json)
            as (id uuid, topic text, text text, verdict text, evidence jsonb, checked_at timestamptz)) with ordinality
            claim (id, topic, text, verdict, evidence, checked_at, position)`
        yield* db`
          update briefing set written = ${JSON.stringify(briefing.written)}::jsonb
          where meeting_id = ${meetingId}`
        yield* serveBriefings(db, [meetingId])
        yield* meetingsChanged(db, [meetingId], {
          also: [{ event: "briefing.verified", data: { meeting_id: meetingId } }]
        })
        return true
      })

      return { wanted, areSettled, keep }
    })
  )
}
