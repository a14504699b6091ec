import { Effect } from "effect"
import { anonymous } from "../../schema/viewer.ts"
import { Directory } from "../services/directory/directory.ts"
import { Meetings } from "../services/meetings/meetings.ts"
import type { Load } from "./page.ts"

/** The older flat spellings, which redirect to the place-first addresses forever (spec section 1). */

export const movedPlace: Load<Directory> = Effect.fn("OldSpellings.place")(function* ({ params }) {
  const { path } = yield* (yield* Directory).place(params.slug ?? "")
  return { movedTo: path }
})

export const movedBody: Load<Directory> = Effect.fn("OldSpellings.body")(function* ({ params }) {
  const { path } = yield* (yield* Directory).agency(params.slug ?? "")
  return { movedTo: path }
})

export const movedMeeting: Load<Meetings> = Effect.fn("OldSpellings.meeting")(function* ({ params }) {
  const { path } = yield* (yield* Meetings).open(params.slug ?? "", anonymous)
  return { movedTo: path }
})
