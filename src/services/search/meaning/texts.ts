import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { rowsBy } from "../../../../layers/db/rows.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import { clampAtWord } from "../../../text/clamp.ts"
import { longestHeadline } from "../../meetings/newsletter-teaser.ts"

/** A text by which a meeting may be found by its meaning. */
export interface MeantText {
  readonly meeting: MeetingId
  readonly field: "agenda" | "briefing"
  readonly text: string
  /** In seconds. */
  readonly start: number | null
  /** Whether everybody may read it. */
  readonly isPublic: boolean
}

/** Most models read some 500 tokens, and less well what is long. */
const longestText = 1000
/** Of one meeting. */
const mostTexts = 400
/** `Roll call` and `Public comment` are in every meeting. */
const fewestWords = 3

const textRows = rowsBy(
  Schema.Struct({
    meeting: MeetingId,
    field: Schema.Literals(["agenda", "briefing"]),
    text: Schema.String,
    start: Schema.NullOr(Schema.Finite),
    is_public: Schema.Boolean
  })
)

/**
 * The texts of held meetings as they stand: the headline and the agenda's items with their plain words, which are
 * public, and, for those who may read the meeting, the decisions and the topics of the briefing as it is served.
 */
export const textsOf = Effect.fnUntraced(function* (db: ReadSql, ids: ReadonlyArray<string>) {
  const rows = yield* textRows(db`
    with held as (select id from meeting where id = any(${ids}::uuid[]) and status = 'held')
    select m.id as meeting, t.field, t.text, t.start, t.is_public from held m, lateral (
      select 0 as turn, 0 as position, 'briefing' as field, f.headline as text, null::float8 as start, true as is_public
      from published_briefing f where f.meeting_id = m.id and f.headline is not null
      union all
      select 1, a.position, 'agenda', a.title || coalesce('. ' || (
          select i ->> 'summary' from agenda_summary s, jsonb_array_elements(s.items) i
          where s.meeting_id = m.id and i ->> 'title' = a.title limit 1), ''), a.start::float8, true
      from agenda_item a where a.meeting_id = m.id
      union all
      select 2, d.position::int, 'briefing', coalesce((
          select a.title || ': ' from agenda_item a
          where a.meeting_id = m.id and a.id::text = d.decision ->> 'agenda_item'), '') || (d.decision ->> 'outcome'),
        (d.decision ->> 'start')::float8, false
      from recap r, jsonb_array_elements(r.decisions) with ordinality d (decision, position) where r.meeting_id = m.id
      union all
      select 3, t.position::int, 'briefing', (t.topic ->> 'title') || '. ' || (
          select string_agg(s ->> 'text', ' ' order by n)
          from jsonb_array_elements(t.topic -> 'sentences') with ordinality s (s, n)),
        (t.topic #>> '{sentences,0,citations,0,start}')::float8, false
      from published_briefing f, jsonb_array_elements(f.served -> 'topics') with ordinality t (topic, position)
      where f.meeting_id = m.id and jsonb_array_length(t.topic -> 'sentences') > 0
      order by turn, position limit ${mostTexts}) t`)
  return rows.flatMap(({ is_public: isPublic, field, text, ...row }): ReadonlyArray<MeantText> => {
    const whole = text.replace(/\s+/gu, " ").trim()
    if (whole.split(" ").length < fewestWords) return []
    // A headline is public as far as it is shown.
    const isHeadline = field === "briefing" && isPublic
    return [{ ...row, field, isPublic, text: clampAtWord(whole, isHeadline ? longestHeadline : longestText) }]
  })
})

/** What a text is known by, with this model. */
export const digestOf = (model: string, { text }: Pick<MeantText, "text">): string =>
  hash("sha256", `${model}\n${text}`, "hex").slice(0, 32)
