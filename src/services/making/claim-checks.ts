import { createHash } from "node:crypto"
import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { v5 } from "uuid"
import { Db } from "../../../layers/db/db.ts"
import type { Evidence, Span, Verdict } from "../../../schema/briefing.ts"
import type { BundleBriefing } from "../../../schema/bundle.ts"
import { ClaimId, type MeetingId } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { segmentsFrom } from "../meetings/kept-segments.ts"

/** Claims have UUIDv5 ids (RFC 9562) of their meeting and position in this namespace: checked again, they keep them. */
const nameSpace = "0d1a6c8f-51f4-4c53-9f0e-6b6f2a3f7c55"

/** A sentence of a briefing, as the claim that it makes. */
export interface ClaimToCheck {
  readonly id: ClaimId
  readonly topic: string
  readonly text: string
  readonly citations: ReadonlyArray<Span>
  /** Where the briefing has it. */
  readonly part: "sentence" | "headline" | "worth watching"
}

/** A briefing to be checked against the transcript that readers see. */
export interface BriefingToCheck {
  readonly meetingId: MeetingId
  /** Changes with the briefing and with the transcript. */
  readonly hash: string
  /** Its sentences in their order, then its headline and what is worth watching. */
  readonly claims: ReadonlyArray<ClaimToCheck>
  readonly segments: ReadonlyArray<Segment>
  /** Text that names the meeting, its body and what was on its agenda. */
  readonly about: string
  /** The meeting's title. */
  readonly title: string
}

/** A claim with its verdict. */
export interface CheckedClaim extends ClaimToCheck {
  readonly verdict: Verdict
  readonly evidence: ReadonlyArray<Evidence>
}

interface Row {
  readonly hash: string
  readonly headline: string
  readonly content: Pick<BundleBriefing, "topics" | "worth_watching">
  readonly title: string
  readonly about: string
  readonly segments: Uint8Array | null
}

/**
 * Every sentence makes a claim, and so do the headline and the lines of what is worth watching: what is not checked is not
 * served. The headline rests on all that the sentences cite, a line on what the sentence cites that begins where it does.
 */
const claimsOf = (meetingId: MeetingId, { headline, content }: Row): ReadonlyArray<ClaimToCheck> => {
  const sentences = content.topics.flatMap(({ title, sentences }) =>
    sentences.map(({ text, citations }) => ({ topic: title, text, citations, part: "sentence" as const }))
  )
  const all = sentences.flatMap(({ citations }) => citations)
  const lines = content.worth_watching.map(({ text, start }) => {
    const own = sentences.find(({ citations }) => citations[0]?.start === start)
    return { topic: "Worth watching", text, citations: own?.citations ?? all, part: "worth watching" as const }
  })
  return [...sentences, { topic: "Headline", text: headline, citations: all, part: "headline" as const }, ...lines].map(
    (claim, position) => ({
      id: ClaimId.make(v5(["claim", meetingId, String(position)].join("\n"), nameSpace)),
      ...claim
    })
  )
}

/** A headline is no longer, where another can be had. */
const longestHeadline = 140

/** The headline and the lines of a briefing as far as they are supported; checked sentences stand in for the others. */
const standingParts = ({ title }: BriefingToCheck, claims: ReadonlyArray<CheckedClaim>) => {
  const supported = claims.filter(({ verdict }) => verdict === "supported")
  const sentences = supported.filter(({ part }) => part === "sentence")
  const short = sentences.find(({ text }) => text.length <= longestHeadline)
  const [headline = short ?? sentences[0]] = supported.filter(({ part }) => part === "headline")
  const lines = claims
    .filter(({ part }) => part === "worth watching")
    .flatMap((line) => {
      const [start] = line.citations
      const own = sentences.find(({ citations }) => citations[0]?.start === start?.start)
      const text = line.verdict === "supported" ? line.text : own?.text
      return text === undefined ? [] : [{ text, ...(start === undefined ? {} : { start: start.start }) }]
    })
  return { headline: headline?.text ?? title, worth_watching: lines }
}

