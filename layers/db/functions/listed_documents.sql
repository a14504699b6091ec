-- The documents that the fields of a meeting name: its agenda, its minutes, and its attachments, of which one that is
-- called a packet is the packet. Whatever writes a meeting lists them so. Agenda, minutes and packet stay the same
-- document at another address; an attachment is known by its own.

create or replace function document_id(meeting uuid, key text) returns uuid
language sql immutable strict parallel safe as $$
  select overlay(overlay(md5(meeting || ' ' || key) placing '8' from 13 for 1) placing 'a' from 17 for 1)::uuid
$$;

create or replace function documents_named(meeting uuid, agenda_url text, minutes_url text, attachments jsonb)
returns table (id uuid, kind text, "position" int, title text, url text, item uuid)
language sql stable parallel safe as $$
  select distinct on (l.key) document_id(meeting, l.key), l.kind, l.position, l.title, l.url, l.item from (
    values ('agenda', 'agenda', 0, 'Agenda', agenda_url, null::uuid),
      ('minutes', 'minutes', 0, 'Minutes', minutes_url, null)
    union all
    select case when a.is_packet and a.turn = 1 then 'packet' else a.url end,
      case when a.is_packet then 'packet' else 'attachment' end, a.position, a.title, a.url, a.item
    from (
      select g.*, row_number() over (partition by g.is_packet order by g.position) as turn from (
        select ordinality::int as position, value ->> 'title' as title, value ->> 'url' as url,
          (value ->> 'item')::uuid as item, value ->> 'title' ~* '\mpacket\M' as is_packet
        from jsonb_array_elements(attachments) with ordinality) g
      where g.url is distinct from agenda_url and g.url is distinct from minutes_url) a
  ) l (key, kind, position, title, url, item)
  where l.url is not null order by l.key, l.position
$$;

-- What the fields name no longer is forgotten if nothing was read of it, else kept. What a bundle brought with an id of
-- its own is not listed twice.
create or replace function list_documents() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    with gone as (
      select d.id, d.version from document d where d.meeting_id = new.id and d.is_listed and not exists (
        select from documents_named(new.id, new.agenda_url, new.minutes_url, new.attachments) n where n.id = d.id)),
    kept as (
      update document d set is_listed = false from gone where d.id = gone.id and gone.version is not null)
    delete from document d using gone where d.id = gone.id and gone.version is null;
  end if;
  insert into document as d (id, meeting_id, agenda_item_id, kind, position, title, source_url, is_listed)
  select n.id, new.id, n.item, n.kind, n.position, n.title, n.url, true
  from documents_named(new.id, new.agenda_url, new.minutes_url, new.attachments) n
  where not exists (
    select from document o where o.meeting_id = new.id and o.source_url = n.url and o.id <> n.id and not o.is_listed)
  on conflict (id) do update set agenda_item_id = coalesce(excluded.agenda_item_id, d.agenda_item_id),
    kind = excluded.kind, position = excluded.position, title = excluded.title, source_url = excluded.source_url,
    is_listed = true
  where (d.kind, d.position, d.title, d.source_url, d.is_listed)
      is distinct from (excluded.kind, excluded.position, excluded.title, excluded.source_url, true)
    or excluded.agenda_item_id is distinct from d.agenda_item_id and excluded.agenda_item_id is not null;
  return null;
end $$;

create or replace trigger documents_listed after insert on meeting for each row
  when (new.agenda_url is not null or new.minutes_url is not null or new.attachments <> '[]')
  execute function list_documents();

create or replace trigger documents_listed_again after update of agenda_url, minutes_url, attachments on meeting
  for each row when ((old.agenda_url, old.minutes_url, old.attachments)
    is distinct from (new.agenda_url, new.minutes_url, new.attachments))
  execute function list_documents();
