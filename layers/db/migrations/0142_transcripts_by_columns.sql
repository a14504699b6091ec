-- Transcripts are written by columns (src/services/meetings/packed-segments.ts), which builds up to 140 cannot read.
-- The service and the workers pack those again that were written by rows, and find them by this index.
-- contracts: oldest_build 141
create index transcript_by_rows on transcript (meeting_id, version) where substr(segments, 1, 1) <> '\x01';
comment on column transcript.segments is 'Columns of segments as JSON, compressed with Zstandard, after a byte of 1.';
