import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What lets several writers import one record side by side, and each of them cheaply. Counts of held meetings are brought
 * up to date at commit, the vectors of stretches may come from the writer, and `document` is concatenated.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A count that is raised with the meeting stays locked until the commit, so that two batches of one body and year would
  // wait for each other. Deferred, it is raised while the feed's lock is held, which lets one commit at a time through.
  for (const trigger of ["meeting_counted_in", "meeting_counted_out", "meeting_recounted"]) {
    yield* sql`drop trigger ${sql(trigger)} on meeting`
  }
  yield* sql`
    create or replace function count_held() returns trigger language plpgsql as $$
    begin
      if tg_op in ('UPDATE', 'DELETE') and old.status = 'held' then
        update held_count set held = held - 1 where body_id = old.body_id and year = old.year;
      end if;
      -- A body that went with its meetings in this transaction is counted no longer.
      if tg_op in ('UPDATE', 'INSERT') and new.status = 'held' then
        insert into held_count as h (body_id, year, held)
        select id, new.year, 1 from body where id = new.body_id
        on conflict (body_id, year) do update set held = h.held + 1;
      end if;
      return null;
    end $$`
  yield* sql`
    create constraint trigger meeting_counted_in after insert on meeting deferrable initially deferred
    for each row when (new.status = 'held') execute function count_held()`
  yield* sql`
    create constraint trigger meeting_counted_out after delete on meeting deferrable initially deferred
    for each row when (old.status = 'held') execute function count_held()`
  yield* sql`
    create constraint trigger meeting_recounted after update on meeting deferrable initially deferred
    for each row when ((old.body_id, old.year, old.status) is distinct from (new.body_id, new.year, new.status))
    execute function count_held()`

  // Taking a text apart is most of what indexing it costs. The import does so once per distinct word
  // (src/services/meetings/chunk-vectors.ts); whoever brings no vector gets it made here.
  yield* sql`alter table transcript_chunk alter column words drop expression`
  yield* sql`
    create function make_chunk_words() returns trigger language plpgsql as $$
    begin
      new.words := search_vector(new.text);
      return new;
    end $$`
  yield* sql`
    create trigger transcript_chunk_words_made before insert on transcript_chunk
    for each row when (new.words is null) execute function make_chunk_words()`
  yield* sql`
    create trigger transcript_chunk_words_remade before update of text on transcript_chunk
    for each row execute function make_chunk_words()`

  // Room for the next count of a word beside the one before, which then touches none of the indexes.
  yield* sql`alter table word_form set (fillfactor = 70)`

  yield* sql`create aggregate tsvector_all (tsvector) (sfunc = tsvector_concat, stype = tsvector, initcond = '')`
  // The words of a transcript without positions, joined in two levels: in one, each stretch would copy all before it.
  yield* sql`
    create function spoken_words(meeting uuid) returns tsvector language sql stable as $$
      select coalesce(tsvector_all(part), '') from (
        select tsvector_all(strip(c.words)) as part from transcript_chunk c
        where c.meeting_id = meeting group by c.position / 17) parts
    $$`
  yield* sql`
    create or replace function index_meetings(ids uuid[]) returns void language sql as $$
      delete from meeting_search where meeting_id = any(ids);
      with named as (
        select m.id, m.body_id, m.date, m.year,
          setweight(search_vector(m.title || ' ' || b.name || ' ' || coalesce(
            (select string_agg(p.name, ' ') from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id), '')), 'A')
          -- The meeting at which a thing is introduced counts above those that take it up again.
          || setweight(search_vector(coalesce(
            (select string_agg(a.number, ' ' order by a.position) from agenda_item a
              where a.meeting_id = m.id and a.outcome ~* '^(introduced|first reading|referred to comm)'), '')), 'A')
          || setweight(search_vector(coalesce(
            (select string_agg(concat_ws(' ', a.number, a.title), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.position) from chapter c where c.meeting_id = m.id), '')
            || ' ' || coalesce((select string_agg(c.title, ' ' order by c.start, c.id) from clip c
              where c.meeting_id = m.id and c.state = 'published'), '')
            || ' ' || coalesce((select f.headline from published_briefing f where f.meeting_id = m.id), '')), 'B')
          || setweight(search_vector(coalesce(
            (select string_agg(left(a.description, 4000), ' ' order by a.position) from agenda_item a where a.meeting_id = m.id), '')), 'C')
          || search_vector(coalesce(
            (select string_agg(k.name, ' ' order by k.start, k.name) from transcript_speaker k where k.meeting_id = m.id), ''))
          as named
        from meeting m join body b on b.id = m.body_id
        where m.id = any(ids) and m.status = 'held'
      )
      insert into meeting_search (meeting_id, body_id, date, year, named, document)
      select n.id, n.body_id, n.date, n.year, n.named,
        strip(n.named) || spoken_words(n.id)
      from named n
    $$`
})
