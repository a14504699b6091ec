import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A briefing is stored as it was written, with its claims' ids, and beside that as it is served; null while it is pending.
 * What is served is decided where it is written (src/text/served-briefing.ts), and here once for the briefings on record.
 *
 * Checks used to overwrite a headline that they did not support, and such lines. The headline is brought back from its
 * claim, which has its text; a line that was left out is lost, and so is whatever an earlier check overwrote.
 *
 * `made_part` names the parts of a meeting as everything else does.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table briefing
      add column written jsonb,
      add column served jsonb,
      add column follows_setting boolean not null default true`
  yield* sql`
    with verdicts as (
      select b.meeting_id, coalesce((select value <> 'false' from setting where name = 'pipeline.ClaimCheck'), true) as checked,
        exists (select from claim c where c.meeting_id = b.meeting_id) as claimed,
        exists (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null) as awaited
      from briefing b
    ), topics as (
      select b.meeting_id, t.turn, t.topic, jsonb_array_length(t.topic -> 'sentences') as written, s.is_unknown,
        coalesce(s.kept, '[]') as kept
      from briefing b join verdicts v using (meeting_id),
        jsonb_array_elements(b.content -> 'topics') with ordinality t (topic, turn),
        lateral (
          select bool_or(s.sentence ? 'claim' and c.id is null) as is_unknown,
            jsonb_agg(s.sentence - 'claim' order by s.number) filter (where not s.sentence ? 'claim'
              or c.verdict = 'supported' or c.verdict is null and not (v.checked and v.claimed)) as kept
          from jsonb_array_elements(t.topic -> 'sentences') with ordinality s (sentence, number)
          left join claim c on c.id::text = s.sentence ->> 'claim' and c.meeting_id = b.meeting_id) s
    ), parts as (
      select meeting_id, sum(written - jsonb_array_length(kept)) as removed, bool_or(is_unknown) as is_unknown,
        jsonb_agg(topic || jsonb_build_object('sentences', kept) order by turn)
          filter (where written = 0 or jsonb_array_length(kept) > 0) as topics
      from topics group by meeting_id
    )
    update briefing b set
      served = case when not (v.checked and v.awaited) then jsonb_build_object(
        'headline', b.headline, 'worth_watching', b.content -> 'worth_watching',
        'topics', coalesce(p.topics, '[]'), 'removed_sentences', coalesce(p.removed, 0)) end,
      follows_setting = v.claimed and (v.awaited or coalesce(p.is_unknown, false)),
      written = b.content || coalesce(
        (select jsonb_build_object('headline', c.text, 'headline_claim', c.id) from claim c join claims s using (meeting_id)
          where c.meeting_id = b.meeting_id and s.checked_by is not null and c.topic = 'Headline' and c.position = 1 + (
            select coalesce(sum(written), 0) from topics t where t.meeting_id = b.meeting_id)),
        jsonb_build_object('headline', b.headline))
    from verdicts v left join parts p using (meeting_id) where v.meeting_id = b.meeting_id`
  yield* sql`
    update made_part set part = case part when 'raw' then 'raw_transcript' else 'transcript' end
    where part in ('raw', 'refined')`
  yield* sql`drop view published_briefing`
  yield* sql`alter table briefing drop column headline, drop column content, alter column written set not null`
  // Cards show it, and are not to read the rest.
  yield* sql`
    alter table briefing add column headline text generated always as (served ->> 'headline') stored`
  yield* sql`
    create view published_briefing as
    select meeting_id, headline, served, generator, published_at from briefing where served is not null`
})
