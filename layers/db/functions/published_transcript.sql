-- The one place that decides which versions readers, search and exports see.
create or replace view published_transcript as select * from transcript where not withheld;
