import { Schema } from "effect"
import type { BundlePlace } from "../../../../schema/bundle.ts"
import type { BundleVote } from "../../../../schema/bundle-people.ts"
import { type Format, isJsonObject } from "../format.ts"
import { voteId } from "../ids.ts"
import { found, type Item, type Origin, warning } from "../item.ts"
import { ballotsOf, dayOf, readRecords } from "./decisions.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const LegistarRollCalls = Schema.Struct({
  /** The event's number. */
  ID: Schema.Int,
  Date: text,
  Items: Schema.Array(
    Schema.Struct({
      ID: Schema.Int,
      RollCall: Schema.Array(Schema.Struct({ Slug: text, FullName: Schema.String, Value: text }))
    })
  )
})

const itemsOf = (
  { ID, Date: written, Items }: typeof LegistarRollCalls.Type,
  place: BundlePlace,
  origin: Origin
): ReadonlyArray<Item> =>
  Items.flatMap((item) => {
    const { ballots, silent } = ballotsOf(
      place,
      item.RollCall.map(({ Value, ...person }) => ({ ...person, word: Value }))
    )
    const date = dayOf(written)
    return [
      ...(silent.length === 0
        ? []
        : [warning(origin, "Items", `the attendance of ${silent.join(", ")} has no word, and is left out`)]),
      ...(ballots.length === 0
        ? []
        : [
            found(origin, {
              type: "vote",
              id: voteId("legistar", place.slug, "roll call", String(item.ID)),
              kind: "roll_call",
              ...(date === undefined ? {} : { date }),
              place: place.slug,
              event: String(ID),
              item: String(item.ID),
              ballots,
              from: "source"
            } satisfies BundleVote)
          ])
    ]
  })

/** Attendance at the events of Legistar, one event per line. */
export const legistarRollCalls: Format = {
  name: "rollcalls",
  about: "attendance at Legistar events, one event per line",
  isRecord: ({ Items }) =>
    Array.isArray(Items) && Items.length > 0 && Items.every((item) => isJsonObject(item) && "RollCall" in item),
  read: ([file]) => readRecords(file, LegistarRollCalls, ["Date"], () => undefined, itemsOf)
}
