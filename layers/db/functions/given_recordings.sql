-- The pieces of a file that was taken, given up or deleted with its meeting leave the store, and so does the one that
-- may just arrive.
create or replace function remember_given_pieces() returns trigger language plpgsql as $$
begin
  insert into removed_media (key)
  select old.pieces || piece from generate_series(0, old.received / old.piece_bytes) piece
  where old.pieces is not null and old.taken_at is null
  on conflict do nothing;
  return null;
end $$;

create or replace trigger given_recording_ended after delete or update of taken_at on given_recording
  for each row execute function remember_given_pieces();
