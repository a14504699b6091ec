import { randomBytes } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { Sql } from "postgres"
import { askOnce, type Side, sideOfSingle } from "./ask.ts"

/** A side, with a reading of the CPU that it and PostgreSQL have used. */
interface Asked {
  readonly base: string
  readonly cpu: () => number
}

/** Milliseconds within which every node learns of a change. */
const known = 1200

/**
 * Adds a new word to a meeting's title, as any writer would, waits until the change is known everywhere, and requests
 * `path` from both sides, which take turns at going first. Equal if both find the new word in that meeting alone.
 */
export const afterChanges = async (sql: Sql, id: string, path: string, ours: Asked, peer: Asked, times: number) => {
  const [before] = await sql<ReadonlyArray<{ title: string }>>`select title from meeting where id = ${id}`
  const title = before?.title ?? "Regular Meeting"
  const change = (to: string) =>
    sql.begin(async (tx) => {
      await tx`update meeting set title = ${to}, updated_at = now() where id = ${id}`
      await tx`select index_meetings(${[id]}::uuid[])`
    })
  const taken = new Map([ours, peer].map((side) => [side, [] as { millis: number; cpu: number }[]]))
  let equal = true
  for (let turn = 0; turn < times; turn++) {
    for (const side of turn % 2 === 0 ? [ours, peer] : [peer, ours]) {
      // Only letters, because our search splits off digits and the peer's does not.
      const word = `word${randomBytes(6)
        .toString("hex")
        .replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "")}`
      await change(`${title} ${word}`)
      await wait(known)
      const cpu = side.cpu()
      const begun = performance.now()
      await askOnce(`${side.base}${path}`)
      taken.get(side)?.push({ millis: performance.now() - begun, cpu: side.cpu() - cpu })
      const { body } = await askOnce(`${side.base}/api/meetings/browse?exact=1&q=${word}`)
      equal &&= (JSON.parse(body.toString()) as { readonly total?: number }).total === 1
    }
  }
  await change(title)
  const side = (asked: Asked): Side => sideOfSingle(taken.get(asked) ?? [])
  return { ours: side(ours), peer: side(peer), equal }
}
