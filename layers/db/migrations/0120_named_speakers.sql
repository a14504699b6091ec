-- Names that a recording gives to its voices, each with the second that shows it.
alter table transcript add column speakers jsonb;
comment on column transcript.speakers is 'A JSON array of {name, shown_at}, or null if no voice was named here.';
