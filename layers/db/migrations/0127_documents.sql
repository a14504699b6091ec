-- The documents of meetings: agendas, packets, minutes and attachments (schema/document.ts).

create table document (
  id uuid primary key,
  meeting_id uuid not null references meeting on delete cascade,
  -- The item that it is about. Not a reference: a list of items is replaced whole, and may be written later.
  agenda_item_id uuid,
  kind text not null check (kind in ('agenda', 'packet', 'minutes', 'attachment')),
  position int not null,
  title text not null check (title <> ''),
  -- Where the body publishes it.
  source_url text,
  -- Whether the meeting's fields name it now (layers/db/functions/listed_documents.sql).
  is_listed boolean not null default false,
  -- The version that is current; null if nothing was read of it.
  version int,
  content_hash text not null default '',
  -- When and where it was last looked for, the server's validators, and why that gave nothing.
  asked_at timestamptz,
  asked_url text,
  etag text,
  last_modified text,
  failure text,
  -- The stored file that it was last read from, if it has one.
  mark text
);
create index document_meeting on document (meeting_id, kind, position);

-- What was read of a document, and what it read before.
create table document_version (
  document_id uuid not null references document on delete cascade,
  version int not null check (version > 0),
  source_url text,
  media_type text not null,
  bytes bigint check (bytes >= 0),
  -- The SHA-256 of the file in hexadecimal.
  digest text,
  -- How many pages the file has; no more than the first thousand are kept.
  pages int not null check (pages >= 0),
  -- Why pages are without their text, as a sentence.
  unread text check (unread <> ''),
  -- How many home addresses and other private words were taken out.
  removals int not null default 0 check (removals >= 0),
  fetched_at timestamptz not null,
  replaced_at timestamptz,
  primary key (document_id, version)
);
create table document_page (
  document_id uuid not null,
  version int not null,
  number int not null check (number > 0),
  text text not null,
  -- Whether it was recognized in a picture of the page.
  is_recognized boolean not null default false,
  primary key (document_id, version, number),
  foreign key (document_id, version) references document_version on delete cascade
);

insert into document (id, meeting_id, agenda_item_id, kind, position, title, source_url, is_listed)
select distinct on (l.meeting_id, l.key)
  overlay(overlay(md5(l.meeting_id || ' ' || l.key) placing '8' from 13 for 1) placing 'a' from 17 for 1)::uuid,
  l.meeting_id, null, l.kind, l.position, l.title, l.url, true
from (
  select id as meeting_id, 'agenda' as key, 'agenda' as kind, 0 as position, 'Agenda' as title, agenda_url as url
  from meeting where agenda_url is not null
  union all
  select id, 'minutes', 'minutes', 0, 'Minutes', minutes_url from meeting where minutes_url is not null
  union all
  select m.id, case when a.is_packet and a.turn = 1 then 'packet' else a.url end,
    case when a.is_packet then 'packet' else 'attachment' end, a.position, a.title, a.url
  from meeting m, lateral (
    select given.*, row_number() over (partition by given.is_packet order by given.position) as turn from (
      select ordinality::int as position, value ->> 'title' as title, value ->> 'url' as url,
        value ->> 'title' ~* '\mpacket\M' as is_packet
      from jsonb_array_elements(m.attachments) with ordinality) given
    where given.url is distinct from m.agenda_url and given.url is distinct from m.minutes_url) a
  where m.attachments <> '[]') l
order by l.meeting_id, l.key, l.position;
