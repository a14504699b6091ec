import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { Evidence, Span } from "../../../schema/briefing.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { WrittenBriefing } from "../../text/served-briefing.ts"
import { partSql } from "../meetings/part-sql.ts"
import { serveBriefings } from "../meetings/serving.ts"

interface RecapRow {
  readonly headline: string
  readonly summary: string
  readonly decisions: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/**
 * Takes words out of everything that was made of the place where they are said, in the transaction that takes them out
 * of the transcript: the quotes and sentences that rest on that span, titles of chapters and clips in it and, because
 * they rest on the whole meeting, the headline and the recap. `without` is the text without the words. The caller holds
 * the settings of what is served (`holdClaimCheck`).
 */
export const takeOutOfQuotes = Effect.fnUntraced(function* (
  db: Sql,
  meeting: MeetingId,
  { start, end }: Span,
  without: (text: string) => string
) {
  const isThere = (span: Span) => span.end >= start && span.start <= end
  // A sentence that cites nothing may rest on anything.
  const isOfPlace = ({ citations }: { readonly citations: ReadonlyArray<Span> }) =>
    citations.length === 0 || citations.some(isThere)

  const claims = yield* db<{ id: string; text: string; evidence: ReadonlyArray<Evidence> }>`
    select id, text, evidence from claim where meeting_id = ${meeting}`
  const [briefing] = yield* db<{ written: WrittenBriefing }>`
    select written from briefing where meeting_id = ${meeting}`
  const rewritten = new Map<string, string>()
  const told = <Part extends { readonly text: string; readonly claim?: string | undefined }>(part: Part): Part => {
    const text = without(part.text)
    if (part.claim !== undefined && text !== part.text) rewritten.set(part.claim, text)
    return { ...part, text }
  }
  if (briefing !== undefined) {
    const { written } = briefing
    const headline = told({ text: written.headline, claim: written.headline_claim })
    const now: WrittenBriefing = {
      ...written,
      headline: headline.text,
      worth_watching: written.worth_watching.map((line) => told(line)),
      topics: written.topics.map((topic) => {
        const isAbout = topic.sentences.some(isOfPlace)
        return {
          ...topic,
          title: isAbout ? without(topic.title) : topic.title,
          sentences: topic.sentences.map((one) => (isOfPlace(one) ? told(one) : one))
        }
      })
    }
    yield* db`update briefing set written = ${JSON.stringify(now)}::jsonb where meeting_id = ${meeting}`
  }
  const checked = claims.map(({ id, text, evidence }) => ({
    id,
    text: rewritten.get(id) ?? text,
    evidence: evidence.map((one) => (isThere(one) ? { ...one, quote: without(one.quote) } : one))
  }))
  yield* db`
    update claim c set text = now.text, evidence = now.evidence
    from json_to_recordset(${JSON.stringify(checked)}::json) now (id uuid, text text, evidence jsonb)
    where c.id = now.id and (c.text, c.evidence) <> (now.text, now.evidence)`
  yield* serveBriefings(db, [meeting])

  const [recap] = yield* db<RecapRow>`select headline, summary, decisions from recap where meeting_id = ${meeting}`
  if (recap !== undefined) {
    const decisions = recap.decisions.map((decision) =>
      Object.fromEntries(
        Object.entries(decision).map(([name, value]) => [name, typeof value === "string" ? without(value) : value])
      )
    )
    yield* db`
      update recap set headline = ${without(recap.headline)}, summary = ${without(recap.summary)},
        decisions = ${JSON.stringify(decisions)}::jsonb where meeting_id = ${meeting}`
  }

  const titled = (table: "chapter" | "clip") => db<{ start: number; title: string }>`
    select start::float8 as start, title from ${db(table)}
    where meeting_id = ${meeting} and "end" >= ${start} and start <= ${end}`
  // Chapters are known by their titles, and those made here stay so.
  const mark = partSql.chapters.mark(db, db`${meeting}`)
  const [made] = yield* db<{ made: boolean }>`
    select exists (select from made_part where meeting_id = ${meeting} and part = 'chapters' and mark = ${mark}) as made`
  for (const table of ["chapter", "clip"] as const) {
    for (const { start: at, title } of yield* titled(table)) {
      yield* db`
        update ${db(table)} set title = ${without(title)}
        where meeting_id = ${meeting} and start = ${at} and title = ${title} and title <> ${without(title)}`
    }
  }
  if (made?.made) yield* db`update made_part set mark = ${mark} where meeting_id = ${meeting} and part = 'chapters'`
})
