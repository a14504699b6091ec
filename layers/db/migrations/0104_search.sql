-- The text that is searched, the changes that each node's search index follows, and the words of the record.

-- Only held meetings are searched. Both vectors are stored out of line, so that counting reads narrow rows.
create table meeting_search (
  meeting_id uuid primary key references meeting on delete cascade,
  body_id int not null references body,
  date date not null,
  year smallint not null,
  -- The meeting's subject matter, weighted and with positions (see index_meetings).
  named tsvector not null,
  -- All words of the meeting and its transcript, without positions, which stop at 16,383 (PostgreSQL 12.11).
  document tsvector not null
) with (toast_tuple_target = 128);
create index meeting_search_document on meeting_search using gin (document);
create index meeting_search_body on meeting_search (body_id);

-- A row for each change to meeting_search or to a part shown on a meeting's card, and one without a meeting when the
-- directory changes. Rows are identified by their transaction, not by a counter: a reader has missed exactly those that
-- are invisible in the snapshot it read last, so no writer waits for another.
create table search_change (
  xid xid8 not null default pg_current_xact_id(),
  meeting_id uuid,
  changed_at timestamptz not null default now()
);
create index search_change_xid on search_change (xid);

-- The segments that nodes have on disk. A segment is valid only if it is listed here, so a restored database rejects
-- those it does not know. `xid` differs from the row's own xmin if the row was copied into another database.
create table search_segment (
  id uuid primary key,
  position pg_snapshot not null,
  xid xid8 not null default pg_current_xact_id(),
  made_at timestamptz not null default now()
);

-- The words of the record as written, for correcting misspelled queries: three to forty letters, folded. A trigger adds
-- the names of bodies and places; the writers of all other texts add theirs after their commit
-- (src/services/meetings/word-forms.ts). The fill factor leaves room for HOT updates: a new count fits beside the old
-- one, so that no index is touched.
create table word_form (
  word text primary key check (is_word(word)),
  -- Approximate number of uses. It is never lowered, since only its order of magnitude matters.
  times int not null check (times > 0),
  is_name boolean not null default false
) with (fillfactor = 70);
-- Words with similar spellings share their first letter or their ending, and words that sound alike share a code.
create index word_form_start on word_form (left(word, 1), length(word));
create index word_form_end on word_form (right(word, 2), length(word));
create index word_form_sound on word_form (dmetaphone(word));
