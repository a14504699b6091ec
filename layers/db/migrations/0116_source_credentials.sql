-- What opens a source's address (src/text/address-credentials.ts), kept apart from the address, which is shown.
alter table source add column credentials jsonb;
