import { Data, Effect, Stream } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import type { Item } from "./formats/item.ts"

/** A meeting on record that an import would move: its body now, and the one that the import names. */
interface Move {
  readonly id: string
  readonly from: string
  readonly into: string
}

/** An import would move meetings that are on record to other bodies or places; nothing was changed. */
class WouldMove extends Data.TaggedError("WouldMove")<{ readonly message: string }> {}

/** Lines that are looked up at a time. */
const atOnce = 1000

type Line = { readonly id?: string; readonly agency: string; readonly places?: ReadonlyArray<string> }

const lineOf = (entity: BundleEntity): ReadonlyArray<Line> =>
  entity.type === "meeting"
    ? [{ id: entity.id, agency: entity.agency }]
    : entity.type === "agency"
      ? [{ agency: entity.slug, places: entity.places }]
      : []

/** The meetings on record that these lines would move: to another body, or with a body that leaves its place. */
const movesOf = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
  const db = yield* Db
  return yield* db<Move>`
    with line as (
      select * from json_to_recordset(${JSON.stringify(lines)}::json) as line (id uuid, agency text, places text[]))
    select m.id, b.slug as "from", line.agency as "into" from line
    join meeting m on m.id = line.id join body b on b.id = m.body_id
    where b.slug <> line.agency
      and not exists (select from retired_slug r where r.slug = line.agency and r.body_id = b.id)
    union all
    select m.id, p.slug || '/' || b.slug, line.places[1] || '/' || b.slug from line
    join body b on b.slug = line.agency join meeting m on m.body_id = b.id
    join body_place bp on bp.body_id = b.id and bp.position = 0 join place p on p.id = bp.place_id
    where line.id is null and p.slug <> all(line.places)`
})

/**
 * Fails if these items would move meetings that are on record: most often, the place or the body was mistyped. Reads
 * all of them, and changes nothing.
 */
export const refuseMoves = Effect.fn("Records.refuseMoves")(function* <E, R>(items: Stream.Stream<Item, E, R>) {
  const db = yield* Db
  if ((yield* db`select from meeting limit 1`).length === 0) return
  const moved = new Set<string>()
  let first: Move | undefined
  yield* items.pipe(
    Stream.flatMap(({ result }) => Stream.fromIterable(result._tag === "Entity" ? lineOf(result.entity) : [])),
    Stream.grouped(atOnce),
    Stream.runForEach((lines) =>
      Effect.map(movesOf(lines), (found) => {
        first ??= found[0]
        for (const { id } of found) moved.add(id)
      })
    )
  )
  if (first === undefined) return
  const meetings = moved.size
  return yield* new WouldMove({
    message: `It would move ${meetings} ${meetings === 1 ? "meeting" : "meetings"} on record, such as ${first.id} from ${first.from} to ${first.into}; nothing was changed. Check --body and --place, or add --move if that is what you want.`
  })
})
