-- A meeting's short id: the leading 8 hex digits of its id, or more where two would collide (contract section 3). A
-- removed meeting's stays reserved, so that none of its addresses ever opens another meeting.

create or replace function give_short_id() returns trigger language plpgsql as $$
declare hex text := replace(new.id::text, '-', '');
begin
  for digits in 8..32 loop
    new.short_id := left(hex, digits);
    exit when not exists (select from meeting where short_id = new.short_id)
      and not exists (select from removed_meeting where short_id = new.short_id and id <> new.id);
  end loop;
  return new;
end $$;

create or replace trigger meeting_short_id before insert on meeting
  for each row execute function give_short_id();
