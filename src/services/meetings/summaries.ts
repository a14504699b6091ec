import { Context, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import type { AgendaSummary, Recap } from "../../../schema/briefing.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { MissingPart } from "./missing-part.ts"

/** A meeting in brief: its agenda in plain words, and its outcome. */
export class Summaries extends Context.Service<
  Summaries,
  {
    /** The decisions, for callers who may read the meeting. */
    readonly recap: (meetingId: MeetingId) => Effect.Effect<Recap, MissingPart>
    /** The agenda in plain words, open to everyone, as the agenda itself is (contract section 4). */
    readonly agenda: (meetingId: MeetingId) => Effect.Effect<AgendaSummary, MissingPart>
  }
>()("civic-record/Summaries") {
  static readonly layer = Layer.effect(
    Summaries,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const recap = Effect.fn("Summaries.recap")(function* (meetingId: MeetingId) {
        const [row] = yield* db<Recap>`
          select meeting_id, headline, summary, decisions from recap where meeting_id = ${meetingId}`
        return row ?? (yield* new MissingPart({ meetingId, part: "recap" }))
      }, dbDies)

      const agenda = Effect.fn("Summaries.agenda")(function* (meetingId: MeetingId) {
        const [row] = yield* db<AgendaSummary>`
          select meeting_id, items from agenda_summary where meeting_id = ${meetingId}`
        return row ?? (yield* new MissingPart({ meetingId, part: "agenda_summary" }))
      }, dbDies)

      return { recap, agenda }
    })
  )
}
