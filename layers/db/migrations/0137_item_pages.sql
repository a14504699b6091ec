-- The bookmarks of documents, and where in a packet the items of an agenda begin.

alter table document_version add column bookmarks jsonb not null default '[]';

create table agenda_item_page (
  meeting_id uuid not null,
  agenda_item_id uuid not null,
  document_id uuid not null references document on delete cascade,
  page int not null check (page > 0),
  primary key (meeting_id, agenda_item_id, document_id),
  foreign key (meeting_id, agenda_item_id) references agenda_item (meeting_id, id) on delete cascade
);
create index agenda_item_page_document on agenda_item_page (document_id);
