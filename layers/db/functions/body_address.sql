-- An address, the segment of a body at a place, is one body's for ever. Writers take a free one; these triggers note
-- it, and refuse one that another body has.

-- The first of `wanted`, `wanted-2`, … that no other body has, or had, at any of these places.
create or replace function free_segment(wanted text, body int, places int[]) returns text language plpgsql stable as $$
declare
  free text := wanted;
  number int := 1;
begin
  while exists (
    select from body_address a where a.place_id = any(places) and a.segment = free and a.body_id is distinct from body
  ) loop
    number := number + 1;
    free := wanted || '-' || number;
  end loop;
  return free;
end $$;

create or replace function note_body_address(body int, place int) returns void language plpgsql as $$
declare
  wanted text := (select b.segment from body b where b.id = body);
begin
  insert into body_address (place_id, segment, body_id) values (place, wanted, body) on conflict do nothing;
  if exists (select from body_address a where a.place_id = place and a.segment = wanted and a.body_id <> body) then
    raise unique_violation
      using message = format('%s is the segment of another body there', wanted), constraint = 'body_address_pkey';
  end if;
end $$;

create or replace function body_address_of_link() returns trigger language plpgsql as $$
begin
  perform note_body_address(new.body_id, new.place_id);
  return null;
end $$;

create or replace function body_address_of_body() returns trigger language plpgsql as $$
begin
  perform note_body_address(new.id, bp.place_id) from body_place bp where bp.body_id = new.id;
  return null;
end $$;

create or replace trigger body_place_address after insert or update on body_place
  for each row execute function body_address_of_link();
create or replace trigger body_segment_address after update of segment on body
  for each row when (old.segment is distinct from new.segment) execute function body_address_of_body();
