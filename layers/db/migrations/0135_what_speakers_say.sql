-- When each speaker of a transcript speaks, a turn's first and last second at the same place of both arrays; what they
-- say longest, a JSON array of {start, text}; and the slug of who they are, where the transcript says so. All but the
-- last are null for transcripts that were written before: of those only `start` is known.
alter table transcript_speaker add column turns real[];
alter table transcript_speaker add column until real[];
alter table transcript_speaker add column moments jsonb;
alter table transcript_speaker add column person text;
create index transcript_speaker_person on transcript_speaker (person) where person is not null;
-- When a vote came on record. Null: before this was noted.
alter table vote add column first_at timestamptz;
create index vote_first_at on vote (first_at) where first_at is not null;
