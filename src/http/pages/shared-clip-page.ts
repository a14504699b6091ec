import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { anonymous } from "../../../schema/viewer.ts"
import { CurrentViewer } from "../../api/access.ts"
import { noClipPage, sharedClipPage } from "../../pages/clip.ts"
import { ClipCounters } from "../../services/clips/clip-counters.ts"
import { UserClips } from "../../services/clips/user-clips.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { visitor } from "../caller.ts"
import { settlingViewer } from "../middleware/access.ts"
import { problemResponse } from "../problem.ts"
import { addPage } from "./page-route.ts"
import { showing } from "./show.ts"

/**
 * `GET /clips/{slug}`, the target of a clip's share link: a page for watching the clip. Opening it counts as a visit.
 */
export const SharedClipRoute = Layer.unwrap(
  Effect.gen(function* () {
    const clips = yield* UserClips
    const counters = yield* ClipCounters
    const meetings = yield* Meetings
    const settled = yield* settlingViewer
    const show = yield* showing

    const found = Effect.fnUntraced(
      function* (request: HttpServerRequest.HttpServerRequest) {
        const { slug = "" } = yield* HttpRouter.params
        const clip = yield* clips.shared(slug)
        if (request.method === "GET") yield* counters.visit(slug, yield* visitor)
        return sharedClipPage(slug, clip, yield* meetings.open(clip.meeting_id, anonymous), yield* clips.words(slug))
      },
      Effect.catch(() => Effect.succeed(noClipPage))
    )
    const handle = Effect.fn("SharedClipPage.get")(function* (request: HttpServerRequest.HttpServerRequest) {
      const viewer = yield* CurrentViewer
      return show(request, yield* found(request), viewer._tag === "Reader")
    })

    return addPage("/clips/:slug", (request) =>
      Effect.catch(settled(handle(request)), (refusal) => Effect.succeed(problemResponse(refusal)))
    )
  })
)
