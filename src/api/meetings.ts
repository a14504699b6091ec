import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Meeting } from "../../schema/meeting.ts"
import { Access } from "./access.ts"
import { Gone, Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { anyoneOrReader, Security } from "./security.ts"
import { Cached, Surface } from "./surface.ts"

export const meetingRef = Schema.String.annotate({
  description:
    "The meeting's id (a UUID) or its shareable slug, `<short-id>-<body-slug>-<date>`. A slug truncated anywhere after the short id still works.",
  examples: ["3f2b8c1e-springfield-city-council-2026-03-10"]
})

/** Spec 4.2: finding a meeting is public, reading one is not. */
export const MeetingsGroup = HttpApiGroup.make("meetings")
  .add(
    HttpApiEndpoint.get("get", "/api/meetings/:id", {
      params: { id: meetingRef },
      success: Meeting,
      error: [NotFound, Gone, Internal, Unavailable]
    })
      .annotate(Surface, "by_viewer")
      .annotate(Cached, "record")
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getMeeting",
          summary: "Get a meeting",
          description:
            "`id` accepts either an id or a slug, so `/api/meetings/{id}` and `/api/meetings/{slug}` are the same operation. A caller with a session, or with a share grant for this meeting, gets the full record (`gated` is false); everyone else gets a redacted teaser (`gated` is true). 404 means that there is no such meeting, 410 that it was taken off the record."
        })
      )
      .middleware(CachesResponses)
      .middleware(Access)
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({
      title: "Meetings",
      description: "Meetings and, for callers who may read them, their full records."
    })
  )