/** What checking a briefing reads and writes. */
export class ClaimChecks extends Context.Service<
  ClaimChecks,
  {
    /** Undefined where the meeting has no briefing. */
    readonly wanted: (meeting: MeetingId) => Effect.Effect<BriefingToCheck | undefined, SqlError.SqlError>
    /**
     * Replaces the claims of the briefing, and in it the headline and the lines that are not supported, in the transaction that ends the task, and tells it (`briefing.verified`). `checkedBy`
     * names what judged them, with versions. Answers false, having written nothing, if the briefing or the transcript was
     * replaced meanwhile.
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
          select concat_ws(' ', b.content_hash, t.content_hash) as hash, b.headline, b.content, m.title, t.segments,
            concat_ws(E'\n', m.title, body.name, (
              select string_agg(concat_ws(' ', i.title, i.description), E'\n') from agenda_item i
              where i.meeting_id = b.meeting_id)) as about
          from briefing b join meeting m on m.id = b.meeting_id join body on body.id = m.body_id left join lateral (
            select content_hash, segments from published_transcript where meeting_id = b.meeting_id
            order by version = 'refined' desc limit 1) t on true
          where b.meeting_id = ${meetingId}`
        if (row === undefined) return undefined
        const { hash, title, about, segments } = row
        const said = segments === null ? [] : yield* segmentsFrom(segments)
        return { meetingId, hash, title, about, claims: claimsOf(meetingId, row), segments: said }
      })

      const keep = Effect.fn("ClaimChecks.keep")(function* (
        briefing: BriefingToCheck,
        claims: ReadonlyArray<CheckedClaim>,
        checkedBy: string
      ) {
        const { meetingId, hash } = briefing
        yield* db`select from meeting where id = ${meetingId} for no key update`
        const now = yield* wanted(meetingId)
        if (now?.hash !== hash) return false
        const at = DateTime.formatIso(yield* DateTime.now)
        const checked = JSON.stringify(claims.map((claim) => ({ ...claim, checked_at: at })))
        // A later import of the same claims line is news again: this is not what it brought.
        const fingerprint = `checked-${createHash("sha256").update(checked).digest("hex")}`
        yield* db`
          insert into claims (meeting_id, content_hash, checked_by) values (${meetingId}, ${fingerprint}, ${checkedBy})
          on conflict (meeting_id) do update set content_hash = excluded.content_hash, checked_by = excluded.checked_by`
        yield* db`delete from claim where meeting_id = ${meetingId}`
        yield* db`
          insert into claim (id, meeting_id, position, topic, text, verdict, evidence, checked_at)
          select claim.id, ${meetingId}, claim.position, claim.topic, claim.text, claim.verdict, claim.evidence, claim.checked_at
          from rows from (json_to_recordset(${checked}::json)
            as (id uuid, topic text, text text, verdict text, evidence jsonb, checked_at timestamptz)) with ordinality
            claim (id, topic, text, verdict, evidence, checked_at, position)`
        // Each sentence names its claim, in the order in which they were read.
        yield* db`
          update briefing b set content = jsonb_set(b.content, '{topics}', (
            select coalesce(jsonb_agg(jsonb_set(topic, '{sentences}', (
              select coalesce(jsonb_agg(sentence || jsonb_build_object('claim', c.id) order by number), '[]')
              from jsonb_array_elements(topic -> 'sentences') with ordinality said (sentence, number)
              join claim c on c.meeting_id = b.meeting_id and c.position = number + (
                select coalesce(sum(jsonb_array_length(earlier -> 'sentences')), 0)
                from jsonb_array_elements(b.content -> 'topics') with ordinality before (earlier, turn)
                where before.turn < topics.turn))) order by turn), '[]')
            from jsonb_array_elements(b.content -> 'topics') with ordinality topics (topic, turn)))
          where b.meeting_id = ${meetingId}`
        const { headline, worth_watching } = standingParts(briefing, claims)
        yield* db`
          update briefing set headline = ${headline},
            content = jsonb_set(content, '{worth_watching}', ${JSON.stringify(worth_watching)}::jsonb)
          where meeting_id = ${meetingId}`
        yield* meetingsChanged(db, [meetingId], {
          also: [{ event: "briefing.verified", data: { meeting_id: meetingId } }]
        })
        return true
      })

      return { wanted, keep }
    })
  )
}
