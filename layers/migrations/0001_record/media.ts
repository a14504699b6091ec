import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The figures and media files of a meeting. */
export const media = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table figure (
      id uuid primary key,
      meeting_id uuid not null references meeting on delete cascade,
      title text not null,
      alt text not null,
      content_hash text not null
    )`
  yield* sql`create index figure_meeting on figure (meeting_id, id)`
  yield* sql`
    create table media (
      key text primary key,
      meeting_id uuid not null references meeting on delete cascade,
      role text not null check (role in ('source', 'rendition', 'poster', 'agenda', 'figure', 'clip')),
      subject uuid,
      media_type text not null,
      bytes bigint not null check (bytes >= 0),
      width int,
      height int,
      duration numeric(10, 3),
      content_hash text not null,
      check ((subject is not null) = (role in ('figure', 'clip')))
    )`
  yield* sql`create unique index media_of_meeting on media (meeting_id, role, subject) nulls not distinct`
})
