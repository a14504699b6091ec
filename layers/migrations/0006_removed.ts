import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What is left of meetings that were taken off the record: a tombstone each, and media still to be deleted. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Enough to answer at the meeting's old addresses and to tell mirrors, and nothing of what the meeting said.
  yield* sql`
    create table removed_meeting (
      id uuid primary key,
      short_id text not null unique check (short_id ~ '^[0-9a-f]{8,32}$'),
      slug text not null,
      -- The reason that may be told; none where it may not.
      reason text check (reason <> ''),
      removed_at timestamptz not null
    )`
  yield* sql`create index removed_meeting_newest on removed_meeting (removed_at, id)`

  // A removed meeting keeps its short id, so that no address of it ever opens another meeting.
  yield* sql`
    create or replace function give_short_id() returns trigger language plpgsql as $$
    declare hex text := replace(new.id::text, '-', '');
    begin
      for digits in 8..32 loop
        new.short_id := left(hex, digits);
        exit when not exists (select from meeting where short_id = new.short_id)
          and not exists (select from removed_meeting where short_id = new.short_id and id <> new.id);
      end loop;
      return new;
    end $$`

  // Keys of objects in the media store whose meeting is gone.
  yield* sql`create table removed_media (key text primary key)`
})
