-- Every address that a place has had for a body: one body's for ever, also after a rename or a merge.
create table body_address (
  place_id int not null references place on delete cascade,
  segment text not null check (segment ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  body_id int not null references body on delete cascade,
  primary key (place_id, segment)
);
create index body_address_body on body_address (body_id);

-- Bodies could share a segment, and none of them had an address then: the first on record has it now.
do $addresses$
declare
  one record;
  free text;
  number int;
begin
  for one in
    select b.id, b.segment, array_agg(bp.place_id) as places
    from body b join body_place bp on bp.body_id = b.id group by b.id order by b.id
  loop
    free := one.segment;
    number := 1;
    while exists (select from body_address a where a.place_id = any(one.places) and a.segment = free) loop
      number := number + 1;
      free := one.segment || '-' || number;
    end loop;
    update body set segment = free where id = one.id and segment <> free;
    insert into body_address (place_id, segment, body_id) select place_id, free, one.id from unnest(one.places) place_id;
  end loop;
end $addresses$;
