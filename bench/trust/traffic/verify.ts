import { Effect } from "effect"
import type { Cluster } from "../stand/cluster.ts"
import type { Listener } from "./listeners.ts"
import { bodies, type World } from "./world.ts"

/** Rows of a statement on the primary, past everything that is tried here. */
const rows = <A>(databases: Cluster, sql: string) =>
  Effect.map(
    databases.primary().ask(`select coalesce(json_agg(row_to_json(found)), '[]')::text from (${sql}) found`),
    (text) => JSON.parse(text ?? "[]") as ReadonlyArray<A>
  )

const titlesIn = (databases: Cluster) =>
  rows<{ readonly id: string; readonly title: string }>(
    databases,
    `select m.id, m.title from meeting m join body b on b.id = m.body_id where b.slug in ('${bodies.join("', '")}')`
  )
const followsIn = (databases: Cluster) =>
  rows<{ readonly account: string; readonly slugs: string }>(
    databases,
    `select a.id as account, coalesce(string_agg(b.slug, ',' order by b.slug collate "C"), '') as slugs
     from account a left join followed_body f on f.account_id = a.id left join body b on b.id = f.body_id group by a.id`
  )
const clipsIn = (databases: Cluster) => rows<{ readonly id: string }>(databases, "select id from user_clip")

/** Everything that writes of the traffic change, as the primary has it now. */
const stored = (databases: Cluster) =>
  Effect.gen(function* () {
    const from = performance.now()
    const titles = new Map((yield* titlesIn(databases)).map(({ id, title }) => [id, title]))
    const follows = new Map((yield* followsIn(databases)).map(({ account, slugs }) => [account, slugs]))
    const clips = new Set((yield* clipsIn(databases)).map(({ id }) => id))
    return { titles, follows, clips, span: { from, to: performance.now() } }
  }).pipe(Effect.timeout("20 seconds"), Effect.orDie)

/** The writes that were acknowledged and are not in the database: each in a line. */
export const lost = Effect.fnUntraced(function* (databases: Cluster, world: World) {
  const { titles, follows, clips, span } = yield* stored(databases)
  const missing: Array<string> = []
  for (const [id, known] of world.titles) {
    if (!known.allowed(span, 0).includes(titles.get(id)))
      missing.push(`${id} is ${titles.get(id)}, not ${known.last()}`)
  }
  for (const reader of world.readers) {
    const is = follows.get(reader.account) ?? ""
    if (!reader.follows.allowed(span, 0).includes(is)) missing.push(`follows are ${is}, not ${reader.follows.last()}`)
    for (const [id, known] of reader.clips) {
      if (!known.allowed(span, 0).includes(clips.has(id))) missing.push(`clip ${id}`)
    }
  }
  return missing
})

/**
 * After the database went back in time: what it has now is what is true. Returns how many acknowledged writes went with
 * the timeline that was lost.
 */
export const startOver = Effect.fnUntraced(function* (databases: Cluster, world: World) {
  const gone = (yield* lost(databases, world)).length
  const { titles, follows, clips } = yield* stored(databases)
  for (const [id, known] of world.titles) known.reset(titles.get(id))
  world.total.reset(titles.size)
  for (const reader of world.readers) {
    reader.follows.reset(follows.get(reader.account) ?? "")
    for (const [id, known] of reader.clips) known.reset(clips.has(id))
  }
  return gone
})

/** The events of the record that a listener never heard, of those between its first and its last. */
export const unheard = Effect.fnUntraced(function* (databases: Cluster, listeners: ReadonlyArray<Listener>) {
  const kept = yield* Effect.orDie(
    rows<{ readonly id: number }>(databases, "select id::float8 as id from feed_event where channel = 'meetings'")
  )
  return listeners.flatMap(({ heard, last }) => {
    const first = Math.min(...heard.keys())
    return kept.filter(({ id }) => id > first && id <= last() && !heard.has(id)).map(({ id }) => `event ${id}`)
  })
})

/** How many tasks wait for workers. */
export const waiting = (databases: Cluster) =>
  databases
    .primary()
    .ask("select count(*)::text from task where state in ('waiting', 'running')")
    .pipe(
      Effect.map(Number),
      Effect.orElseSucceed(() => 0)
    )
