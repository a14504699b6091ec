-- Counts held meetings, by body and year (held_count) and by body (body_held). Raising a count locks it until the
-- commit, so two batches with the same body and year would wait for each other. The trigger is deferred, so that it
-- runs under the feed's lock, which lets one commit at a time through.

create or replace function count_held() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') and old.status = 'held' then
    update held_count set held = held - 1 where body_id = old.body_id and year = old.year;
  end if;
  -- A body deleted with its meetings in this transaction is no longer counted.
  if tg_op in ('UPDATE', 'INSERT') and new.status = 'held' then
    insert into held_count as h (body_id, year, held)
    select id, new.year, 1 from body where id = new.body_id
    on conflict (body_id, year) do update set held = h.held + 1;
  end if;
  return null;
end $$;

create or replace function sum_held() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    update body_held set held = held - old.held where body_id = old.body_id;
  end if;
  if tg_op in ('UPDATE', 'INSERT') then
    insert into body_held as b (body_id, held) values (new.body_id, new.held)
    on conflict (body_id) do update set held = b.held + excluded.held;
  end if;
  return null;
end $$;

-- PostgreSQL cannot replace a constraint trigger.
drop trigger if exists meeting_counted_in on meeting;
drop trigger if exists meeting_counted_out on meeting;
drop trigger if exists meeting_recounted on meeting;
create constraint trigger meeting_counted_in after insert on meeting deferrable initially deferred
  for each row when (new.status = 'held') execute function count_held();
create constraint trigger meeting_counted_out after delete on meeting deferrable initially deferred
  for each row when (old.status = 'held') execute function count_held();
create constraint trigger meeting_recounted after update on meeting deferrable initially deferred
  for each row when ((old.body_id, old.year, old.status) is distinct from (new.body_id, new.year, new.status))
  execute function count_held();

create or replace trigger held_summed after insert or delete or update on held_count
  for each row execute function sum_held();
