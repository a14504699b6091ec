import { randomBytes } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { Sql } from "postgres"
import { askOnce, type Side, sideOfSingle } from "./ask.ts"

/** A side with what tells the CPU that it and PostgreSQL have used. */
interface Asked {
  readonly base: string
  readonly cpu: () => number
}

/** Within this time every node knows of a change; milliseconds. */
const known = 1200

/**
 * Gives a meeting a title with a new word, as any writer would, waits until the change is known everywhere, and asks
 * both sides for `path`, each first every other time. Equal if both find the new word, and its meeting alone.
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
      // Of letters alone, because search reads digits apart from them, and the peer does not.
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
