-- What code cannot settle, and no model but the writer could, stays unchecked.
alter table claim drop constraint claim_verdict_check;
alter table claim add constraint claim_verdict_check
  check (verdict in ('supported', 'unsupported', 'contradicted', 'unchecked'));
update briefing set served = served || '{"unchecked_sentences": 0}' where served is not null;
