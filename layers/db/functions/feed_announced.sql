-- Notifies the streams of every process when events are committed.
create or replace function announce_feed() returns trigger language plpgsql as $$
begin
  perform pg_notify('feed', '');
  return null;
end $$;

create or replace trigger feed_announced after insert on feed_event
  for each statement execute function announce_feed();
