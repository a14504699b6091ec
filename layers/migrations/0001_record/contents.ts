import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A meeting's agenda, chapters, highlight clips and transcripts. */
export const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table agenda_item (
      id uuid not null,
      meeting_id uuid not null references meeting on delete cascade,
      position int not null,
      number text,
      title text not null,
      description text,
      outcome text,
      start numeric(10, 3) check (start >= 0),
      primary key (meeting_id, id),
      unique (meeting_id, position) deferrable initially deferred
    )`
  yield* sql`
    create table chapter (
      meeting_id uuid not null references meeting on delete cascade,
      position int not null,
      title text not null,
      start numeric(10, 3) not null check (start >= 0),
      "end" numeric(10, 3) not null,
      primary key (meeting_id, position),
      check ("end" >= start)
    )`
  yield* sql`
    create table clip (
      id uuid primary key,
      meeting_id uuid not null references meeting on delete cascade,
      title text not null,
      start numeric(10, 3) not null check (start >= 0),
      "end" numeric(10, 3) not null,
      agenda_item_id uuid,
      state text not null check (state in ('published', 'proposal', 'dismissed', 'alternate')),
      content_hash text not null,
      check ("end" > start),
      foreign key (meeting_id, agenda_item_id) references agenda_item (meeting_id, id) on delete set null (agenda_item_id)
    )`
  yield* sql`create index clip_meeting on clip (meeting_id, start, id)`
  yield* sql`create index clip_agenda_item on clip (meeting_id, agenda_item_id)`

  yield* sql`
    create table transcript (
      meeting_id uuid not null references meeting on delete cascade,
      version text not null check (version in ('refined', 'raw')),
      language text not null,
      generator text,
      duration numeric(10, 3) not null check (duration >= 0),
      word_count int not null check (word_count >= 0),
      segments json not null,
      content_hash text not null,
      primary key (meeting_id, version)
    )`
  // Passages of the transcript in which search finds moments: the words, and the start of each.
  yield* sql`
    create table transcript_chunk (
      meeting_id uuid not null references meeting on delete cascade,
      position int not null,
      text text not null,
      starts real[] not null,
      words tsvector not null generated always as (to_tsvector('public.civic', text)) stored,
      primary key (meeting_id, position)
    )`
  yield* sql`create index transcript_chunk_words on transcript_chunk using gin (words)`
})
