-- Adds the words in the names of bodies and places to word_form, by which misspellings are corrected.

create or replace function note_name() returns trigger language plpgsql as $$
begin
  insert into word_form (word, times, is_name)
  select distinct word, 1, true from regexp_split_to_table(fold(new.name), '[^[:alpha:]]+') word
  where length(word) between 3 and 40 order by word
  on conflict (word) do update set is_name = true where not word_form.is_name;
  return null;
end $$;

create or replace trigger body_name_noted after insert or update of name on body
  for each row execute function note_name();
create or replace trigger place_name_noted after insert or update of name on place
  for each row execute function note_name();
