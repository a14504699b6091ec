import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The render queue, visits and shares of clips, clips whose media is to be removed, and the usage of the model. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A clip to be rendered. Its row is deleted with the clip, so a deleted clip is never rendered. All times are the
  // database's, the one clock that every worker shares.
  yield* sql`
    create table render_job (
      id uuid primary key default gen_random_uuid(),
      user_clip_id uuid unique references user_clip on delete cascade,
      clip_id uuid unique references clip on delete cascade,
      attempts int not null default 0,
      progress real not null default 0 check (progress between 0 and 1),
      due_at timestamptz not null default now(),
      held_by uuid,
      held_until timestamptz,
      created_at timestamptz not null default now(),
      check (num_nonnulls(user_clip_id, clip_id) = 1),
      check ((held_by is null) = (held_until is null))
    )`
  yield* sql`create index render_job_due on render_job (due_at, id)`
  yield* sql`
    create function announce_render_job() returns trigger language plpgsql as $$
    begin
      perform pg_notify('render_job', '');
      return null;
    end $$`
  yield* sql`
    create trigger render_job_announced after insert on render_job
      for each statement execute function announce_render_job()`

  // Clips whose rows are gone, whatever deleted them (their owner, their account, their meeting), but whose media is not yet
  // removed.
  yield* sql`create table removed_user_clip (id uuid primary key)`
  yield* sql`
    create function remember_removed_user_clip() returns trigger language plpgsql as $$
    begin
      insert into removed_user_clip (id) values (old.id) on conflict do nothing;
      return null;
    end $$`
  yield* sql`
    create trigger user_clip_removed after delete on user_clip
      for each row execute function remember_removed_user_clip()`

  // Who was counted today. A visitor is a hash with a new salt each day; without the salt it identifies nobody.
  yield* sql`create table visit_salt (day date primary key, salt bytea not null check (length(salt) = 32))`
  yield* sql`
    create table user_clip_visit (
      user_clip_id uuid not null references user_clip on delete cascade,
      day date not null,
      visitor bytea not null check (length(visitor) = 32),
      primary key (user_clip_id, day, visitor)
    )`
  yield* sql`create index user_clip_visit_day on user_clip_visit (day)`
  yield* sql`
    create table user_clip_share (
      user_clip_id uuid not null references user_clip on delete cascade,
      day date not null,
      account_id uuid not null references account on delete cascade,
      primary key (user_clip_id, day, account_id)
    )`
  yield* sql`create index user_clip_share_day on user_clip_share (day)`
  yield* sql`create index user_clip_share_account on user_clip_share (account_id)`

  // One call of the cloud model with all of its attempts; neither the prompt nor the answer is kept.
  yield* sql`
    create table model_usage (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      model text not null,
      purpose text not null,
      outcome text not null,
      input_tokens int not null check (input_tokens >= 0),
      output_tokens int not null check (output_tokens >= 0),
      duration_ms int not null check (duration_ms >= 0),
      cost numeric(14, 8) check (cost >= 0)
    )`
  yield* sql`create index model_usage_at on model_usage (at)`
})
