import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { CurrentViewer } from "../../api/access.ts"
import { noClipPage, sharedClipPage } from "../../pages/clip.ts"
import { sharedClip } from "../../pages/parts/shown-clip.ts"
import { ClipCounters } from "../../services/clips/clip-counters.ts"
import type { ClipWords } from "../../services/clips/clip-words.ts"
import type { UserClips } from "../../services/clips/user-clips.ts"
import type { Meetings } from "../../services/meetings/meetings.ts"
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
    const services = yield* Effect.context<ClipWords | Meetings | UserClips>()
    const counters = yield* ClipCounters
    const settled = yield* settlingViewer
    const show = yield* showing
    const { baseUrl } = yield* Environment

    const found = Effect.fnUntraced(
      function* (request: HttpServerRequest.HttpServerRequest, signedIn: boolean) {
        const { slug = "" } = yield* HttpRouter.params
        const clip = yield* Effect.provideContext(sharedClip(slug), services)
        if (request.method === "GET") yield* counters.visit(slug, yield* visitor)
        return sharedClipPage(clip, baseUrl, signedIn)
      },
      Effect.catch(() => Effect.succeed(noClipPage))
    )
    const handle = Effect.fn("SharedClipPage.get")(function* (request: HttpServerRequest.HttpServerRequest) {
      const signedIn = (yield* CurrentViewer)._tag === "Reader"
      return show(request, yield* found(request, signedIn), signedIn)
    })

    return addPage("/clips/:slug", (request) =>
      Effect.catch(settled(handle(request)), (refusal) => Effect.succeed(problemResponse(refusal)))
    )
  })
)
