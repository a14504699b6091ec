-- The briefings that readers see. A briefing is pending while the claim check is on and a claim has no verdict yet
-- (spec section 3); one without claims is served as unchecked.
create or replace view published_briefing as
select b.* from briefing b
where coalesce((select value = 'false' from setting where name = 'pipeline.ClaimCheck'), false)
  or not exists (select from claim c where c.meeting_id = b.meeting_id and c.verdict is null);
