-- For lists of meetings of any status, read to their end by cursor (src/services/search/listing.ts).
create index meeting_newest on meeting (date desc, id);
create index meeting_updated on meeting (updated_at desc, id);
