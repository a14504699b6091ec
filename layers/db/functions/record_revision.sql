-- Raises the record's revision once per transaction that changes anything public.

create or replace function raise_record_revision() returns trigger language plpgsql as $$
declare
  transaction text := pg_current_xact_id()::text;
  free int;
begin
  -- The setting lasts for the transaction, or until a savepoint is rolled back.
  if current_setting('civic_record.raised', true) is distinct from transaction then
    select slot into free from record_revision order by slot limit 1 for update skip locked;
    if found then
      update record_revision set raised = raised + 1 where slot = free;
    else
      insert into record_revision (raised) values (1);
    end if;
    perform set_config('civic_record.raised', transaction, true);
  end if;
  return null;
end $$;

-- Every table that public answers are computed from; test/services/feed/record-revision.test.ts lists all others.
do $$
declare
  name text;
begin
  foreach name in array array[
    'place', 'body', 'body_place', 'retired_slug', 'body_address', 'held_count', 'body_held', 'meeting',
    'removed_meeting', 'meeting_search', 'agenda_item', 'chapter', 'clip', 'transcript', 'passage_block',
    'transcript_speaker', 'removal', 'briefing', 'claims', 'claim', 'recap', 'agenda_summary', 'figure', 'media', 'setting',
    'person', 'retired_person', 'membership', 'matter', 'sponsor', 'matter_step', 'vote', 'ballot',
    'document', 'document_version', 'document_page', 'document_passage', 'agenda_item_page', 'word_neighbor'
  ] loop
    execute format('create or replace trigger raises_revision after insert or update or delete or truncate on %I
      for each statement execute function raise_record_revision()', name);
  end loop;
end $$;
-- Only columns that are shown: a clip's counters rise with every visit.
create or replace trigger raises_revision
  after insert or delete or truncate or update of title, start, "end", state, slug on user_clip
  for each statement execute function raise_record_revision();
-- Which cell a vector is in shows nowhere.
create or replace trigger raises_revision after insert or delete or truncate on embedding
  for each statement execute function raise_record_revision();
