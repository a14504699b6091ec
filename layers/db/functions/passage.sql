-- The passages of transcripts whole: the words of each as search finds them, its text, and the second at which each
-- position of `words` is said. Who reads only words does not read `passage_text`. Text and seconds are unpacked at each
-- mention, so a statement that needs them several times takes them once (`offset 0`).
create or replace view passage as
select v.meeting_id, v.position, t.texts[(v.position - 1) % 16 + 1] as text,
  t.starts[coalesce(t.ends[(v.position - 1) % 16], 0) + 1 : t.ends[(v.position - 1) % 16 + 1]] as starts, v.words
from passage_vector v left join passage_text t on t.meeting_id = v.meeting_id and t.block = (v.position - 1) / 16;

-- Builds up to 139 write the view, in the order of positions, and replace the passages of a meeting together.
create or replace function write_passage() returns trigger language plpgsql as $$
begin
  insert into passage_vector (meeting_id, position, words) values (new.meeting_id, new.position, new.words);
  insert into passage_text as t (meeting_id, block, texts, starts, ends)
  values (new.meeting_id, (new.position - 1) / 16, array[new.text], new.starts, array[cardinality(new.starts)])
  on conflict (meeting_id, block) do update set texts = t.texts || excluded.texts,
    starts = t.starts || excluded.starts, ends = t.ends || cardinality(t.starts) + cardinality(excluded.starts);
  return new;
end $$;
create or replace trigger written instead of insert on passage for each row execute function write_passage();

create or replace function delete_passage() returns trigger language plpgsql as $$
begin
  delete from passage_vector where meeting_id = old.meeting_id and position = old.position;
  delete from passage_text where meeting_id = old.meeting_id;
  return old;
end $$;
create or replace trigger deleted instead of delete on passage for each row execute function delete_passage();
