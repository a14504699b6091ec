import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Meeting } from "../../schema/meeting.ts"
import { Access } from "./access.ts"
import { Gone, Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { anyoneOrReader, Security } from "./security.ts"
import { Surface } from "./surface.ts"

export const meetingRef = Schema.String.annotate({
  description:
    "The meeting's id (a UUID), or its shareable slug `<short-id>-<body-slug>-<date>`, which may be cut anywhere after the short id.",
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
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "getMeeting",
          summary: "One meeting",
          description:
            "`/api/meetings/{id}` and `/api/meetings/{slug}` are this one operation: `id` takes either. An anonymous caller gets the redacted teaser (`gated` is true), a caller with a session or a share grant for this meeting the full record (`gated` is false). 404 means that there is no such meeting, 410 that it was taken off the record."
        })
      )
      .middleware(Access)
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Meetings", description: "Meetings and, for those who may read them, their records." })
  )
