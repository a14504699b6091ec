-- Brings a database that has had the last migration of the builds before the baseline (43) to the schema that the
-- baseline makes. It runs once, before the functions of this build are applied, and is deleted with the last such
-- database.

-- Views name the columns of their tables, which could not change under them. Both are made again afterwards.
drop view published_briefing, published_transcript;

alter table flow rename constraint flow_check1 to flow_check;

-- Only a benchmark used it.
drop function position_starts;

create table function_file (name text primary key, hash text not null);
