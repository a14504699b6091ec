import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { examples } from "../../src/api/examples/index.ts"
import { AgentTokens } from "../../src/services/operators/agent-tokens.ts"
import { Drills } from "../../src/services/operators/drills.ts"
import { Completion } from "../../src/services/operators/runs/completion.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { bearer } from "./actors.ts"
import { meetingId } from "./builders.ts"

/** A discovered meeting of a source, listed under a body; its id. */
export const discovered = Effect.fnUntraced(function* (source: string, body: string, over: { date?: string } = {}) {
  const db = yield* Db
  const id = randomUUID()
  yield* db`insert into source_body (source_id, source_body) values (${source}, ${body}) on conflict do nothing`
  yield* db`
    insert into discovered (id, source_id, source_body, external_id, title, date, timezone)
    values (${id}, ${source}, ${body}, ${id}, ${`${body} meeting`}, ${over.date ?? "2026-02-03"}, 'America/Chicago')`
  return id
})

/** A source of a place, whose bodies are mapped as given; its id. */
export const source = Effect.fnUntraced(function* (place: string, bodies: Readonly<Record<string, string>> = {}) {
  const db = yield* Db
  const [row] = yield* db<{ id: string }>`
    insert into source (kind, url, place_id)
    select 'json', ${`https://${place}.example.gov/${randomUUID()}.json`}, id from place where slug = ${place} returning id`
  const id = row?.id ?? ""
  for (const [name, slug] of Object.entries(bodies)) {
    yield* db`
      insert into source_body (source_id, source_body, body_id) select ${id}, ${name}, id from body where slug = ${slug}`
  }
  return id
})

/** A task that has failed, of a new flow of a meeting; its id. */
export const failedTask = Effect.fnUntraced(function* (meeting: string, stage = "transcribe") {
  const db = yield* Db
  const [flow] = yield* db.withTransaction(addFlows(db, "meeting", [{ meeting_id: meetingId(meeting) }]))
  const [task] = yield* db<{ id: string }>`
    update task set state = 'failed', attempts = 8, ended_at = now(), failure = 'It gave no answer.'
    where flow_id = ${flow ?? null} and stage = ${stage} returning id`
  return task?.id ?? ""
})

/** The headers of a machine whose token was just minted; with a run, a token of that run. */
export const machine = Effect.fnUntraced(function* (run?: string) {
  const tokens = yield* AgentTokens
  const { id, token } = yield* tokens.mint({ machine: "build-box", run })
  return { id, token, credentials: bearer(token) }
})

/** A drill that runs for an hour; its token. */
const runningDrill = Effect.gen(function* () {
  const db = yield* Db
  const drills = yield* Drills
  const { id, token } = yield* drills.start("a test")
  const calendar = { schedule: examples.getDrillSchedule, meeting: examples.getDrillMeeting }
  yield* drills.serve(id, "http://127.0.0.1:1", calendar)
  yield* db`update drill set seen_at = now() + interval '1 hour' where id = ${id}`
  return token
})

/**
 * Objects for operators besides the full record: an open run of Springfield with a source of four bodies, a discovered
 * meeting of each (mapped, like the council's name, like no name, and one to map), and a failed task; and the tokens of
 * machines.
 */
export const operated = Effect.gen(function* () {
  const completion = yield* Completion
  const tokens = yield* AgentTokens
  const db = yield* Db
  const sourceId = yield* source("springfield", { "City Council": "springfield-council" })
  const run = (yield* completion.start("springfield")).id
  const [place] = yield* db<{ id: string }>`select uuid as id from place where slug = 'springfield'`
  const revoked = yield* machine(run)
  yield* tokens.revoke(revoked.id)
  return {
    run,
    otherRun: (yield* completion.start("sangamon-county")).id,
    place: place?.id ?? "",
    source: sourceId,
    mapped: yield* discovered(sourceId, "City Council"),
    alike: yield* discovered(sourceId, "Council"),
    unlike: yield* discovered(sourceId, "Zoning"),
    unmapped: yield* discovered(sourceId, "Parks"),
    task: yield* failedTask("bare"),
    drill: yield* runningDrill,
    readOnly: (yield* machine()).credentials,
    ofRun: (yield* machine(run)).credentials,
    revoked: revoked.credentials
  }
})
export type Operated = Effect.Success<typeof operated>
