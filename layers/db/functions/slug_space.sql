-- One namespace: a live or retired slug of one body cannot belong to another.

create or replace function refuse_retired_slug() returns trigger language plpgsql as $$
begin
  if exists (select from retired_slug r where r.slug = new.slug and r.body_id <> new.id) then
    raise unique_violation
      using message = format('%s is a retired slug of another body', new.slug), constraint = 'body_slug_key';
  end if;
  return new;
end $$;

create or replace function refuse_live_slug() returns trigger language plpgsql as $$
begin
  if exists (select from body b where b.slug = new.slug) then
    raise unique_violation
      using message = format('%s is the slug of a body', new.slug), constraint = 'retired_slug_pkey';
  end if;
  return new;
end $$;

create or replace trigger body_slug_space before insert or update of slug on body
  for each row execute function refuse_retired_slug();
create or replace trigger retired_slug_space before insert or update on retired_slug
  for each row execute function refuse_live_slug();
