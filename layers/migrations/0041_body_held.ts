import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Held meetings by body, kept beside those by body and year: the directory and its lists want the sum of all years, of which
 * a record of twenty years has twenty times as many rows as bodies. Whoever changes `held_count` changes both.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table body_held (
      body_id int primary key references body on delete cascade,
      held int not null check (held >= 0)
    )`
  yield* sql`insert into body_held (body_id, held) select body_id, sum(held) from held_count group by body_id`
  yield* sql`
    create function sum_held() returns trigger language plpgsql as $$
    begin
      if tg_op in ('UPDATE', 'DELETE') then
        update body_held set held = held - old.held where body_id = old.body_id;
      end if;
      if tg_op in ('UPDATE', 'INSERT') then
        insert into body_held as b (body_id, held) values (new.body_id, new.held)
        on conflict (body_id) do update set held = b.held + excluded.held;
      end if;
      return null;
    end $$`
  yield* sql`
    create trigger held_summed after insert or delete or update on held_count
    for each row execute function sum_held()`
  yield* sql`
    create trigger raises_revision after insert or update or delete or truncate on body_held
    for each statement execute function raise_record_revision()`
})
