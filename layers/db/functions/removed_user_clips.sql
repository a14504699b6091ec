-- Records deleted clips, including those deleted by a cascade, until their media is deleted too.
create or replace function remember_removed_user_clip() returns trigger language plpgsql as $$
begin
  insert into removed_user_clip (id) values (old.id) on conflict do nothing;
  return null;
end $$;

create or replace trigger user_clip_removed after delete on user_clip
  for each row execute function remember_removed_user_clip();
