-- What search reads, what the search index of each node follows, and the words of the record.

-- Only held meetings are searched. Both vectors are stored out of line, so that counting reads narrow rows.
create table meeting_search (
  meeting_id uuid primary key references meeting on delete cascade,
  body_id int not null references body,
  date date not null,
  year smallint not null,
  -- What the meeting is about, weighted and with positions (see index_meetings).
  named tsvector not null,
  -- All of its words and those of its transcript, without positions, which stop at 16,383 (PostgreSQL 12.11).
  document tsvector not null
) with (toast_tuple_target = 128);
create index meeting_search_document on meeting_search using gin (document);
create index meeting_search_body on meeting_search (body_id);

-- A row for each change to meeting_search or to a part that a meeting's card shows, and one without a meeting when the
-- directory changes. Rows are identified by their transaction, not by a counter: a reader has missed exactly those that
-- are invisible in the snapshot it read last, so no writer waits for another.
create table search_change (
  xid xid8 not null default pg_current_xact_id(),
  meeting_id uuid,
  changed_at timestamptz not null default now()
);
create index search_change_xid on search_change (xid);

-- The segments that nodes have on disk. One is valid only while it stands here: a restored database does not know it.
-- `xid` differs from the row's own xmin where the row was copied into another database.
create table search_segment (
  id uuid primary key,
  position pg_snapshot not null,
  xid xid8 not null default pg_current_xact_id(),
  made_at timestamptz not null default now()
);

-- The words of the record as they are written, so that a misspelled word of a query can be corrected: three to forty
-- letters, folded. A trigger adds the names of bodies and places, and the writers of all other texts add theirs after
-- their commit (src/services/meetings/word-forms.ts). The fill factor leaves room for the next count of a word beside
-- the one before, so that raising it touches no index.
create table word_form (
  word text primary key check (is_word(word)),
  -- About how often it was written. It is never lowered, since only its order of magnitude matters.
  times int not null check (times > 0),
  is_name boolean not null default false
) with (fillfactor = 70);
-- A word that is spelled like another shares its first letter or its end, and one that sounds like it has its code.
create index word_form_start on word_form (left(word, 1), length(word));
create index word_form_end on word_form (right(word, 2), length(word));
create index word_form_sound on word_form (dmetaphone(word));
