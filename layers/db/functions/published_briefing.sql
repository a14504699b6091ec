-- The briefings that readers see, as served.
create or replace view published_briefing as
select meeting_id, headline, served, generator, published_at from briefing where served is not null;
