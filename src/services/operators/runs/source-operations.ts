import { Effect } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"
import type { FileCandidatesRequest, UpdateSourceBodiesRequest } from "../../../../schema/agent/completion.ts"
import type { AgencyMerge } from "../../directory/agency-merge.ts"
import { BodyElsewhere, BodyUnsettled, discoveredNotFound, sourceNotFound, taskNotFound } from "../../failures.ts"
import { idOf } from "../../meetings/sql.ts"
import type { Flows } from "../../queue/flows.ts"
import { mapSourceBodies } from "../../sources/source-bodies.ts"
import type { Agent } from "../agent-tokens.ts"
import { bodiesInReach, type Run } from "./authority.ts"
import { type Done, taskOf } from "./run.ts"

interface KnownRow {
  readonly source_id: string
  readonly source_body: string
  readonly mapped: string | null
  readonly same_as: string | null
}

/** The similarity from which a source's name is taken for a body's name. */
const likeEnough = 0.4

/** The body of the place with the most similar name; none if two are equally similar. */
const mostLike = Effect.fnUntraced(function* (db: Sql, run: Run, name: string) {
  const [first, second] = yield* db<{ slug: string; likeness: number }>`
    select b.slug, alike.likeness
    from place p join body_place bp on bp.place_id = p.id join body b on b.id = bp.body_id,
      body_likeness(b.name, ${name}, p.name) alike (likeness)
    where p.id = ${run.placeId} and alike.likeness > ${likeEnough}::real
    order by likeness desc, b.slug limit 2`
  return first !== undefined && first.likeness === second?.likeness ? undefined : first?.slug
})

/**
 * Settles which body on record the source's body of a discovered meeting is: the body that its crawl suggested, or the
 * one already mapped, or the one of the place with the most similar name. If another body was mapped, it is merged into
 * this one.
 */
export const sameBody = Effect.fnUntraced(function* (db: Sql, merges: AgencyMerge["Service"], run: Run, ref: string) {
  // The lock order of a crawl that ends: the source, then its bodies.
  yield* db`
    select from source where id = (select source_id from discovered where id = ${idOf(ref)}) for no key update`
  const [found] = yield* db<KnownRow>`
    select d.source_id, d.source_body, b.slug as mapped, k.slug as same_as from discovered d
    join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
    left join body b on b.id = sb.body_id left join body k on k.id = d.same_as
    where d.id = ${idOf(ref)} for update of sb`
  if (found === undefined) return yield* discoveredNotFound(ref)
  const { source_id, source_body, mapped } = found
  const known = found.same_as ?? mapped ?? (yield* mostLike(db, run, source_body))
  if (known === undefined) return yield* new BodyUnsettled({ source: source_id, sourceBody: source_body })
  const changed = mapped !== known
  const [merged] =
    changed && mapped !== null
      ? yield* bodiesInReach(db, run, [mapped, known], () => "id").pipe(Effect.catchTag("UnknownAgency", Effect.die))
      : []
  if (merged?.isShared === true) return yield* new BodyElsewhere({ field: "id", slug: merged.slug })
  const task = yield* taskOf(db, "crawl", { source_id }, changed)
  if (mapped !== null && changed) {
    yield* Effect.catchTags(merges.merge(mapped, known), { NotFound: Effect.die, SameBody: Effect.die })
  }
  if (changed) {
    yield* db`
      update source_body set body_id = (select id from body where slug = ${known})
      where source_id = ${source_id} and source_body = ${source_body}`
  }
  return { changed, task, detail: { source_body, from: mapped, to: known } } satisfies Done
})

/** Maps bodies of a source to bodies on record, and has the source crawled again. */
export const mapBodies = Effect.fnUntraced(function* (
  db: Sql,
  run: Run,
  ref: string,
  request: UpdateSourceBodiesRequest
) {
  const [source] = yield* db<{ id: string }>`
    select id from source where id = ${idOf(ref)} for no key update`
  if (source === undefined) return yield* sourceNotFound(ref)
  const changed = yield* mapSourceBodies(db, source.id, request, (slugs) =>
    bodiesInReach(db, run, slugs, (at) => `bodies.${at}.agency_slug`)
  )
  return {
    changed,
    task: yield* taskOf(db, "crawl", { source_id: source.id }, changed),
    detail: { bodies: request.bodies }
  } satisfies Done
})

/**
 * Files bodies that the place may have, and has their addresses probed. Filing the same address again replaces the
 * name, and probes it again if it was unreadable.
 */
export const fileCandidates = Effect.fnUntraced(function* (
  db: Sql,
  run: Run,
  agent: Agent,
  { candidates }: FileCandidatesRequest
) {
  yield* db`select from completion_run where id = ${run.id} for no key update`
  const wanted = [...new Map(candidates.map((candidate) => [candidate.url, candidate])).values()]
  const filed = yield* db`
    insert into candidate as c (place_id, name, kind, url, filed_by)
    select ${run.placeId}::int, name, kind, url, ${agent.machine}
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (name text, kind text, url text)
    on conflict (place_id, url) do update set name = excluded.name, kind = excluded.kind, failure = null,
      probed_at = case when c.failure is null then c.probed_at end
    where (c.name, c.kind) is distinct from (excluded.name, excluded.kind) or c.failure is not null returning id`
  const changed = filed.length > 0
  return {
    changed,
    task: yield* taskOf(db, "probe", { run_id: run.id }, changed),
    detail: { candidates: wanted }
  } satisfies Done
})

/**
 * Retries a task that failed or waits until later. If a newer flow replaced its flow, nothing changes, and the newer
 * flow's task is returned.
 */
export const retryTask = Effect.fnUntraced(function* (db: Sql, flows: Flows["Service"], ref: string) {
  const [task] = yield* db<{ id: string; stage: string }>`select id, stage from task where id = ${idOf(ref)}`
  if (task === undefined) return yield* taskNotFound(ref)
  return yield* flows.retryTask(task.id).pipe(
    Effect.map(({ changed }): Done => ({ changed, task: task.id })),
    Effect.catchTags({
      NotFound: Effect.die,
      NewerFlow: ({ flow }) =>
        Effect.map(
          db<{ id: string }>`select id from task where flow_id = ${flow} order by stage <> ${task.stage}, id limit 1`,
          ([newer]): Done => ({ changed: false, task: newer?.id ?? task.id })
        )
    })
  )
})
