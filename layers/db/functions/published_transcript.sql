-- The single definition of which transcripts readers, search and exports see.
create or replace view published_transcript as select * from transcript where not withheld;
