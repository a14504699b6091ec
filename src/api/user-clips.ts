import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MeetingId } from "../../schema/primitives.ts"
import {
  AutoUserClip,
  AutoUserClipRequest,
  CreateUserClipRequest,
  SharedClip,
  UserClip,
  UserClipList
} from "../../schema/user-clip.ts"
import { Access } from "./access.ts"
import {
  Conflict,
  Forbidden,
  Gone,
  Internal,
  NotFound,
  RangeNotSatisfiable,
  RateLimited,
  Unauthorized,
  Unavailable,
  Unprocessable
} from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"
import { Revalidates } from "./surface.ts"

const clipId = {
  id: Schema.String.annotate({
    description: "The clip's id, a UUID.",
    examples: ["0d9c8b7a-6f5e-4d3c-8b2a-190817263544"]
  })
}
const slug = {
  slug: Schema.String.annotate({ description: "The slug in the clip's link.", examples: ["k7Qm2xVt9aZr4LpB"] })
}

const ofReader = [Unauthorized, Forbidden, Internal, Unavailable] as const
const gone = "An unknown slug, a clip that has not been rendered and a deleted clip all get the same 404."

const Mp4 = Schema.Uint8Array.annotate({ description: "MP4 (H.264, AAC)." }).pipe(
  HttpApiSchema.asUint8Array({ contentType: "video/mp4" })
)

/** Spec 4.7: clips that readers cut and share. */
export const UserClipsGroup = HttpApiGroup.make("user_clips")
  .add(
    HttpApiEndpoint.post("create", "/api/user-clips", {
      payload: CreateUserClipRequest,
      success: UserClip.pipe(HttpApiSchema.status(201)),
      error: [...ofReader, NotFound, Gone, Conflict, Unprocessable]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "createUserClip",
          summary: "Create a clip",
          description:
            "Cuts a clip of 1 to 300 seconds out of the recording, rendered from the watermarked web rendition. The response is immediate, with `state` `rendering`; the clip can be watched once it is `ready`. An account can have at most 10 clips of a meeting."
        })
      ),
    HttpApiEndpoint.get("list", "/api/user-clips", {
      query: {
        meeting_id: Schema.optionalKey(
          MeetingId.pipe(Schema.annotateKey({ description: "Only clips of this meeting." }))
        )
      },
      success: UserClipList,
      error: ofReader
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listUserClips",
          summary: "List your clips",
          description:
            "Returns your clips, newest first. A ready clip has an address for watching it, signed for this visit and valid for six hours, and one for downloading it."
        })
      ),
    HttpApiEndpoint.delete("remove", "/api/user-clips/:id", {
      params: clipId,
      success: HttpApiSchema.NoContent,
      error: [...ofReader, NotFound]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "deleteUserClip",
          summary: "Delete a clip",
          description:
            "Deletes one of your clips with its share link and its media, whether or not it has been rendered. A second delete returns 404."
        })
      ),
    HttpApiEndpoint.get("download", "/api/user-clips/:id/download", {
      params: clipId,
      success: Mp4,
      error: [...ofReader, NotFound, RangeNotSatisfiable]
    })
      .annotate(Security, sessionOnly)
      .annotate(Revalidates, "ranges")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "downloadUserClip",
          summary: "Download a clip",
          description:
            "Returns one of your clips as a file, sent as an attachment, with the watermark burned in and the captions as a track. Only the clip's owner can download it. Range requests get 206."
        })
      ),
    HttpApiEndpoint.get("shared", "/api/user-clips/shared/:slug", {
      params: slug,
      success: SharedClip,
      error: [NotFound, Forbidden, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getSharedClip",
        summary: "Watch a shared clip",
        description: `Returns a watch-only address for the clip, valid for six hours, to anyone who has the slug. ${gone}`
      })
    ),
    HttpApiEndpoint.post("share", "/api/user-clips/shared/:slug/share", {
      params: slug,
      success: HttpApiSchema.NoContent,
      error: [...ofReader, NotFound]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "countClipShare",
          summary: "Count a press of a clip's share control",
          description: `Presses count once per account, clip and day. ${gone}`
        })
      ),
    HttpApiEndpoint.post("visit", "/api/user-clips/shared/:slug/visit", {
      params: slug,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Forbidden, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "countClipVisit",
        summary: "Count a visit to a shared clip",
        description: `Visits count once per visitor, clip and day; those of the owner and of robots do not count. ${gone}`
      })
    )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "User clips", description: "Clips that readers cut, and their share links." })
  )

/** A group of its own, because it has its own rate limit: 10 per minute and account (spec section 8). */
export const AutoClipsGroup = HttpApiGroup.make("auto_clips")
  .add(
    HttpApiEndpoint.post("suggest", "/api/user-clips/auto", {
      payload: AutoUserClipRequest,
      success: AutoUserClip,
      error: [...ofReader, NotFound, Gone, Conflict, RateLimited]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "suggestUserClip",
          summary: "Suggest a span for a clip",
          description:
            "Finds where the discussion around `start` begins and ends, by asking the deployment's cloud model to read the transcript. The span starts at most 30 seconds before `start`, is at most 180 seconds long, and begins and ends where someone starts or stops speaking. No clip is created: send the span to `POST /api/user-clips`. This operation has its own rate limit of 10 requests per minute and account."
        })
      )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .annotateMerge(
    OpenApi.annotations({ title: "Automatic clips", description: "Finding where a discussion starts and ends." })
  )
