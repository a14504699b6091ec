-- Recordings that operators give to meetings: files, which may arrive over days in pieces, or addresses.
create table given_recording (
  id uuid primary key default uuidv7(),
  meeting_id uuid not null references meeting on delete cascade,
  operator text not null,
  -- Where it is to be fetched from; null of a file.
  address text,
  -- Of a file: its name, length, and when its owner last changed it (milliseconds since 1970). The same three are taken
  -- for the same file, whose upload goes on where it stopped.
  name text,
  bytes bigint check (bytes > 0),
  modified bigint,
  -- The bytes that have arrived, all pieces but the last of one length, and what their keys in the store begin with.
  received bigint check (received between 0 and bytes),
  piece_bytes int check (piece_bytes > 0),
  pieces text,
  -- The captions given with it, as the file was, until they are on record.
  captions bytea,
  created_at timestamptz not null,
  -- When something of it last arrived; what rests too long is forgotten.
  touched_at timestamptz not null,
  -- When all of it was here.
  finished_at timestamptz,
  -- When it became the recording of its meeting, with its SHA-256 and the hash of its row of media.
  taken_at timestamptz,
  digest text,
  mark text,
  -- The hashes of the imported media that it took the place of: imported again, they stay replaced.
  replaced text[] not null default '{}',
  check (num_nonnulls(name, bytes, received, piece_bytes, pieces) = case when address is null then 5 else 0 end),
  check (num_nonnulls(taken_at, digest, mark) in (0, 3))
);
create index given_recording_meeting on given_recording (meeting_id, created_at desc);
