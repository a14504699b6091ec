import { Effect } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"
import type { FileCandidatesRequest, UpdateSourceBodiesRequest } from "../../../../schema/agent/completion.ts"
import type { AgencyMerge } from "../../directory/agency-merge.ts"
import { BodyUnsettled, discoveredNotFound, placeOfRunNotFound, sourceNotFound, taskNotFound } from "../../failures.ts"
import { idOf } from "../../meetings/sql.ts"
import type { Flows } from "../../queue/flows.ts"
import { mapSourceBodies } from "../../sources/source-bodies.ts"
import type { Agent } from "../agent-tokens.ts"
import { type Done, type Run, taskOf } from "./run.ts"

interface KnownRow {
  readonly source_id: string
  readonly source_body: string
  readonly mapped: string | null
  readonly same_as: string | null
}

/** How like a body's name a source's name for it must be, to be taken for the same. */
const likeEnough = 0.4

/** The one body of the place whose name is most like this; none if two are equally like it. */
const mostLike = Effect.fnUntraced(function* (db: Sql, run: Run, name: string) {
  const [first, second] = yield* db<{ slug: string; likeness: number }>`
    select b.slug, similarity(fold(b.name), fold(${name})) as likeness
    from body b join body_place bp on bp.body_id = b.id
    where bp.place_id = ${run.placeId} and similarity(fold(b.name), fold(${name})) > ${likeEnough}::real
    order by likeness desc, b.slug limit 2`
  return first !== undefined && first.likeness === second?.likeness ? undefined : first?.slug
})

/**
 * Settles that the body that a discovered meeting was listed under is one on record: the one that it is taken for, else
 * the one of the place whose name is most like it. Where it is another body on record, that one is merged into it.
 */
export const sameBody = Effect.fnUntraced(function* (db: Sql, merges: AgencyMerge["Service"], run: Run, ref: string) {
  // A crawl that ends holds the source first, and then its bodies.
  yield* db`
    select from source where id = (select source_id from discovered where id = ${idOf(ref)}) for no key update`
  const [found] = yield* db<KnownRow>`
    select d.source_id, d.source_body, b.slug as mapped, k.slug as same_as from discovered d
    join source s on s.id = d.source_id
    join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
    left join body b on b.id = sb.body_id left join body k on k.id = d.same_as
    where d.id = ${idOf(ref)} and s.place_id = ${run.placeId} for update of sb`
  if (found === undefined) return yield* discoveredNotFound(ref)
  const { source_id, source_body, mapped } = found
  const known = found.same_as ?? mapped ?? (yield* mostLike(db, run, source_body))
  if (known === undefined) return yield* new BodyUnsettled({ source: source_id, sourceBody: source_body })
  const changed = mapped !== known
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

/** Maps bodies of a source to bodies on record, and crawls the source again. */
export const mapBodies = Effect.fnUntraced(function* (
  db: Sql,
  run: Run,
  ref: string,
  request: UpdateSourceBodiesRequest
) {
  const [source] = yield* db<{ id: string }>`
    select id from source where id = ${idOf(ref)} and place_id = ${run.placeId} for no key update`
  if (source === undefined) return yield* sourceNotFound(ref)
  const changed = yield* mapSourceBodies(db, source.id, request)
  return {
    changed,
    task: yield* taskOf(db, "crawl", { source_id: source.id }, changed),
    detail: { bodies: request.bodies }
  } satisfies Done
})

/**
 * Files bodies that the place is thought to have, and has their addresses probed. One filed before takes the new name,
 * and is probed again if it was unreadable.
 */
export const fileCandidates = Effect.fnUntraced(function* (
  db: Sql,
  run: Run,
  agent: Agent,
  { place, candidates }: FileCandidatesRequest & { readonly place: string }
) {
  if (idOf(place) !== run.placeUuid) return yield* placeOfRunNotFound(place)
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

/** Lets a failed task of the place be tried again. One whose flow a newer one replaced is left to the newer one. */
export const retryTask = Effect.fnUntraced(function* (db: Sql, flows: Flows["Service"], run: Run, ref: string) {
  const [task] = yield* db<{ id: string; stage: string }>`
    select t.id, t.stage from task t join flow f on f.id = t.flow_id
    left join user_clip u on u.id = f.user_clip_id left join clip c on c.id = f.clip_id
    left join meeting m on m.id = coalesce(f.meeting_id, u.meeting_id, c.meeting_id)
    left join source s on s.id = f.source_id
    where t.id = ${idOf(ref)} and (s.place_id = ${run.placeId} or f.run_id = ${run.id} or exists (
      select from body_place bp where bp.body_id = m.body_id and bp.place_id = ${run.placeId}))`
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
