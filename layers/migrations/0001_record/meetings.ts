import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Meetings, their short ids, and how many each body held in each year. */
export const meetings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table meeting (
      id uuid primary key,
      short_id text not null unique check (short_id ~ '^[0-9a-f]{8,32}$'),
      body_id int not null references body,
      title text not null check (title <> ''),
      date date not null,
      year smallint not null generated always as (extract(year from date)) stored,
      starts_at timestamptz,
      timezone text not null,
      status text not null check (status in ('upcoming', 'held', 'cancelled')),
      duration numeric(10, 3) check (duration >= 0),
      source_url text,
      agenda_url text,
      updated_at timestamptz not null,
      content_hash text not null
    )`
  yield* sql`create index meeting_held_newest on meeting (date desc, id) where status = 'held'`
  yield* sql`create index meeting_body_newest on meeting (body_id, date desc, id) where status = 'held'`
  yield* sql`create index meeting_to_come on meeting (date, body_id, id) where status <> 'held'`

  // The leading 8 hex digits of the id, or more where two would collide (contract section 3).
  yield* sql`
    create function give_short_id() returns trigger language plpgsql as $$
    declare hex text := replace(new.id::text, '-', '');
    begin
      for digits in 8..32 loop
        new.short_id := left(hex, digits);
        exit when not exists (select from meeting where short_id = new.short_id);
      end loop;
      return new;
    end $$`
  yield* sql`create trigger meeting_short_id before insert on meeting for each row execute function give_short_id()`

  // Held meetings by body and year: without a query, every count of browse is a sum over these.
  yield* sql`
    create table held_count (
      body_id int not null references body on delete cascade,
      year smallint not null,
      held int not null check (held >= 0),
      primary key (body_id, year)
    )`
  yield* sql`
    create function count_held() returns trigger language plpgsql as $$
    begin
      if tg_op in ('UPDATE', 'DELETE') then
        update held_count h set held = h.held - o.n
        from (select body_id, year, count(*)::int as n from old_rows where status = 'held' group by 1, 2 order by 1, 2) o
        where h.body_id = o.body_id and h.year = o.year;
      end if;
      if tg_op in ('UPDATE', 'INSERT') then
        insert into held_count as h (body_id, year, held)
        select body_id, year, count(*)::int from new_rows where status = 'held' group by 1, 2 order by 1, 2
        on conflict (body_id, year) do update set held = h.held + excluded.held;
      end if;
      return null;
    end $$`
  yield* sql`create trigger meeting_counted_in after insert on meeting referencing new table as new_rows for each statement execute function count_held()`
  yield* sql`create trigger meeting_counted_out after delete on meeting referencing old table as old_rows for each statement execute function count_held()`
  yield* sql`create trigger meeting_recounted after update on meeting referencing old table as old_rows new table as new_rows for each statement execute function count_held()`
})
