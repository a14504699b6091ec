import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Meeting } from "../../../schema/meeting.ts"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { asTyped } from "../as-typed.ts"

export const MeetingsLive = HttpApiBuilder.group(
  Api,
  "meetings",
  Effect.fnUntraced(function* (handlers) {
    const meetings = yield* Meetings
    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ params }) {
        const viewer = yield* CurrentViewer
        return asTyped(Meeting)(yield* Effect.mapError(meetings.open(params.id, viewer), wire))
      })
    })
  })
)
