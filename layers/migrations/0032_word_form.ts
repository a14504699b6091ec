import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The words that the record holds, as they are written, so that a misspelt word of a query can be mended. Words of three
 * to forty letters, folded: names of bodies and places are kept by trigger, all others by the writers of texts, after
 * their commit (src/services/meetings/word-forms.ts).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create extension if not exists fuzzystrmatch`
  yield* sql`
    create table word_form (
      word text primary key check (word ~ '^[[:alpha:]]{3,40}$'),
      -- About how often it was written. It is never lowered, since only its order of magnitude tells.
      times int not null check (times > 0),
      is_name boolean not null default false
    )`
  // What is written like a word shares its first letter or its end, and what sounds like it has its code.
  yield* sql`create index word_form_start on word_form (left(word, 1), length(word))`
  yield* sql`create index word_form_end on word_form (right(word, 2), length(word))`
  yield* sql`create index word_form_sound on word_form (dmetaphone(word))`

  yield* sql`
    create function note_name() returns trigger language plpgsql as $$
    begin
      insert into word_form (word, times, is_name)
      select distinct word, 1, true from regexp_split_to_table(fold(new.name), '[^[:alpha:]]+') word
      where length(word) between 3 and 40 order by word
      on conflict (word) do update set is_name = true where not word_form.is_name;
      return null;
    end $$`
  yield* sql`create trigger body_name_noted after insert or update of name on body for each row execute function note_name()`
  yield* sql`create trigger place_name_noted after insert or update of name on place for each row execute function note_name()`

  // What is on record already: split at blanks, which is cheap, and each distinct piece at whatever else is no letter.
  yield* sql`
    insert into word_form (word, times, is_name)
    select word, least(sum(times), 1000000000)::int, bool_or(is_name) from (
      select piece, count(*) as times, is_name from (
        select text, false from transcript_chunk
        union all select title, false from meeting
        union all select title, false from chapter
        union all select title, false from agenda_item
        union all select left(description, 4000), false from agenda_item where description is not null
        union all select name, true from body
        union all select name, true from place
        union all select name, true from transcript_speaker
      ) texts (text, is_name), string_to_table(lower(text), ' ') piece
      group by piece, is_name
    ) pieces, regexp_split_to_table(fold(piece), '[^[:alpha:]]+') word
    where length(word) between 3 and 40 group by word`
})
