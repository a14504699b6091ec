import { DateTime, Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import escapeHtml from "escape-html"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { SharedClip } from "../../../schema/user-clip.ts"
import { anonymous } from "../../../schema/viewer.ts"
import { ClipCounters } from "../../services/clips/clip-counters.ts"
import { UserClips } from "../../services/clips/user-clips.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { visitor } from "../caller.ts"
import { settlingViewer } from "../middleware/access.ts"
import { problemResponse } from "../problem.ts"
import { smallPage } from "./small-page.ts"

/** Seconds into a recording as people say them: `1:02:03`, or `2:03`. */
const clock = (seconds: number): string => {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor)
  const two = (value = 0) => String(value).padStart(2, "0")
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`
}

const spokenDate = (date: string): string =>
  DateTime.formatUtc(DateTime.makeUnsafe(`${date}T00:00:00Z`), { locale: "en-US", dateStyle: "long" })

/** A path on this origin: the browser may know the service by another host name than we do. */
const onThisOrigin = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const clipPage = (clip: SharedClip, { body, title, date }: Pick<MeetingCard, "body" | "title" | "date">) => {
  const label = clip.title ?? `${body.name}, ${spokenDate(date)}`
  const where = `${body.name}, ${title}, ${spokenDate(date)}: ${clock(clip.start)} to ${clock(clip.end)} of the recording.`
  return smallPage(
    {
      title: label,
      main: `<video controls controlslist="nodownload" playsinline preload="metadata" aria-label="${escapeHtml(label)}" src="${escapeHtml(onThisOrigin(clip.url))}"></video>
<p>${escapeHtml(where)}</p>
<p>A reader of Civic Record cut this clip from the public recording of the meeting.</p>`
    },
    { media: true }
  )
}

const nothingHere = smallPage({
  status: 404,
  title: "Clip not found",
  main: "<p>No clip is shared at this address. It may have been deleted, or may not be rendered yet. Ask the person who sent you the link.</p>"
})

/** `GET /clips/{slug}`, where a clip's share link leads: a page for watching the clip. Opening it counts as a visit. */
export const SharedClipRoute = Layer.unwrap(
  Effect.gen(function* () {
    const clips = yield* UserClips
    const counters = yield* ClipCounters
    const meetings = yield* Meetings
    const settled = yield* settlingViewer

    const handle = Effect.fn("SharedClipPage.get")(
      function* (request: HttpServerRequest.HttpServerRequest) {
        const { slug = "" } = yield* HttpRouter.params
        const clip = yield* clips.shared(slug)
        if (request.method === "GET") yield* counters.visit(slug, yield* visitor)
        return clipPage(clip, yield* meetings.open(clip.meeting_id, anonymous))
      },
      Effect.catch(() => Effect.succeed(nothingHere))
    )

    return HttpRouter.add("GET", "/clips/:slug", (request) =>
      Effect.catch(settled(handle(request)), (refusal) => Effect.succeed(problemResponse(refusal)))
    )
  })
)
