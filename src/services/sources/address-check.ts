import { Context, Data, type Effect } from "effect"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import type { NotFound } from "../failures.ts"

/** What was typed is no calendar of its kind. `message` is a sentence of ours without anything that was fetched. */
export class NoCalendarThere extends Data.TaggedError("NoCalendarThere")<{ readonly message: string }> {}

/** Asks an address once whether it is what an operator says, before it is saved. */
export class AddressCheck extends Context.Service<
  AddressCheck,
  {
    /** How many meetings the calendar at the address has. Takes seconds, and no longer. */
    readonly check: (source: {
      readonly kind: SourceKind
      readonly url: string
      /** A slug. */
      readonly place: string
    }) => Effect.Effect<number, NotFound | NoCalendarThere>
  }
>()("civic-record/AddressCheck") {}
